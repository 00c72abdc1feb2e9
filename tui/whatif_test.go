package tui

import (
	"slices"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestWhatIf: a value is changed before a decision, and what would be decided shows as
// it is typed; nothing happens until the person says so.
func TestWhatIf(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *screen {
		sc := branched(t, w, h)
		sc.press("esc", "1", "g", "j", "w", "enter")
		for range 4 {
			sc.press("backspace")
		}
		sc.write("low")
		return sc
	})
}

func TestWhatIfDone(t *testing.T) {
	sc := branched(t, 120, 40)
	sc.press("esc", "1", "g", "j", "w")
	sc.want("WHAT IF at 2", "1 severity = high")
	sc.press("enter")
	sc.want("then 2 → 2b")
	sc.press("esc", "esc")
	sc.wantNot("WHAT IF")
	sc.press("k", "w", "2")
	sc.want("the outcome of 1", "then 1 → 2")
	sc.press("j")
	sc.want("then 1 → failed")
	sc.press("enter")
	if n := len(sc.s.instead); n != 1 || sc.s.instead[0].Result != plan.Failed {
		t.Fatalf("instead %v", sc.s.instead)
	}
	sc.press("1", "G", "w")
	sc.want("w asks what if of a step that has decided")
}

// TestWhatIfAfterGoingBack: the going back is shown among the events, and is no obstacle.
func TestWhatIfAfterGoingBack(t *testing.T) {
	sc := branched(t, 120, 40)
	back := machine.Event{Seq: 99, By: machine.ByPerson, Body: &machine.Rewound{To: 1}}
	all := slices.Insert(slices.Clone(sc.s.events), 1, back)
	sc.send(updateMsg{Events: all, Anew: true, Status: sc.s.status})
	sc.press("esc", "1", "g", "j", "w", "enter")
	sc.want("then 2 → 2b")
}
