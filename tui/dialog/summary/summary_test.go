package summary_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/summary"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestSummary: the summary shows the result, the path and a notice. Its hints are the ways to continue.
func TestSummary(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Track.Fold(machine.Event{Seq: 6, Step: "1", Body: &machine.RunFinished{RunID: "7f3a", Result: plan.Stopped, Message: "not fit", EnteredStepLabels: []string{"1"}}})
	run.AvailableHints = func(actions ...string) (out []draw.Hint) {
		for _, a := range actions {
			out = append(out, run.DrawContext.ActionHint(a, a))
		}
		return out
	}
	d := &summary.Dialog{SavedFile: "/tmp/out.md"}
	text := d.Title(run).Left + "\n" + runviewtest.PlainText(d.View(run, 60, d.WantedHeight(run, 60)))
	for _, want := range []string{"✗ STOPPED  not fit", "path   1", "[1] 2 Two  not reached"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if hints := d.Hints(run); len(hints) < 4 || hints[0].Action != "edit" || hints[1].Action != "rerun" || hints[2].Key != "1" || hints[3].Action != "close" {
		t.Errorf("hints %v", hints)
	}
	if got, _ := d.Update(run, terminal.KeyPress("esc")); !reflect.DeepEqual(got, []tea.Msg{dialog.Close{}}) {
		t.Errorf("esc: %v", got)
	}
}

// TestSummaryFollows: the summary changes with the run, the theme, the width and what is found after the end.
func TestSummaryFollows(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	end := func(seq int, message string) {
		run.Track.Fold(machine.Event{Seq: seq, Step: "1", Body: &machine.RunFinished{RunID: "7f3a", Result: plan.Stopped, Message: message, EnteredStepLabels: []string{"1"}}})
	}
	end(6, "not fit")
	d, w := &summary.Dialog{}, 60
	lines := func() string { return d.Title(run).Left + "\n" + strings.Join(d.View(run, w, 40), "\n") }
	before := lines()
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"theme", func() {
			p, err := themes.LoadBuiltIn("sea")
			if err != nil {
				t.Fatal(err)
			}
			run.DrawContext.Styles = themes.NewStyles(p)
		}},
		{"changed files", func() { run.Status.ChangedFiles = []string{"a.go", "b.go"} }},
		{"rewound effects", func() { run.Status.SupersededEffectCount = 1 }},
		{"leftover processes", func() { d.LeftoverProcesses = []shell.Leftover{{PID: 7, Command: "server"}} }},
		{"warning", func() {
			run.Track.Fold(machine.Event{Seq: 7, Step: "1", Body: &machine.WarningRecorded{Message: "slow"}})
			end(8, "not fit")
		}},
		{"width", func() { w = 30 }},
	} {
		c.change()
		now := lines()
		if now == before {
			t.Errorf("%s: the summary does not change\n%s", c.name, now)
		}
		before = now
	}
}

// TestSummaryOfJSON: a message or a final output that is JSON is shown indented, with a line for each part.
func TestSummaryOfJSON(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Track.Fold(
		machine.Event{Seq: 6, Step: "1", Body: &machine.InputGiven{Kind: machine.KindDecide, Outcome: &plan.Outcome{Result: plan.Passed, Text: `{"verdict": "ship", "notes": []}`}}},
		machine.Event{Seq: 7, Step: "1", Body: &machine.RunFinished{
			RunID: "7f3a", Result: plan.Completed, Message: `{"release": "1.4.0"}`, EnteredStepLabels: []string{"1"}, Artifact: &machine.Artifact{Type: plan.PlainTextType, Step: "1"},
		}},
	)
	d := &summary.Dialog{}
	text := d.Title(run).Left + "\n" + runviewtest.PlainText(d.View(run, 60, d.WantedHeight(run, 60)))
	for _, want := range []string{"✓ COMPLETED\n┃ {                                                     json\n┃   \"release\": \"1.4.0\"\n┃ }\n", "┃ {                                                     json\n┃   \"verdict\": \"ship\",\n┃   \"notes\": []\n┃ }"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestSummarySentence: the summary of a completed run begins with a sentence about the most important notice.
func TestSummarySentence(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Track.Fold(machine.Event{Seq: 6, Step: "1", Body: &machine.WarningRecorded{Message: "slow"}})
	run.Track.Overrides = []track.Override{{Step: "1", Result: plan.Passed}}
	run.Track.Fold(machine.Event{Seq: 7, Step: "1", Body: &machine.RunFinished{RunID: "7f3a", Result: plan.Completed, EnteredStepLabels: []string{"1"}}})
	if text := runviewtest.PlainText((&summary.Dialog{}).View(run, 60, 20)); !strings.HasPrefix(text, "1 One was overridden with pass by a person\npath   1") {
		t.Errorf("lines\n%s", text)
	}
}

// runOf runs a document to its end, with the replies in order, and returns the run.
func runOf(t *testing.T, p *plan.Plan, inputs map[string]any, replies ...string) *runview.Run {
	t.Helper()
	run, m := runviewtest.New(t, keymap.Map{}), machine.New(p, machine.Options{})
	run.Plan, run.Track = p, track.New(p)
	for seq := 1; ; seq++ {
		next := m.Next()
		e := machine.Event{}
		switch {
		case next.Event != nil:
			e = *next.Event
			if b, starts := e.Body.(*machine.RunStarted); starts {
				b.Inputs = inputs
			}
		case next.Effect != nil && len(replies) > 0:
			e, replies = m.ResultEvent(plan.Product{Text: replies[0]}), replies[1:]
		default:
			return run
		}
		if e.Seq = seq; m.Apply(e) != nil {
			t.Fatalf("event %d", seq)
		}
		run.Track.Fold(e)
	}
}

// TestBranches: the summary lists what each decision between branches compared, and each reply value that selected a
// target. It leaves out a decision that a notice covers, such as a near miss.
func TestBranches(t *testing.T) {
	blocks := func(first, second string) *plan.Plan {
		text := "# A\n\n## STEP 1: Read\nRead.\n@output(kind)\n\n## STEP 2: Route\n" + first + "\n\n### STEP 2a: One\nOne.\n\n```else```\n\n" +
			"### STEP 2b: Two\nTwo.\n\n```endif```\n\n" + second + "\n\n### STEP 2c: Three\nThree.\n\n```endif```\n"
		return playbook.Parse("a.playbook.md", []byte(text), playbook.Options{})
	}
	const isA, isB, isUpper, isUnknown = "```if kind == \"a\"```", "```if kind == \"b\"```", "```if kind == \"A\"```", "```if klass == \"a\"```"
	changelog := func(reply string) *runview.Run {
		const next = `, "next_action": {"action": "next"}}`
		p := parse.Load("../../../examples/changelog", parse.Options{})
		return runOf(t, p, map[string]any{"release": "1.4"}, reply+next, `{"text": ""`+next, `{"text": ""`+next, `{"text": "", "next_action": {"action": "closing"}}`, "")
	}
	for name, c := range map[string]struct {
		run  *runview.Run
		want []string
	}{
		"an undefined name in another block": {runOf(t, blocks(isA, isUnknown), nil, "a", "", ""), []string{`2, kind = "a" → 2a (if kind == "a", line 8)`}},
		"a near miss in another block":       {runOf(t, blocks(isB, isUpper), nil, "a", "", ""), []string{`2, kind = "a" → 2b (else, line 13)`}},
		"a near miss":                        {runOf(t, blocks(isUpper, isA), nil, "a", "", "", ""), []string{`2, kind = "a" → 2c (if kind == "a", line 20)`}},
		"a selected target": {changelog(`{"found": {"size": "small"}`), []string{
			`initial.changes, size = "small" (found.size) → continuation.changes (line 49)`,
		}},
		"a default target": {changelog(`{"found": {"size": 3}`), []string{`initial.changes, size = 3 (found.size) → continuation.outline (default, line 49)`}},
		"a missing value":  {changelog(`{"found": {}`), []string{`initial.changes, size is missing → continuation.outline (default, line 49)`}},
	} {
		if c.run.Track.Finished == nil {
			t.Fatalf("%s: the run is not over", name)
		}
		text := runviewtest.PlainText((&summary.Dialog{}).View(c.run, 120, 30))
		_, text, _ = strings.Cut(text, "\nbranch ")
		text, _, _ = strings.Cut(text, "\nfiles")
		if got := strings.Split(strings.TrimSpace(text), "\n"); !slices.Equal(got[:min(len(got), len(c.want))], c.want) || strings.Count(text, "→") != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestManyNotices: the person can scroll to every notice, and the first nine notices have digits.
func TestManyNotices(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	for i := range 12 {
		run.Track.Fold(machine.Event{Seq: 6 + i, Step: "1", Body: &machine.WarningRecorded{Message: fmt.Sprintf("slow %d", i+1)}})
	}
	run.Track.Fold(machine.Event{Seq: 20, Step: "1", Body: &machine.RunFinished{RunID: "7f3a", Result: plan.Completed, EnteredStepLabels: []string{"1"}}})
	d := &summary.Dialog{}
	first := runviewtest.PlainText(d.View(run, 60, 8))
	if !strings.Contains(first, "[1] 1 One  warning: slow 1\n") || !strings.Contains(first, "more lines") {
		t.Errorf("first lines\n%s", first)
	}
	for range 20 {
		d.Update(run, terminal.KeyPress("down"))
		d.View(run, 60, 8)
	}
	if last := runviewtest.PlainText(d.View(run, 60, 8)); !strings.Contains(last, "[9] 1 One  warning: slow 9\n") || !strings.Contains(last, "    1 One  warning: slow 12") {
		t.Errorf("last lines\n%s", last)
	}
}

// TestPathAfterReload: the path keeps the labels from before a reload and the outcomes of their steps, even if another
// step has such a label now.
func TestPathAfterReload(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	after := rundown.Parse("a.runbook.md", []byte("## 1. New\nNew?\n## 2. One\nDo it.\n"), rundown.Options{})
	run.Track.Fold(
		machine.Event{Seq: 6, Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Failed, Outcome: &plan.Outcome{Result: plan.Failed}}},
		machine.Event{Seq: 7, Step: "1", Body: &machine.RunFinished{Result: plan.Stopped}},
		machine.Event{Seq: 8, Body: &machine.DocumentReloaded{
			MatchedSteps: []machine.MatchedStep{{OldID: "1", NewID: "2"}, {OldID: "2"}}, Load: func() (*plan.Plan, error) { return after, nil },
		}})
	if text := runviewtest.PlainText((&summary.Dialog{}).View(run, 60, 20)); !strings.Contains(text, "path   1 ✗\n") {
		t.Error(text)
	}
}

// TestLongPath: only the last four lines of a long path show, so that the notices below stay in sight.
func TestLongPath(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Track.Fold(machine.Event{Seq: 6, Step: "1", Body: &machine.RunFinished{RunID: "7f3a", Result: plan.Completed, EnteredStepLabels: []string{"1"}}})
	one, two := track.EnteredStep{Label: "1", CurrentLabel: "1"}, track.EnteredStep{Label: "2", CurrentLabel: "2"}
	run.Track.EnteredSteps = append(slices.Repeat([]track.EnteredStep{one, two}, 40), one)
	text := runviewtest.PlainText((&summary.Dialog{}).View(run, 60, 20))
	path, _, _ := strings.Cut(text[strings.Index(text, "path"):], "\nsteps")
	if n := strings.Count(path, "\n") + 1; n != 4 || !strings.HasPrefix(path, "path   …") || !strings.HasSuffix(strings.TrimSpace(path), "1") {
		t.Errorf("%d lines\n%s", n, text)
	}
}
