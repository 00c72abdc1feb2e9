package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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
	// PauseNext pauses before the next step.
	PauseNext
)

// stepper decides where the session pauses: before steps, and before decisions that have a
// breakpoint with :after.
type stepper struct {
	mode              Mode
	untilStep         string
	breakpoints       []Breakpoint
	hitCounts         map[string]int // hit counts, by the text of the breakpoint
	hitBreakpoint     string         // the text of the breakpoint that paused the run; empty: none
	lastCheckedEvent  string         // the event that pauseIfDue was last called for
	isPaused          bool
	isPausedHere      bool   // nothing happens until a person continues the run
	mayPassEvent      bool   // the event at which the session is paused may happen
	startIncludeDepth int    // the number of included documents that were open when the mode was set
	stepOutPrefix     string // the prefix of the labels in the group that StepOut leaves, ending in a slash or dot
	pausingClient     string // the client that set the mode or the breakpoint that paused the run; empty: the owner's own
}

// setMode sets a mode. If the session is paused before an event, that event may happen, unless the
// mode is PauseNext.
func (s *stepper) setMode(mode Mode, until, by string, m *machine.Machine) {
	s.mayPassEvent = mode != PauseNext && (s.isPaused || m.IsBetweenSteps())
	s.mode, s.untilStep, s.pausingClient, s.isPaused, s.isPausedHere = mode, until, by, false, false
	s.startIncludeDepth, s.stepOutPrefix = m.IncludeDepth(), groupPrefix(m.Position())
}

// setBreakpoints replaces the breakpoints on behalf of a client.
func (s *stepper) setBreakpoints(all []Breakpoint, by string) {
	before := s.breakpoints
	s.breakpoints = slices.Clone(all) // the caller keeps all
	for i, b := range all {
		s.breakpoints[i].client = by
		if old := slices.IndexFunc(before, func(old Breakpoint) bool { return old.String() == b.String() }); old >= 0 {
			s.breakpoints[i].client = before[old].client
		}
	}
}

// pauseHere pauses the run where it is, on behalf of a client.
func (s *stepper) pauseHere(by string) {
	*s = stepper{mode: s.mode, breakpoints: s.breakpoints, hitCounts: s.hitCounts, pausingClient: by, isPausedHere: true, isPaused: true}
}

// allowDecision lets the next decision happen, even at a breakpoint, and pauses before the step to
// which it leads.
func (s *stepper) allowDecision(m *machine.Machine) {
	s.setMode(PauseNext, "", s.pausingClient, m)
	s.mayPassEvent = true
}

// OwnScreen stands for the client that has no name: the owner's own screen.
const OwnScreen = "the run's own screen"

// pausedBy returns the client that has the run pause, now or before the next step; empty: none.
func (s *stepper) pausedBy() string {
	if s.isPaused || s.isPausedHere || s.mode == PauseNext {
		return cmp.Or(s.pausingClient, OwnScreen)
	}
	return ""
}

// pauseIfDue reports whether to pause before the event. It may be called several times for the same
// event.
func (s *stepper) pauseIfDue(e machine.Event, m *machine.Machine) bool {
	at := fmt.Sprintf("%s %s %d", e.Body.Type(), e.Step, e.Attempt)
	if s.isPaused && s.lastCheckedEvent == at {
		return true
	}
	s.lastCheckedEvent, s.hitBreakpoint = at, ""
	s.isPaused = !s.mayPassEvent && (s.countHits(e, m) || s.endsMode(e, m))
	return s.isPaused
}

// countHits counts the hits of breakpoints at the event, and reports whether one pauses the
// run.
func (s *stepper) countHits(e machine.Event, m *machine.Machine) bool {
	pauses := false
	for _, b := range s.breakpoints {
		if !b.matches(e, m) {
			continue
		}
		s.hitCounts = maps.Clone(s.hitCounts) // watchers may have the old map
		if s.hitCounts == nil {
			s.hitCounts = map[string]int{}
		}
		s.hitCounts[b.String()]++
		if !b.IsLogpoint && (b.NthHit == 0 || b.NthHit == s.hitCounts[b.String()]) {
			if !pauses || pausePrecedence(b.client) >= pausePrecedence(s.pausingClient) {
				s.hitBreakpoint, s.pausingClient = b.String(), b.client
			}
			pauses = true
		}
	}
	return pauses
}

// AgentNamePrefix begins the names of the clients that are agents.
const AgentNamePrefix = "playhead mcp"

// pausePrecedence orders clients whose breakpoints pause the run at once. The highest is the one that pauses it, because
// an agent must not continue past the breakpoint of a person. The owner's own screen may be an agent's process.
func pausePrecedence(client string) int {
	switch {
	case strings.HasPrefix(client, AgentNamePrefix):
		return 0
	case client == "":
		return 1
	}
	return 2
}

// logpointsHit returns the logpoints that the event hits.
func (s *stepper) logpointsHit(e machine.Event, m *machine.Machine) (out []Breakpoint) {
	for _, b := range s.breakpoints {
		if b.IsLogpoint && b.matches(e, m) && (b.NthHit == 0 || b.NthHit == s.hitCounts[b.String()]) {
			out = append(out, b)
		}
	}
	return out
}

// endsMode reports whether the mode, or the step to run to, ends before the event.
func (s *stepper) endsMode(e machine.Event, m *machine.Machine) bool {
	entered, ok := e.Body.(*machine.StepEntered)
	if !ok {
		return false
	}
	if s.untilStep != "" && entersStep(s.untilStep, e, entered, m.IncludeDepth()) {
		return true
	}
	switch s.mode {
	case StepInto, PauseNext:
		return true
	case StepOver:
		return m.IncludeDepth() <= s.startIncludeDepth
	case StepOut:
		return m.IncludeDepth() < s.startIncludeDepth || s.stepOutPrefix != "" && !strings.HasPrefix(e.Step, s.stepOutPrefix)
	default:
		return false
	}
}

// restorePause pauses a resumed run where it was left. The machine's own events follow each other
// immediately, so a run that was left before one of them was paused there. Headless runs and runs
// with --until continue instead.
func (s *Session) restorePause() {
	left := waitingWhenLeft(s.config.History)
	if !s.isAttended() || s.config.UntilStep != "" {
		s.stepper.mayPassEvent = left.Kind == machine.KindPause
		return
	}
	if left.Client != "" && left.Kind != machine.KindPause {
		s.stepper.setMode(PauseNext, "", left.Client, s.machine)
	}
	next := s.machine.Next().Event
	if next == nil {
		// A client acts before anything is performed, except for the reply at which the run was
		// left.
		if s.config.Controller != "" && s.machine.Next().Effect != nil && left.Kind != machine.KindReply {
			s.stepper.pauseHere("")
		}
		return
	}
	if _, asks := next.Body.(*machine.InputNeeded); !asks && !s.stepper.pauseIfDue(*next, s.machine) {
		s.stepper.pauseHere(left.Client)
	}
}

// waitingWhenLeft returns what a run was left waiting for, the zero value for nothing. A headless run
// that ended at a breakpoint or at its --until waits because it is paused.
func waitingWhenLeft(history []machine.Event) machine.Waiting {
	if end, ok := history[len(history)-1].Body.(*machine.RunFinished); ok && end.WaitingFor != nil {
		return *end.WaitingFor
	}
	return machine.Waiting{}
}

// noteEventPassed notes that an event has happened, so the run may pause before the next one.
func (s *stepper) noteEventPassed(e machine.Event) {
	s.lastCheckedEvent = ""
	switch e.Body.(type) {
	case *machine.StepEntered, *machine.Decision:
		s.mayPassEvent, s.isPaused = false, false
	}
}

// groupPrefix returns the prefix that the labels of a step's group share.
func groupPrefix(label string) string {
	i := strings.LastIndexAny(label, "./")
	return label[:i+1]
}
