package machine_test

import (
	"encoding/json"
	"testing"

	"playhead/engine/machine"
)

// TestTakenOutOfRange: an index in a journal that belongs to no candidate means that no candidate was taken.
func TestTakenOutOfRange(t *testing.T) {
	for _, taken := range []string{"-1", "1", "null"} {
		var e machine.Event
		if err := json.Unmarshal([]byte(`{"type":"routed","candidates":[{"text":"FAIL: STOP","depth":1}],"taken":`+taken+`}`), &e); err != nil {
			t.Fatal(err)
		}
		d := e.Body.(*machine.Decision)
		if d.FollowsUsedLimit() || d.TakenCandidate() != nil || len(d.Candidates) != 1 {
			t.Errorf("taken %s: %+v", taken, d.TakenCandidate())
		}
	}
	if (*machine.Decision)(nil).TakenCandidate() != nil {
		t.Error("a missing decision took a candidate")
	}
}
