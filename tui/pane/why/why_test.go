package why_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/pane/why"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/search"
)

func newPane(t *testing.T) (*why.Pane, *runview.Run) {
	run, p := runviewtest.New(t, keymap.Map{}), why.New()
	p.Resize(layout.Rect{W: 60, H: 8})
	p.Sync(run, true)
	return p, run
}

func shows(t *testing.T, p *why.Pane, run *runview.Run, want ...string) {
	t.Helper()
	text := p.Title(run).Left + "\n" + runviewtest.PlainText(p.View(run))
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// TestSheets: the key of a sheet shows it and the current state of the run. Pressed again, the key shows the reasons.
func TestSheets(t *testing.T) {
	p, run := newPane(t)
	shows(t, p, run, "WHY 1", "PASS: CONTINUE", "FAIL: STOP")
	run.ShownTrack.Variables = []track.Variable{{Name: "area", Value: "gateway", SetByStep: "1"}, {Name: "size", Value: "large", SetByStep: "1"}}
	for _, c := range []struct{ action, title, line string }{
		{"values", "VALUES 1", "gateway"}, {"timeline", "TIMELINE", "run 7f3a started"},
	} {
		requests, handled := p.Update(run, pane.Action{Name: c.action})
		if !handled || !reflect.DeepEqual(requests, []tea.Msg{request.ShowCurrentState{}}) || p.ActionLabel(c.action) != "back to why" {
			t.Errorf("%s: %v, %q", c.action, requests, p.ActionLabel(c.action))
		}
		shows(t, p, run, c.title, c.line)
	}
	p.Update(run, pane.Action{Name: "timeline"})
	shows(t, p, run, "WHY 1")
}

// TestTimelineNamesAuthors: the timeline marks outcomes and values that a person overrode, and names the author of an
// event once.
func TestTimelineNamesAuthors(t *testing.T) {
	p, run := newPane(t)
	for seq, body := range []machine.Body{
		&machine.VariableCaptured{Variable: "severity", Value: "low"}, &machine.RunRewound{ToSeq: 2},
		&machine.StepFinished{Result: plan.Passed, Overridden: true, Outcome: &plan.Outcome{Result: plan.Passed, Source: machine.ByPerson}},
	} {
		run.Events = append(run.Events, machine.Event{Seq: 6 + seq, Step: "1", By: machine.ByPerson, Body: body})
	}
	run.Events = append(run.Events, machine.Event{Seq: 9, Step: "2", Body: &machine.VariableCaptured{Variable: "area", Value: "shop"}})
	run.ShownEventIndex = len(run.Events) - 1
	p.Update(run, pane.Action{Name: "timeline"})
	shows(t, p, run, "1  ! severity = low (by a person)  ", "1  rewound to step 1 (by a person)  ", "1  ! pass (person)  ", "2  area = shop  ")
}

// TestLongValue: a value that is wider than its column is wrapped, and the selected value shows in full.
func TestLongValue(t *testing.T) {
	p, run := newPane(t)
	long := "the first of many words that do not fit on one line"
	run.ShownTrack.Variables = []track.Variable{{Name: "a", Value: "1"}, {Name: "b", Value: long}, {Name: "c", Value: long}}
	p.Update(run, pane.Action{Name: "values"})
	shows(t, p, run, `"the first of many words`, `on one line"`)
	p.Resize(layout.Rect{W: 60, H: 3})
	p.Update(run, pane.Move{Lines: 1})
	shows(t, p, run, "▌ b", `not fit on one line"`)
	p.Resize(layout.Rect{})
	if n := p.ContentHeight(run); n < 3 {
		t.Errorf("%d lines in a pane without room", n)
	}
}

// TestQuotedValues: a text is quoted once, also if quotes are needed to show its blanks.
func TestQuotedValues(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"Refund ", `"Refund "`}, {"large", `"large"`}, {"", `""`}, {"a\nb ", `"a"`}, {"refund\n", `"refund\n"`}, {[]any{"a  b"}, `["a  b"]`},
	} {
		p, run := newPane(t)
		run.ShownTrack.Variables = []track.Variable{{Name: "kind", Value: c.value}}
		p.Update(run, pane.Action{Name: "values"})
		shows(t, p, run, " "+c.want+" ")
	}
}

// TestHistory: keys and the mouse request an event of the timeline, and the pane says why an action is unavailable.
func TestHistory(t *testing.T) {
	p, run := newPane(t)
	if p.UnavailableReason(run, "rewind") == "" {
		t.Error("rewind is available while the reasons show")
	}
	p.Update(run, pane.Action{Name: "timeline"})
	run.Focus = layout.WhyPane
	if !strings.Contains(p.UnavailableReason(run, "rewind"), "{up}") {
		t.Errorf("says %q", p.UnavailableReason(run, "rewind"))
	}
	p.View(run)
	for name, c := range map[string]struct{ msg, want tea.Msg }{
		"up":      {pane.Move{Lines: -1}, request.ShowEvent{EventIndex: 3}},
		"a click": {pane.Click{Y: 1}, request.ShowEvent{EventIndex: 1}},
		"a drag":  {pane.Drag{Y: 2}, request.ShowEvent{EventIndex: 2}},
	} {
		if got, _ := p.Update(run, c.msg); !reflect.DeepEqual(got, []tea.Msg{c.want}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got, handled := p.Update(run, pane.Click{Y: 7}); handled {
		t.Errorf("a click below the last event requests %v", got)
	}
}

// TestHistoryLabels: the column of labels is as wide as the visible labels need, even for steps that the document does
// not have. A long label keeps its end.
func TestHistoryLabels(t *testing.T) {
	p, run := newPane(t)
	p.Update(run, pane.Action{Name: "timeline"})
	for label, want := range map[string]string{"2b": "2b  entered", "Rollback to 1.2": "Rollback to 1.2  entered", "continuation.changes.draft": "continuation.changes.draft  entered", "continuation.changes.final.draft": "…tinuation.changes.final.draft  entered", "child/2": "child/2  entered"} {
		run.Events[1].Step = label
		p.Resize(layout.Rect{W: 60, H: 8})
		p.Sync(run, true)
		shows(t, p, run, want)
	}
}

// TestSearchAndCopy: the values and the timeline can be searched, and copied one by one or as a whole.
func TestSearchAndCopy(t *testing.T) {
	p, run := newPane(t)
	run.ShownTrack.Variables = []track.Variable{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}
	s := search.New()
	for sheet, want := range map[string][]string{"values": {"value", "all values"}, "timeline": {"event", "timeline"}} {
		p.Update(run, pane.Action{Name: sheet})
		if p.SearchText(run, &s).Lines == nil {
			t.Errorf("%s: nothing to search", sheet)
		}
		var names []string
		for _, x := range p.Excerpts(run) {
			names = append(names, x.Name)
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("%s: %v", sheet, names)
		}
		p.Update(run, pane.Action{Name: sheet})
	}
}

// TestPresentingHidesValues: while presenting, the pane hides secrets and the environment.
func TestPresentingHidesValues(t *testing.T) {
	p, run := newPane(t)
	run.IsPresenting = true
	run.ShownTrack.Variables = []track.Variable{{Name: "key", Value: "•••"}}
	p.Update(run, pane.Action{Name: "values"})
	shows(t, p, run, runview.PresentingPlaceholder, "The environment is "+runview.PresentingPlaceholder)
}

// TestSelection: in the focused pane, the taken route is selected first, then the one to which keys or the mouse move.
func TestSelection(t *testing.T) {
	p, run := newPane(t)
	row := run.SelectedRow
	row.Decision = &machine.Decision{
		Outcome:        &plan.Outcome{Result: plan.Failed},
		Candidates:     []machine.Candidate{{Line: 9, Text: "PASS: CONTINUE", ReasonText: "no"}, {Line: 10, Text: "FAIL: STOP", Matched: true, ReasonText: "fail"}},
		CandidateIndex: new(int),
	}
	*row.Decision.CandidateIndex = 1
	run.Status = engine.Status{}
	p.Sync(run, true)
	marked := func() string {
		for _, line := range p.View(run) {
			if text := ansi.Strip(line); strings.HasPrefix(text, "▌") {
				return text
			}
		}
		return ""
	}
	if got := marked(); got != "" {
		t.Errorf("without the focus, %q is selected", got)
	}
	run.Focus = layout.WhyPane
	for _, step := range []struct {
		msg       tea.Msg
		want      string
		candidate int
		line      int
	}{
		{nil, "10 FAIL: STOP", 1, 10}, {pane.Move{Lines: -1}, "9 PASS: CONTINUE", 0, 9}, {pane.Move{Lines: 9}, "10 FAIL: STOP", 1, 10}, {pane.Click{Y: 0}, "9 PASS: CONTINUE", 0, 9},
	} {
		if step.msg != nil {
			p.Update(run, step.msg)
		}
		d, candidate := p.SelectedDecision(run)
		at, _ := p.DocumentPlace(run)
		if got := marked(); !strings.Contains(got, step.want) || d != row.Decision || candidate != step.candidate || at.Line != step.line {
			t.Errorf("%v: %q is selected, candidate %d, line %d", step.msg, got, candidate, at.Line)
		}
	}
}

// TestEditedRule: if a person edited a rule of a step in this run, the decision of the step says so.
func TestEditedRule(t *testing.T) {
	p, run := newPane(t)
	run.Status = engine.Status{}
	row := run.SelectedRow
	row.Decision = &machine.Decision{Candidates: []machine.Candidate{{Line: 9, Text: "PASS: CONTINUE", Matched: true}}, CandidateIndex: new(int), To: "2"}
	row.RuleEdited = true
	p.Sync(run, true)
	shows(t, p, run, "WHY 1", "! rule edited")
	next := run.Track.RowByLabel("2")
	next.Status, next.EnteredFrom, next.EntryDecision = track.Passed, row, row.Decision
	run.SelectedRow = next
	p.Sync(run, true)
	shows(t, p, run, "WHY 2", "from 1, line 9 → 2", "  ! rule edited")
}

// TestSummaryOfIncludedStep: in a narrow summary, a step of an included document has its label within that document.
// Other steps and quoted texts stay whole.
func TestSummaryOfIncludedStep(t *testing.T) {
	p, run := newPane(t)
	row := run.SelectedRow
	row.Label = "1/lint/" + row.LocalLabel
	for to, want := range map[string]string{"1/lint/2": "2", "11/lint/2": "11/lint/2"} {
		row.Decision = &machine.Decision{
			Outcome: &plan.Outcome{Result: plan.Failed}, CandidateIndex: new(int), To: to,
			Candidates: []machine.Candidate{{Line: 9, Text: "FAIL: GOTO", Matched: true, ReasonText: `fail "1/lint/log"`}},
		}
		run.Status = engine.Status{}
		p.Sync(run, true)
		want = "why: line 9 → " + want + ` · fail "1/lint/log"`
		if got := p.Summary(run.DrawContext, run.DrawContext.Width(want)); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestSummaryBeginsWithFact: in a narrow summary, the fact that decided comes before the destination.
func TestSummaryBeginsWithFact(t *testing.T) {
	p, run := newPane(t)
	run.Status = engine.Status{}
	alias := plan.Outcome{Result: plan.Passed, Reading: &plan.Reading{Variable: "next_action.action", Actual: "fail", Intent: "repeat", IntentAlias: "fail"}}
	untaken := plan.Outcome{Result: plan.Skipped, UntakenBranches: []plan.Reason{{Reading: plan.Reading{Variable: "kind", Actual: "Refund "}, Expected: "Refund"}}}
	taken := []machine.Candidate{{Text: "repeat → review", Matched: true, Implicit: true, Reason: &plan.Reason{Evaluated: true}}}
	for _, c := range []struct {
		d    machine.Decision
		w    int
		want string
	}{
		{machine.Decision{Outcome: &alias, Candidates: taken, CandidateIndex: new(int), To: "review"}, 80, `why: default → review · next_action.action="fail" → repeat (alias)`},
		{machine.Decision{Outcome: &alias, Candidates: taken, CandidateIndex: new(int), To: "review"}, 60, `why: next_action.action="fail" → repeat (alias) → review`},
		{machine.Decision{Outcome: &alias, Candidates: taken, CandidateIndex: new(int), To: "review"}, 50, `why: action="fail" → repeat (alias) → review`},
		{machine.Decision{Outcome: &alias, Candidates: taken, CandidateIndex: new(int), To: "review"}, 40, `why: action="fail" → repeat (a… → review`},
		{machine.Decision{Outcome: &alias, Candidates: taken, CandidateIndex: new(int), To: "review"}, 30, `why: action="fail" → repeat (alias)`},
		{machine.Decision{Outcome: &untaken, To: "2"}, 60, `why: kind = "Refund " (only whitespace differs) → 2`},
	} {
		run.SelectedRow.Decision = &c.d
		p.Sync(run, true)
		if got := p.Summary(run.DrawContext, c.w); got != c.want {
			t.Errorf("%d cells: %q, not %q", c.w, got, c.want)
		}
	}
}

// TestSearchWhileTheRunContinues: a search in the background sees the timeline as it was when the search began, even if
// the run continues. The test is for the race detector too.
func TestSearchWhileTheRunContinues(t *testing.T) {
	p, run := newPane(t)
	parse := func(doc string) *plan.Plan { return playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}) }
	run.Track = track.New(parse("# Doc\n\n## STEP 1: Count\n@elicit(input, \"How many?\")\n\n## STEP 2: Act\n" +
		"```if __elicit_step_1 == \"three\"```\n\n### STEP 2a: Three\nAct.\n\n```endif```\n"))
	answer := &machine.InputGiven{Kind: machine.KindAsk, Value: "three ", Assignments: []plan.Assignment{{Name: "__elicit_step_1", Value: "three "}}}
	run.Events = []machine.Event{{Seq: 1, Step: "1", Body: answer}}
	p.Update(run, pane.Action{Name: "timeline"})
	p.Resize(layout.Rect{W: 100, H: 8})
	run.ShownTrack, run.ShownEventIndex = run.Track, 0
	shows(t, p, run, `answered "three " (not "three": only whitespace differs)`)

	s := search.New()
	s.Query = "only whitespace"
	found := make(chan tea.Msg)
	cmd := s.FindFrom(p.SearchText(run, &s), 0)
	go func() { found <- cmd() }()
	run.Track.Fold(machine.Event{Seq: 2, Body: &machine.DocumentReloaded{Load: func() (*plan.Plan, error) { return parse("# Doc\n\n## STEP 3: Act\nAct.\n"), nil }}})
	if _, moved := s.HandleResult((<-found).(search.Result)); !moved {
		t.Error("the line that the timeline shows is not found")
	}
}
