package machine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/machine"
)

// seqs are the numbers of events.
func seqs(events []machine.Event) []int {
	out := []int{}
	for _, e := range events {
		out = append(out, e.Seq)
	}
	return out
}

// TestChain: whatever is done, rewound, undone and redone, the live branch is the one
// that a stack of branches has; undo and then redo change nothing (plan.md §6).
func TestChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []machine.Event
		var live []int
		branches := map[int][]int{} // by the number of their last event
		line := func(body machine.Body, by string) int {
			all = append(all, machine.Event{Seq: len(all) + 1, By: by, Body: body})
			return len(all)
		}
		back := func(to int, redo bool) {
			line(&machine.Rewound{To: to, Redo: redo}, machine.ByPerson)
			live = slices.Clone(branches[to])
		}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			switch op := rapid.IntRange(0, 5).Draw(t, "op"); {
			case op == 0 && len(branches) > 0:
				ends := []int{}
				for end := range branches {
					ends = append(ends, end)
				}
				slices.Sort(ends)
				back(rapid.SampledFrom(ends).Draw(t, "to"), false)
			case op == 1 && machine.Undo(all) > 0:
				was := slices.Clone(live)
				back(machine.Undo(all), false)
				to := machine.Redo(all)
				if !slices.Equal(branches[to], was) {
					t.Fatalf("redo goes to %v, undone was %v", branches[to], was)
				}
				if rapid.Bool().Draw(t, "redo") {
					back(to, true)
				}
			default:
				by := rapid.SampledFrom([]string{"", machine.ByPerson}).Draw(t, "by")
				live = append(slices.Clip(live), line(&machine.Captured{Variable: "x"}, by))
				branches[live[len(live)-1]] = slices.Clone(live)
			}
			if got := seqs(machine.Chain(all)); !slices.Equal(got, live) && len(got)+len(live) > 0 {
				t.Fatalf("the chain is %v, not %v", got, live)
			}
		}
	})
}
