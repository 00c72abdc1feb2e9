package runview_test

import (
	"testing"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestStatusText: an entered step is not called running while the run is paused, such as after a rewind into the step.
// A waiting step waits for "you" only if this screen controls the run.
func TestStatusText(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	row := &track.Row{Step: &plan.Step{ID: "2", Actions: []plan.Action{{}}}, Status: track.Running}
	for state, want := range map[engine.State]string{engine.Paused: "paused", engine.Running: "running"} {
		run.Status.State = state
		if got := run.StatusText(row); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
	run.Status.State = engine.Paused
	if run.ShownTrack = track.New(run.Plan); run.StatusText(row) != "running" {
		t.Errorf("at an earlier moment: %q", run.StatusText(row))
	}
	row.Status = track.Waiting
	for reason, want := range map[control.Sentence]string{"": "waits for you", "another screen controls the run": "waits for a person"} {
		run.ShownTrack, run.WatchOnlyReason = run.Track, reason
		if got := run.StatusText(row); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

// TestStatusTextOfPromptText: the status of a text for prompts is its title note, not the status of a step that only
// routes enter.
func TestStatusTextOfPromptText(t *testing.T) {
	row := &track.Row{Step: &plan.Step{ID: "section.style", IsTargetOnly: true, IsPromptText: true, TitleNote: "used in prompts"}}
	if got, want := runviewtest.New(t, keymap.Map{}).StatusText(row), "used in prompts"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
