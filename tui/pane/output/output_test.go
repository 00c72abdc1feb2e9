package output

import (
	"testing"

	"playhead/engine/track"
	"playhead/tui/runview"
)

// TestCallsOfAStepThatWasLeft: where a row without output is selected nothing of the step
// that was looked at before stays behind.
func TestCallsOfAStepThatWasLeft(t *testing.T) {
	p := New()
	p.calls.all = []*track.Action{{Kind: "model"}, {Kind: "tool"}}
	p.Sync(&runview.Run{}, false, nil)
	if !p.IsEmpty() {
		t.Error("its calls are still listed")
	}
}
