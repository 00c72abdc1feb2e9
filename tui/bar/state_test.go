package bar

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestReplayMark: the state says that it is a replay while it plays, at its end and at an earlier moment.
func TestReplayMark(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Player, run.IsReplay = replay.New(replay.NewRecording(run.Events, 0), nil), true
	wants := func(width int, want string) {
		t.Helper()
		if got := ansi.Strip(runStateText(run, width)); got != want {
			t.Errorf("the state of a replay is %q, want %q", got, want)
		}
	}
	wants(80, "‖ replay 00:00/00:04")
	run.ShownTrack, run.ShownEventIndex = track.New(run.Plan), 1
	wants(80, "replay · as of event 2 of 5")
	wants(60, "as of event 2 of 5")
	run.ShownTrack = run.Track
	run.ShownTrack.Fold(machine.Event{Seq: 6, Time: run.Now, Body: &machine.RunFinished{Result: plan.Stopped}})
	wants(80, "replay · ✗ stopped")
	wants(60, "replay · ✗ stopped")
}
