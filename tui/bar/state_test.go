package bar

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestReplayMark: if there is room, the state says "replay" while the recording plays, at its end and at an earlier
// event.
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

// TestReplayPosition: the position in a recording and its length both count the time between quitting and resuming the
// run.
func TestReplayPosition(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	resumed := machine.Event{Seq: 6, Time: run.Events[0].Time.Add(time.Hour), Body: &machine.RunResumed{}}
	run.Player = replay.New(replay.NewRecording(append(run.Events, resumed), 0), nil)
	run.ShownTrack.Fold(resumed)
	run.ShownTime = resumed.Time
	if got, want := ansi.Strip(runStateText(run, 80)), "‖ replay 1h00/1h00"; got != want {
		t.Errorf("the state at the end of a recording is %q, want %q", got, want)
	}
}
