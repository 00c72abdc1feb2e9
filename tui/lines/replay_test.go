package lines

import (
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/replay"
	"playhead/parse/plan"
)

// TestReplayTakesLinesAsCommands: while a recorded command plays, a typed line is a command of the replay, because no
// session can take it as input.
func TestReplayTakesLinesAsCommands(t *testing.T) {
	var out strings.Builder
	player := replay.New(replay.NewRecording(nil, time.Second), nil)
	l := New(Config{Plan: &plan.Plan{}, Player: player, Out: &out, In: strings.NewReader("")})
	l.watcher = player.WatchFromStart()
	l.status.State, l.runningLogName = engine.Running, "1.log"
	l.receiveKeys([]byte("speed 2\n"), true)
	l.handleTypedLines()
	if want := "the replay speed is 2×"; !strings.Contains(out.String(), want) {
		t.Errorf("the replay prints %q, want %q", out.String(), want)
	}
}
