package question_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// asking returns a run that waits for the answer to a question.
func asking(q machine.Question) *runview.Run {
	q.Action = machine.ActionRef{StepLabel: "1", Attempt: 1}
	tr := track.New(&plan.Plan{})
	return &runview.Run{
		RunView:    control.RunView{Plan: &plan.Plan{}, Track: tr, Status: engine.Status{State: engine.Waiting, Question: &q}},
		ShownTrack: tr, DrawContext: draw.New(themes.PlainPalette(), keymap.Map{}),
	}
}

// answered returns what the dialog requests when a person gives an answer.
func answered(d *question.Dialog, a machine.Answer) []tea.Msg {
	a.By = machine.ByPerson
	return []tea.Msg{dialog.Close{Dialog: d}, request.FollowRun{}, request.Do{Action: "answer", Args: control.Args{Answer: &a}}}
}

// TestProposedCommand: a proposed command shows as a command, whatever other arguments the call has.
func TestProposedCommand(t *testing.T) {
	for _, rest := range []string{`,"description":["list"]`, `,"description":5`, `,"description":"list","timeout":"1"`, ""} {
		run := asking(machine.Question{
			Kind: machine.KindApproveCall, CommandFolder: "/p", Call: &plan.ToolCall{Server: "local", Tool: plan.ToolBash},
			ShownBlock: &plan.VerbatimBlock{Text: `{"command":"ls -l"` + rest + `}`},
		})
		shown := strings.Join(question.New(run, nil).View(run, 60, 20), "\n")
		if !strings.Contains(shown, "in /p") || !strings.Contains(shown, "ls -l") || strings.Contains(shown, "command") {
			t.Errorf("%s:\n%s", rest, shown)
		}
	}
}

// TestLongQuestion: a long question above a list takes at most half of the lines.
func TestLongQuestion(t *testing.T) {
	run := asking(machine.Question{
		Kind: machine.KindAsk, Prompt: strings.Repeat("Which of all these cities? ", 4), Field: &plan.Field{Type: "select"},
		Options: slices.Repeat([]string{"a city"}, 30),
	})
	for h, want := range map[int]int{8: 4, 10: 4, 4: 2} {
		lines := question.New(run, nil).View(run, 30, h)
		if got := strings.Count(strings.Join(lines, "\n"), "Which"); got != want || len(lines) != h {
			t.Errorf("%d lines: %d of the question:\n%s", h, got, strings.Join(lines, "\n"))
		}
	}
}

// TestLongPrecedingDecision: the decision that led to a question is wrapped if there is room, and cut otherwise.
func TestLongPrecedingDecision(t *testing.T) {
	run := asking(machine.Question{Kind: machine.KindDecide, Options: []string{"yes", "no"}})
	p := &plan.Plan{Steps: []*plan.Step{{ID: "0"}, {ID: "1"}}}
	run.Track = track.New(p)
	from, to := run.Track.RowByLabel("0"), run.Track.RowByLabel("1")
	to.EnteredFrom, to.EntryDecision = from, &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Skipped, Reason: strings.Repeat("nothing matched, ", 8) + "the last fact"}, To: "1",
	}
	d := question.New(run, nil)
	if lines := d.View(run, 40, d.WantedHeight(run, 40)); len(lines) != d.WantedHeight(run, 40) || !strings.Contains(strings.Join(lines, "\n"), "last fact") {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	least := d.MinHeight(run, 40)
	lines := d.View(run, 40, least)
	if len(lines) != least || least >= d.WantedHeight(run, 40) || !strings.Contains(lines[1], "…") || !strings.Contains(lines[least-1], "yes") {
		t.Errorf("%d lines of %d:\n%s", len(lines), least, strings.Join(lines, "\n"))
	}
}

// TestForecastAfterEdit: after each event, such as an edit of a route, the dialog requests a new forecast. An older
// forecast does not replace it.
func TestForecastAfterEdit(t *testing.T) {
	run := asking(machine.Question{Kind: machine.KindDecide, Options: []string{"pass", "fail"}})
	d := question.New(run, nil)
	leadsTo := func(step string) func(int) engine.DecisionPreview {
		return func(int) engine.DecisionPreview {
			return func(machine.WhatIfChange) ([]machine.Event, error) {
				return []machine.Event{{Body: &machine.Decision{To: step, Destination: machine.Destination{Kind: machine.ToStep}}}}, nil
			}
		}
	}
	run.Events = []machine.Event{{Seq: 1}}
	before := d.RequestForecast(run, leadsTo("4"))
	if d.RequestForecast(run, leadsTo("4")) != nil {
		t.Error("a forecast is requested again although nothing has happened")
	}
	run.Events = append(run.Events, machine.Event{Seq: 2})
	after := d.RequestForecast(run, leadsTo("5"))
	d.Update(run, after())
	d.Update(run, before())
	if shown := ansi.Strip(strings.Join(d.View(run, 60, 10), "\n")); !strings.Contains(shown, "→ 5") || strings.Contains(shown, "→ 4") {
		t.Error(shown)
	}
}

// TestDestinationsInList: each option of a list shows its destination if the destinations differ. Otherwise the hint
// shows it.
func TestDestinationsInList(t *testing.T) {
	run := asking(machine.Question{Kind: machine.KindAsk, Prompt: "Where?", Field: &plan.Field{Type: "select"}, Options: []string{"here", "there"}})
	run.Events = []machine.Event{{Seq: 1}}
	for there, want := range map[string][]string{"2": {"1 here   → 2", "2 there  → 2"}, "3": {"1 here   → 2", "2 there  → 3"}} {
		d := question.New(run, nil)
		preview := func(c machine.WhatIfChange) ([]machine.Event, error) {
			to := map[string]string{"here": "2", "there": there}[c.Answer]
			return []machine.Event{{Body: &machine.Decision{To: to, Destination: machine.Destination{Kind: machine.ToStep}}}}, nil
		}
		d.Update(run, d.RequestForecast(run, func(int) engine.DecisionPreview { return preview })())
		shown, hint := ansi.Strip(strings.Join(d.View(run, 60, 10), "\n")), d.Hints(run)[0].Text
		for _, row := range want {
			if strings.Contains(shown, row) != (there == "3") {
				t.Errorf("%s:\n%s", row, shown)
			}
		}
		if (hint == "answer → 2") != (there == "2") {
			t.Errorf("there → %s: the hint is %q", there, hint)
		}
	}
}

func TestDecision(t *testing.T) {
	run := asking(machine.Question{Kind: machine.KindDecide, Options: []string{"yes", "no"}})
	for key, value := range map[string]string{"y": "yes", "p": "yes", "n": "no", "f": "no"} {
		d := question.New(run, nil)
		if got, _ := d.Update(run, terminal.KeyPress(key)); !reflect.DeepEqual(got, answered(d, machine.Answer{Value: value})) {
			t.Errorf("%s: %v", key, got)
		}
	}
	d := question.New(run, nil)
	got, _ := d.Update(run, terminal.KeyPress("Y"))
	d.Update(run, terminal.KeyPress("esc"))
	note := got[0].(dialog.Open).Dialog
	for _, k := range []string{"o", "k"} {
		note.Update(run, terminal.KeyPress(k))
	}
	got, _ = note.Update(run, terminal.KeyPress("enter"))
	if want := answered(d, machine.Answer{Value: "yes", Note: "ok"}); !reflect.DeepEqual(got[1:], want) {
		t.Errorf("with a note: %v", got)
	}
}

// TestNextValueIsAnotherQuestion: each value that an action asks for has its own dialog, even if the screen did not see
// the run continue in between.
func TestNextValueIsAnotherQuestion(t *testing.T) {
	ask := func(name string) *runview.Run {
		return asking(machine.Question{Kind: machine.KindAsk, Field: &plan.Field{Name: name}})
	}
	if d := question.New(ask("a"), nil); !d.AsksOpenQuestion(ask("a")) || d.AsksOpenQuestion(ask("b")) {
		t.Error("the dialog of one value counts as that of another")
	}
}

// TestRestoredAnswer: after an undo, the dialog contains the undone answer to its question, unless that is a secret.
func TestRestoredAnswer(t *testing.T) {
	given := func(step, value string) machine.Event {
		return machine.Event{Step: step, Body: &machine.InputGiven{Kind: machine.KindAsk, Value: value}}
	}
	for name, c := range map[string]struct {
		last   machine.Body
		undone machine.Event
		want   string
	}{
		"undone":          {&machine.RunRewound{Undo: true}, given("1", "Anna\nBerg"), "Anna\nBerg"},
		"a secret":        {&machine.RunRewound{Undo: true}, given("1", logs.SecretPlaceholder), ""},
		"of another step": {&machine.RunRewound{Undo: true}, given("2", "Anna"), ""},
		"not undone":      {&machine.RunRewound{}, given("1", "Anna"), ""},
		"nothing":         {&machine.RunRewound{Undo: true}, machine.Event{}, ""},
	} {
		run := asking(machine.Question{Kind: machine.KindAsk, Field: &plan.Field{Type: "input"}})
		run.Events = []machine.Event{{Seq: 1, Body: &machine.StepEntered{}}, {Seq: 2, Body: c.last}}
		d := question.New(run, nil)
		d.RestoreAnswer(run, c.undone)
		if d.HasUnsentText() {
			t.Errorf("%s: the text counts as unsent", name)
		}
		d.Update(run, terminal.KeyPress("!"))
		if got, _ := d.Update(run, terminal.KeyPress("enter")); !reflect.DeepEqual(got, answered(d, machine.Answer{Value: c.want + "!"})) {
			t.Errorf("%s: answered %+v", name, got)
		}
	}
}

// TestTextThatRoutesCompare: there is no forecast for a typed text if a route of the step or of its group compares the
// text.
func TestTextThatRoutesCompare(t *testing.T) {
	compared := []plan.Route{{When: plan.Matcher{Test: &plan.Test{}}}}
	for name, c := range map[string]struct {
		own, around []plan.Route
		want        bool
	}{"nothing": {nil, nil, true}, "the step": {compared, nil, false}, "its group": {nil, compared, false}} {
		ask := plan.Step{ID: "1", Actions: []plan.Action{{Work: plan.Ask{}}}, Routes: c.own}
		p := &plan.Plan{Steps: []*plan.Step{{ID: "0", Children: []*plan.Step{&ask}, Routes: c.around}}}
		run := asking(machine.Question{Kind: machine.KindAsk, Field: &plan.Field{}})
		run.Track, run.Events = track.New(p), []machine.Event{{Seq: 1}}
		if got := question.New(run, nil).RequestForecast(run, nil) != nil; got != c.want {
			t.Errorf("%s compares the text; a forecast is made: %v", name, got)
		}
	}
}

// TestReplyWarnings: a reply that its step would reject is sent only when the person sends it again.
func TestReplyWarnings(t *testing.T) {
	run := asking(machine.Question{Kind: machine.KindReply})
	d := question.New(run, func(string) []string { return []string{"Not valid JSON."} })
	d.Update(run, terminal.KeyPress("x"))
	if !d.HasUnsentText() {
		t.Error("the typed text counts as sent")
	}
	if got, _ := d.Update(run, terminal.KeyPress("ctrl+s")); got != nil {
		t.Errorf("sent: %v", got)
	}
	if got, _ := d.Update(run, terminal.KeyPress("ctrl+s")); !reflect.DeepEqual(got, answered(d, machine.Answer{Value: "x"})) {
		t.Errorf("not sent: %v", got)
	}
}
