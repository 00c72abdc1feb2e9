package engine

import (
	"strings"

	"playhead/engine/machine"
)

// Mode says how far a Session goes by itself.
type Mode int

const (
	// Continue runs until a person is needed or the run is over.
	Continue Mode = iota
	// StepOver pauses before the next unit that is not in a document which the
	// current one includes.
	StepOver
	// StepInto pauses before the next unit, in included documents too.
	StepInto
	// StepOut pauses when the current group or included document is left.
	StepOut
	// Hold pauses before whatever unit is next.
	Hold
)

// gate decides before which units the session pauses.
type gate struct {
	mode    Mode
	until   string
	claimed bool   // the unit that it is paused before may be entered
	depth   int    // included documents that were open when the mode was set
	group   string // the label of the group that StepOut leaves, with a slash or dot behind it
}

// open sets a mode and claims the unit that the session is paused before.
func (g *gate) open(mode Mode, until string, m *machine.Machine) {
	*g = gate{mode: mode, until: until, claimed: mode != Hold && m.Arriving(), depth: m.Depth(), group: around(m.Position())}
}

// holds reports whether to pause before the event.
func (g *gate) holds(e machine.Event, m *machine.Machine) bool {
	if _, unit := e.Body.(*machine.Entered); !unit || g.claimed {
		return false
	}
	if g.until != "" && g.reached(e, m.Depth()) {
		return true
	}
	switch g.mode {
	case StepInto, Hold:
		return true
	case StepOver:
		return m.Depth() <= g.depth
	case StepOut:
		return m.Depth() < g.depth || g.group != "" && !strings.HasPrefix(e.Step, g.group)
	default:
		return false
	}
}

// reached reports whether the event enters the step to run to: by its label, or in
// the root document by its id; a group is entered with its first unit.
func (g *gate) reached(e machine.Event, depth int) bool {
	is := func(label, id string) bool { return g.until == label || depth == 0 && g.until == id }
	for _, o := range e.Body.(*machine.Entered).Opened {
		if is(o.Step, o.ID) {
			return true
		}
	}
	return is(e.Step, e.StepID())
}

// stoppedBefore reports whether a run was left at a step that it had run to.
func stoppedBefore(history []machine.Event) bool {
	end, ok := history[len(history)-1].Body.(*machine.Finished)
	return ok && end.Waiting != nil && end.Waiting.Kind == machine.KindBreak
}

// passed takes note that a unit was entered.
func (g *gate) passed(e machine.Event) {
	if _, unit := e.Body.(*machine.Entered); unit {
		g.claimed = false
	}
}

// around is the prefix that the labels of a unit's group share.
func around(label string) string {
	i := strings.LastIndexAny(label, "./")
	return label[:i+1]
}
