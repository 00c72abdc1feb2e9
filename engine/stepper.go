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

// stepper decides where the session pauses: before steps, and before decisions that have a
// breakpoint with :after.
type stepper struct {
	mode              Mode
	until             string
	breaks            []Breakpoint
	hits              map[string]int // hit counts, by the text of the breakpoint
	breakpoint        string         // the text of the breakpoint that paused the run; empty: none
	eventKey          string         // the event that pausesBefore was last called for
	isPaused          bool
	isFrozen          bool   // nothing happens until a person continues the run
	mayPass           bool   // the event at which the session is paused may happen
	depth             int    // the number of included documents that were open when the mode was set
	group             string // the prefix of the labels in the group that StepOut leaves, ending in a slash or dot
	client            string // the client that set the mode or the breakpoint that paused the run; empty: the owner's own
	breakpointsClient string // the client that set the breakpoints
}

// setMode sets a mode. If the session is paused before an event, that event may happen, unless the
// mode is Hold.
func (s *stepper) setMode(mode Mode, until, by string, m *machine.Machine) {
	s.mayPass = mode != Hold && (s.isPaused || m.IsArriving())
	s.mode, s.until, s.client, s.isPaused, s.isFrozen = mode, until, by, false, false
	s.depth, s.group = m.Depth(), groupPrefix(m.Position())
}

// pauseNow pauses the run where it is, because a client wants that.
func (s *stepper) pauseNow(by string) {
	*s = stepper{mode: s.mode, breaks: s.breaks, hits: s.hits, breakpointsClient: s.breakpointsClient, client: by, isFrozen: true, isPaused: true}
}

// allowDecision lets the next decision happen, even at a breakpoint, and pauses before the step to
// which it leads.
func (s *stepper) allowDecision(m *machine.Machine) {
	s.setMode(Hold, "", s.client, m)
	s.mayPass = true
}

// OwnScreen stands for the client that has no name: the owner's own screen.
const OwnScreen = "the run's own screen"

// pausedBy returns the client that has the run pause, now or before the next step; empty: none.
func (s *stepper) pausedBy() string {
	if s.isPaused || s.isFrozen || s.mode == Hold {
		return cmp.Or(s.client, OwnScreen)
	}
	return ""
}

// pausesBefore reports whether to pause before the event. It may be called several times for the same
// event.
func (s *stepper) pausesBefore(e machine.Event, m *machine.Machine) bool {
	at := fmt.Sprintf("%s %s %d", e.Body.Type(), e.Step, e.Attempt)
	if s.isPaused && s.eventKey == at {
		return true
	}
	s.eventKey, s.breakpoint = at, ""
	s.isPaused = !s.mayPass && (s.hitsBreakpoint(e, m) || s.endsMode(e, m))
	return s.isPaused
}

// hitsBreakpoint counts the hits of breakpoints at the event, and reports whether one pauses the
// run.
func (s *stepper) hitsBreakpoint(e machine.Event, m *machine.Machine) bool {
	pauses := false
	for _, b := range s.breaks {
		if !b.matches(e, m) {
			continue
		}
		s.hits = maps.Clone(s.hits) // watchers may have the old map
		if s.hits == nil {
			s.hits = map[string]int{}
		}
		s.hits[b.String()]++
		if !b.Log && (b.Hit == 0 || b.Hit == s.hits[b.String()]) {
			pauses, s.breakpoint, s.client = true, b.String(), s.breakpointsClient
		}
	}
	return pauses
}

// logpoints returns the logpoints at the event.
func (s *stepper) logpoints(e machine.Event, m *machine.Machine) (out []Breakpoint) {
	for _, b := range s.breaks {
		if b.Log && b.matches(e, m) && (b.Hit == 0 || b.Hit == s.hits[b.String()]) {
			out = append(out, b)
		}
	}
	return out
}

// endsMode reports whether the mode, or the step to run to, ends before the event.
func (s *stepper) endsMode(e machine.Event, m *machine.Machine) bool {
	entered, ok := e.Body.(*machine.Entered)
	if !ok {
		return false
	}
	if s.until != "" && entersStep(s.until, e, entered, m.Depth()) {
		return true
	}
	switch s.mode {
	case StepInto, Hold:
		return true
	case StepOver:
		return m.Depth() <= s.depth
	case StepOut:
		return m.Depth() < s.depth || s.group != "" && !strings.HasPrefix(e.Step, s.group)
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
func (s *stepper) eventPassed(e machine.Event) {
	s.eventKey = ""
	switch e.Body.(type) {
	case *machine.Entered, *machine.Decision:
		s.mayPass, s.isPaused = false, false
	}
}

// groupPrefix returns the prefix that the labels of a step's group share.
func groupPrefix(label string) string {
	i := strings.LastIndexAny(label, "./")
	return label[:i+1]
}
