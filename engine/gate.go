package engine

import (
	"fmt"
	"maps"
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

// gate decides at which of the machine's events the session pauses: before units,
// and before the decisions of those that a breakpoint holds after.
type gate struct {
	mode       Mode
	until      string
	breaks     []Breakpoint
	hits       map[string]int // how often breakpoints were come to, by their text
	breakpoint string         // the breakpoint that holds it, as text; empty: none does
	eventKey   string         // what holds was last asked about
	isPaused   bool           // it is paused
	isFrozen   bool           // whatever comes next waits for a person's word
	mayPass    bool           // what it was paused before may happen
	depth      int            // included documents that were open when the mode was set
	group      string         // the label of the group that StepOut leaves, with a slash or dot behind it
}

// open sets a mode and claims what the session is paused before.
func (g *gate) open(mode Mode, until string, m *machine.Machine) {
	g.mayPass = mode != Hold && (g.isPaused || m.Arriving())
	g.mode, g.until, g.isPaused, g.isFrozen = mode, until, false, false
	g.depth, g.group = m.Depth(), groupPrefix(m.Position())
}

// freeze holds the run where it stands.
func (g *gate) freeze() {
	*g = gate{mode: g.mode, breaks: g.breaks, hits: g.hits, isFrozen: true, isPaused: true}
}

// holds reports whether to pause before the event. While it does it may be asked
// again.
func (g *gate) holds(e machine.Event, m *machine.Machine) bool {
	at := fmt.Sprintf("%s %s %d", e.Body.Type(), e.Step, e.Attempt)
	if g.isPaused && g.eventKey == at {
		return true
	}
	g.eventKey, g.breakpoint = at, ""
	g.isPaused = !g.mayPass && (g.hitsBreakpoint(e, m) || g.endsMode(e, m))
	return g.isPaused
}

// hitsBreakpoint counts the breakpoints that the event comes to, and reports whether one holds.
func (g *gate) hitsBreakpoint(e machine.Event, m *machine.Machine) bool {
	holds := false
	for _, b := range g.breaks {
		if !b.matches(e, m) {
			continue
		}
		g.hits = maps.Clone(g.hits) // the one that is there may be shown
		if g.hits == nil {
			g.hits = map[string]int{}
		}
		g.hits[b.String()]++
		if !b.Log && (b.Hit == 0 || b.Hit == g.hits[b.String()]) {
			holds, g.breakpoint = true, b.String()
		}
	}
	return holds
}

// logpoints are the breakpoints at the event that only leave a line.
func (g *gate) logpoints(e machine.Event, m *machine.Machine) (out []Breakpoint) {
	for _, b := range g.breaks {
		if b.Log && b.matches(e, m) && (b.Hit == 0 || b.Hit == g.hits[b.String()]) {
			out = append(out, b)
		}
	}
	return out
}

// endsMode reports whether the mode, or the step to run to, ends before the event.
func (g *gate) endsMode(e machine.Event, m *machine.Machine) bool {
	unit, ok := e.Body.(*machine.Entered)
	if !ok {
		return false
	}
	if g.until != "" && entersStep(g.until, e, unit, m.Depth()) {
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

// restorePause pauses a resumed run where it was left. What the machine does
// by itself follows at once, unless the run is held: so one that was left before that was
// held there. It goes on from there where nobody is there to say so, and where somebody has
// said how far.
func (s *Session) restorePause() {
	if s.cfg.Headless || s.cfg.Until != "" {
		s.gate.mayPass = endedAtBreakpoint(s.cfg.History)
		return
	}
	next := s.m.Next().Event
	if next == nil {
		return
	}
	if _, asks := next.Body.(*machine.InputNeeded); !asks && !s.gate.holds(*next, s.m) {
		s.gate.freeze()
	}
}

// endedAtBreakpoint reports whether a run was left at a step that it had run to.
func endedAtBreakpoint(history []machine.Event) bool {
	end, ok := history[len(history)-1].Body.(*machine.Finished)
	return ok && end.Waiting != nil && end.Waiting.Kind == machine.KindBreak
}

// eventPassed takes note that what was claimed has happened.
func (g *gate) eventPassed(e machine.Event) {
	g.eventKey = ""
	switch e.Body.(type) {
	case *machine.Entered, *machine.Decision:
		g.mayPass, g.isPaused = false, false
	}
}

// groupPrefix is the prefix that the labels of a unit's group share.
func groupPrefix(label string) string {
	i := strings.LastIndexAny(label, "./")
	return label[:i+1]
}
