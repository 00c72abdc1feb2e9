package tui

import (
	"testing"

	"playhead/engine/track"
)

// TestTimeline: the event that is selected in the history is the moment that the
// whole screen shows; esc goes back to now, enter goes on from there.
func TestTimeline(t *testing.T) {
	sc := branched(t, 120, 40)
	sc.press("esc", "t", "4")
	sc.want("HISTORY", "› ")
	for range 6 {
		sc.press("up")
	}
	sc.want("as of event")
	if sc.m.track == sc.m.live {
		t.Fatal("shows the present")
	}
	sc.press("g")
	if r := sc.m.track.Row("1"); r.Status != track.Pending {
		t.Errorf("before anything happened 1 is %s", r.Status)
	}
	sc.press("p")
	sc.want("This is how the run was: esc goes back to now.")
	sc.press("enter")
	sc.want("Go back to event 1?", "No command and no tool has run since.")
	sc.press("y")
	if len(sc.s.rewound) != 1 || sc.s.rewound[0] != 1 {
		t.Errorf("rewound %v", sc.s.rewound)
	}
	sc.press("t", "t", "4", "up", "esc")
	sc.wantNot("as of event")
}

// TestLookingBackKeepsFolds: what was folded stays so, and what happens meanwhile is
// there when the person comes back.
func TestLookingBackKeepsFolds(t *testing.T) {
	sc := branched(t, 120, 40)
	sc.press("esc", "1", "g", "j", "j", "h", "t", "4", "up", "up")
	sc.want("▸ if severity", "as of event")
	sc.press("a")
	sc.want("This is how the run was")
	sc.press("esc", "a")
	sc.write("Bo")
	sc.press("enter")
	sc.want("▸ if severity")
	sc.wantNot("as of event")
}
