package engine

import (
	"testing"

	"playhead/engine/machine"
)

// TestLeftoversIn: a fork does not list the processes that its source run left. A rewound run lists those from before
// and after the rewind.
func TestLeftoversIn(t *testing.T) {
	left := func(pid int) machine.Event {
		return machine.Event{Body: &machine.ActionFinished{Leftovers: []machine.LeftoverProcess{{PID: pid, StartTime: "1:2"}}}}
	}
	if all := LeftoversIn([]machine.Event{left(1), {Body: &machine.RunRewound{ToSeq: 1}}, left(2)}); len(all) != 2 {
		t.Errorf("%v", all)
	}
	if all := LeftoversIn([]machine.Event{left(1), {Body: &machine.RunForked{}}, left(2)}); len(all) != 1 || all[0].PID != 2 {
		t.Errorf("a fork has %v", all)
	}
}
