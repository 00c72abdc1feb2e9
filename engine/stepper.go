package engine

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"playhead/engine/machine"
)

// Mode says how far a Session runs by itself.
type Mode int

const (
	// Continue runs until a person is needed or the run is over.
	Continue Mode = iota
	// StepOver pauses before the next step, but not in a document that the current one includes.
	StepOver
	// StepInto pauses before the next step, in included documents too.
	StepInto
	// StepOut pauses when the current group or included document is left.
	StepOut
	// Hold pauses before the next step.
	Hold
)

// stepper decides where the session pauses: before steps, and before decisions that have a breakpoint
// with :after.
type stepper struct {
	mode              Mode
	until             string
	breaks            []Breakpoint
	hits              map[string]int // hit counts, by the text of the breakpoint
	breakpoint        string         // the text of the breakpoint that paused the run; empty: none
	eventKey          string         // the event that holds was last called for
	isPaused          bool
	isFrozen          bool   // nothing happens until a person continues the run
	mayPass           bool   // the event at which the session is paused may happen
	depth             int    // the number of included documents that were open when the mode was set
	group             string // the prefix of the labels in the group that StepOut leaves, ending in a slash or dot
	client            string // the client that set the mode or the breakpoint that paused the run; empty: the owner's own
	breakpointsClient string // the client that set the breakpoints
}

// setMode sets a mode. If the session is paused before an event, that event may happen, unless the mode
// is Hold.
func (g *stepper) setMode(mode Mode, until, by string, m *machine.Machine) {
	g.mayPass = mode != Hold && (g.isPaused || m.IsArriving())
	g.mode, g.until, g.client, g.isPaused, g.isFrozen = mode, until, by, false, false
	g.depth, g.group = m.Depth(), groupPrefix(m.Position())
}

// pauseNow pauses the run where it is, because a client wants that.
func (g *stepper) pauseNow(by string) {
	*g = stepper{mode: g.mode, breaks: g.breaks, hits: g.hits, breakpointsClient: g.breakpointsClient, client: by, isFrozen: true, isPaused: true}
}

// allowDecision lets the next decision happen, even at a breakpoint, and pauses before the step to which it
// leads.
func (g *stepper) allowDecision(m *machine.Machine) {
	g.setMode(Hold, "", g.client, m)
	g.mayPass = true
}

// OwnScreen stands for the client that has no name: the owner's own screen.
const OwnScreen = "the run's own screen"

// pausedBy returns the client that has the run pause, now or before the next step; empty: none.
func (g *stepper) pausedBy() string {
	if g.isPaused || g.isFrozen || g.mode == Hold {
		return cmp.Or(g.client, OwnScreen)
	}
	return ""
}

// pausesBefore reports whether to pause before the event. It may be called several times for the same
// event.
func (g *stepper) pausesBefore(e machine.Event, m *machine.Machine) bool {
	at := fmt.Sprintf("%s %s %d", e.Body.Type(), e.Step, e.Attempt)
	if g.isPaused && g.eventKey == at {
		return true
	}
	g.eventKey, g.breakpoint = at, ""
	g.isPaused = !g.mayPass && (g.hitsBreakpoint(e, m) || g.endsMode(e, m))
	return g.isPaused
}

// hitsBreakpoint counts the hits of breakpoints at the event, and reports whether one pauses the
// run.
func (g *stepper) hitsBreakpoint(e machine.Event, m *machine.Machine) bool {
	holds := false
	for _, b := range g.breaks {
		if !b.matches(e, m) {
			continue
		}
		g.hits = maps.Clone(g.hits) // watchers may have the old map
		if g.hits == nil {
			g.hits = map[string]int{}
		}
		g.hits[b.String()]++
		if !b.Log && (b.Hit == 0 || b.Hit == g.hits[b.String()]) {
			holds, g.breakpoint, g.client = true, b.String(), g.breakpointsClient
		}
	}
	return holds
}

// logpoints returns the logpoints at the event.
func (g *stepper) logpoints(e machine.Event, m *machine.Machine) (out []Breakpoint) {
	for _, b := range g.breaks {
		if b.Log && b.matches(e, m) && (b.Hit == 0 || b.Hit == g.hits[b.String()]) {
			out = append(out, b)
		}
	}
	return out
}

// endsMode reports whether the mode, or the step to run to, ends before the event.
func (g *stepper) endsMode(e machine.Event, m *machine.Machine) bool {
	entered, ok := e.Body.(*machine.Entered)
	if !ok {
		return false
	}
	if g.until != "" && entersStep(g.until, e, entered, m.Depth()) {
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

// restorePause pauses a resumed run where it was left. The machine's own events follow each other
// immediately, so a run that was left before one of them was paused there. Headless runs and runs
// with --until continue instead.
func (s *Session) restorePause() {
	if !s.isAttended() || s.cfg.Until != "" {
		s.stepper.mayPass = leftWaiting(s.cfg.History) == machine.KindBreak
		return
	}
	if by := leftPausedBy(s.cfg.History); by != "" && leftWaiting(s.cfg.History) != machine.KindBreak {
		s.stepper.setMode(Hold, "", by, s.m)
	}
	next := s.m.Next().Event
	if next == nil {
		// A client acts before anything is performed, except for the reply at which the run was
		// left.
		if s.cfg.Controller != "" && s.m.Next().Effect != nil && leftWaiting(s.cfg.History) != machine.KindReply {
			s.stepper.pauseNow("")
		}
		return
	}
	if _, asks := next.Body.(*machine.InputNeeded); !asks && !s.stepper.pausesBefore(*next, s.m) {
		s.stepper.pauseNow(leftPausedBy(s.cfg.History))
	}
}

// leftPausedBy returns the client that had a run pause which was left so, empty for none that is known.
func leftPausedBy(history []machine.Event) string {
	if end, ok := history[len(history)-1].Body.(*machine.Finished); ok && end.Waiting != nil {
		return end.Waiting.By
	}
	return ""
}

// leftWaiting returns the kind of what a run was left waiting for, "" for nothing. A headless run
// that ended at a breakpoint or at its --until waits for a machine.KindBreak.
func leftWaiting(history []machine.Event) string {
	if end, ok := history[len(history)-1].Body.(*machine.Finished); ok && end.Waiting != nil {
		return end.Waiting.Kind
	}
	return ""
}

// eventPassed resets mayPass, because the event has happened.
func (g *stepper) eventPassed(e machine.Event) {
	g.eventKey = ""
	switch e.Body.(type) {
	case *machine.Entered, *machine.Decision:
		g.mayPass, g.isPaused = false, false
	}
}

// groupPrefix returns the prefix that the labels of a step's group share.
func groupPrefix(label string) string {
	i := strings.LastIndexAny(label, "./")
	return label[:i+1]
}
