package comparisonview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/compare"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestRunThatWaitsIsNoFailure: a run that waits for a person has the sign of waiting, not of a failure.
func TestRunThatWaitsIsNoFailure(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	if got := ansi.Strip(runHeaderLine(dc, compare.Run{ID: "07b3", Result: plan.Awaiting}, "today", 40)); got != "07b3 today ? waiting" {
		t.Errorf("%q", got)
	}
}

// TestPausedRunDoesNotWait: a run that was quit at a pause is called paused, as in the list of runs.
func TestPausedRunDoesNotWait(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	run := compare.Run{ID: "07b3", Result: plan.Awaiting, Track: track.New(&plan.Plan{})}
	run.Track.Finished = &machine.RunFinished{Result: plan.Awaiting, WaitingFor: &machine.Waiting{Kind: machine.KindPause}}
	if got := ansi.Strip(runHeaderLine(dc, run, "today", 40)); got != "07b3 today ‖ paused" {
		t.Errorf("%q", got)
	}
}

// TestOpenRunIsAtNextStep: a run that is not over is shown at the step that it enters next, also after a jump.
func TestOpenRunIsAtNextStep(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	run := compare.Run{ID: "07b3", Track: track.New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}, {ID: "Rollback"}}})}
	run.Track.Fold(
		machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.Decision{To: "Rollback", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "Rollback"}}},
	)
	if got := ansi.Strip(runHeaderLine(dc, run, "this run", 60)); got != "07b3 this run · not over, at Rollback" {
		t.Errorf("%q", got)
	}
}

// TestUnmatchedAttemptShowsEdits: an attempt that only one run has shows the text of each edit before and after.
func TestUnmatchedAttemptShowsEdits(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	attempt := &compare.Attempt{Step: "1", Edits: []compare.Edit{{Before: "send", After: "send --all"}}}
	got := unmatchedAttemptLines(dc, compare.Run{ID: "07b3", Track: track.New(&plan.Plan{})}, attempt, 60)
	if text := ansi.Strip(strings.Join(got, "\n")); !strings.HasSuffix(text, "\nedit  send → send --all") {
		t.Error(text)
	}
}

// TestResultOfTool: the result of a tool shows as text, and the result of a run shows with its sign.
func TestResultOfTool(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	v := View{comparison: &compare.Comparison{
		A: compare.Run{ID: "07b3", Track: track.New(&plan.Plan{})}, B: compare.Run{ID: "9b20", Track: track.New(&plan.Plan{})},
		Pairs:          []compare.AttemptPair{{A: &compare.Attempt{Step: "1"}, B: &compare.Attempt{Step: "1"}, Differences: []compare.Difference{{Aspect: "result", A: "3 open", B: "none"}}}},
		EndDifferences: []compare.Difference{{Aspect: "result", A: "completed", B: "stopped"}},
	}}
	if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(v.pairLines(dc, 0, 60), " "))), " "); got != "result - 3 open + none" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(strings.Fields(ansi.Strip(strings.Join(v.endingLines(dc, 60), " "))), " "); !strings.HasSuffix(got, "result - ✓ completed + ✗ stopped") {
		t.Errorf("%q", got)
	}
}
