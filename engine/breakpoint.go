package engine

import (
	"fmt"
	"strings"

	"playhead/engine/machine"
)

// Breakpoint holds a run at a step: before it is entered, or after it has come to
// its outcome and before the route it leads to is taken.
type Breakpoint struct {
	Step  string // its id, or its label
	After bool
}

// ParseBreakpoint reads STEP or STEP:after.
func ParseBreakpoint(text string) (Breakpoint, error) {
	step, when, more := strings.Cut(text, ":")
	if step == "" || more && when != "after" {
		return Breakpoint{}, fmt.Errorf("%q is no breakpoint: it is STEP or STEP:after", text)
	}
	return Breakpoint{Step: step, After: more}, nil
}

// at reports whether the event is where the breakpoint holds.
func (b Breakpoint) at(e machine.Event, depth int) bool {
	switch body := e.Body.(type) {
	case *machine.Entered:
		return !b.After && entersStep(b.Step, e, body, depth)
	case *machine.Decision:
		return b.After && body.Outcome != nil && names(b.Step, e.Step, e.StepID(), depth)
	default:
		return false
	}
}

// entersStep reports whether the event enters a step; a group is entered with its
// first unit.
func entersStep(step string, e machine.Event, body *machine.Entered, depth int) bool {
	for _, o := range body.Opened {
		if names(step, o.Step, o.ID, depth) {
			return true
		}
	}
	return names(step, e.Step, e.StepID(), depth)
}

// names reports whether a step is meant: by its label, or in the root document by
// its id.
func names(step, label, id string, depth int) bool { return step == label || depth == 0 && step == id }
