// Package machine is the deterministic core of a run. It has no clock, no goroutine and no I/O.
//
// Next returns what is needed next: one of the machine's own events, an effect to perform, a
// question for a person, or the result of the run. The caller records the event, or performs the
// effect and records its result, applies it, and asks again.
//
//	for {
//		next := m.Next()
//		switch {
//		case next.Event != nil:    record and Apply it
//		case next.Effect != nil:   perform it, record and Apply the event of its result
//		case next.Question != nil: wait, record and Apply the event of the answer
//		case next.Result != nil:   the run is over
//		}
//	}
//
// Next decides and changes nothing. Apply records and decides nothing: it calls no Judge and no
// Prompt. So every state is a fold of events, and newer code reads an old journal in the same way.
package machine

import (
	"fmt"
	"maps"
	"strings"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// Machine is a run of a document.
type Machine struct {
	plan        *plan.Plan // the version of the document that is in force
	options     Options
	graphByPlan map[*plan.Plan]*stepGraph // of the document and all it includes
	state
}

// FromEvents returns the machine after the events of a branch, nil if they do not fit the plan.
func FromEvents(p *plan.Plan, branch []Event) *Machine {
	if len(branch) == 0 {
		return nil
	}
	started, ok := branch[0].Body.(*RunStarted)
	if !ok {
		return nil
	}
	m := New(p, started.Options)
	for _, e := range branch {
		if m.Apply(e) != nil {
			return nil
		}
	}
	return m
}

// New returns a machine that has not started. The Plan must be runnable.
func New(p *plan.Plan, o Options) *Machine {
	m := &Machine{plan: p, options: o, graphByPlan: map[*plan.Plan]*stepGraph{}}
	m.buildGraphs(p)
	m.variables, m.setBySteps, m.violationByVariable = map[string]any{}, map[string]bool{}, map[string]string{}
	m.budgetsSpentInRun, m.latestAttemptIndexByLabel = map[string]int{}, map[string]int{}
	return m
}

// WaitingWhilePaused returns where a run is that is paused before its next event, or in a step if next is nil.
func (m *Machine) WaitingWhilePaused(next *Event) *Waiting {
	if next == nil {
		step := m.Position()
		return &Waiting{Step: step, Kind: KindPause, Prompt: "paused in " + step, StepText: m.StepText()}
	}
	decision, _ := next.Body.(*Decision)
	return &Waiting{
		Step: next.Step, StepID: next.ExplicitStepID, Attempt: next.Attempt, Kind: KindPause,
		Prompt: "paused " + next.PausePreposition() + " " + next.Step, StepText: m.StepTextBefore(*next),
		NextDecision: decision,
	}
}

// Plan returns the version of the document that is in force.
func (m *Machine) Plan() *plan.Plan { return m.plan }

// Next returns what is needed next. It is pure: call it as often as you like, and perform the
// result once.
func (m *Machine) Next() Next {
	switch {
	case !m.started:
		return nextEvent(Event{Body: &RunStarted{
			Format: m.plan.Format, DocumentPath: m.plan.Path, Title: m.plan.Title, Options: m.options,
		}})
	case m.result != nil:
		return Next{Result: m.result}
	}
	f := m.topFrame()
	if len(f.dueEvents) > 0 {
		return nextEvent(f.dueEvents[0])
	}
	switch f.phase {
	case phaseArriving:
		return m.enterStep(f, f.pendingDestination)
	case phaseActing:
		return m.nextOfActions(f)
	case phaseFinishing:
		return m.finishStep(f)
	case phaseRouting:
		return m.chooseRoute(f)
	default:
		return m.leaveDocument(f)
	}
}

// Clone returns a copy of the machine. Applying events to the clone does not change the original.
func (m *Machine) Clone() *Machine {
	c := *m
	c.state = m.state.clone()
	return &c
}

func nextEvent(e Event) Next { return Next{Event: &e} }

// newEvent returns an event about the frame's current step or group.
func (f *documentFrame) newEvent(body Body) Event {
	return Event{Step: f.currentLabel, ExplicitStepID: idIfDifferent(f.currentNode.step.ID, f.currentLabel), Attempt: f.currentVisit.attempt, Body: body}
}

// eventHere returns an event about the step or group at which the run is, or about none before the first step.
func (m *Machine) eventHere(body Body) Event {
	if f := m.currentFrame(); f != nil {
		return f.newEvent(body)
	}
	return Event{Body: body}
}

// eventWithBody holds an event and its body in one allocation, for the events that every executable step has.
type eventWithBody[B any] struct {
	event Event
	body  B
}

// nextEventWithBody is like nextEvent, for a body that is passed by value.
func nextEventWithBody[B any, P interface {
	*B
	Body
}](e Event, body B) Next {
	p := &eventWithBody[B]{e, body}
	p.event.Body = P(&p.body)
	return Next{Event: &p.event}
}

// idIfDifferent returns the ID if it differs from the label, else "".
func idIfDifferent(id, label string) string {
	if id == label {
		return ""
	}
	return id
}

// leaveDocument returns the event that ends the frame's document. The end of an included document belongs to
// the frame below.
func (m *Machine) leaveDocument(f *documentFrame) Next {
	fatal := f.documentEnd.Result == plan.RunFailed || f.documentEnd.Result == plan.Cancelled
	if len(m.frames) == 1 || fatal {
		body := m.newRunFinished(f.documentEnd.Result, f.documentEnd.Message)
		body.ErrorCode = f.documentEnd.ErrorCode
		if f.currentNode == nil {
			return nextEvent(Event{Body: body})
		}
		return nextEvent(f.newEvent(body))
	}
	below := m.frames[len(m.frames)-2]
	return nextEvent(below.newEvent(&ChildFinished{
		Document: f.documentPath, Label: f.documentLabel(), Result: f.documentEnd.Result, Message: f.documentEnd.Message,
	}))
}

func (m *Machine) newRunFinished(result plan.RunResult, message string) *RunFinished {
	f := &RunFinished{Result: result, Message: message, Variables: maps.Clone(m.variables), EnteredStepLabels: m.EnteredStepLabels()}
	if result == plan.Completed {
		f.Artifact, f.Warnings = m.finalArtifact()
	}
	if result == plan.RunFailed && m.plan.IsLinear {
		f.Skipped = m.frames[0].labelsAhead()
	}
	return f
}

// labelsAhead returns the labels of the executable steps after the last one entered.
func (f *documentFrame) labelsAhead() (labels []string) {
	for _, n := range f.graph.nodes[f.lastStepNode.index+1:] {
		if n.step.IsExecutable() {
			labels = append(labels, f.labelOf(n, nil))
		}
	}
	return labels
}

// endAtTransitionLimit returns the event that ends a run that would exceed its limit. The move is not made.
func (m *Machine) endAtTransitionLimit() Next {
	limit := m.plan.EntryLimit
	last := m.enteredStepLabels[max(0, len(m.enteredStepLabels)-5):]
	body := m.newRunFinished(plan.RunFailed, fmt.Sprintf("%s; last steps: %s", limit.Message, strings.Join(last, ", ")))
	body.ErrorCode = limit.Code
	return nextEvent(m.eventHere(body))
}

// ToolPlace returns the folders in which Playhead's own tools work.
func (o Options) ToolPlace() consent.ToolPlace {
	return consent.ToolPlace{ProjectRoot: o.ProjectRoot, RealProjectRoot: o.RealProjectRoot, WorkingDir: o.ToolDir}
}

// KnownFileHashes returns the hashes of the files that the run has read or changed, by path below the
// project root.
func (m *Machine) KnownFileHashes() map[string]string { return m.fileHashes }

// FindStep returns the step of the current document with the ID, nil if there is none.
func (m *Machine) FindStep(id string) *plan.Step {
	if n := m.topFrame().graph.byID[id]; n != nil {
		return n.step
	}
	return nil
}

// currentFrame returns the innermost frame that has entered a step: an included document that just
// began has not entered one. It is nil before the first step.
func (m *Machine) currentFrame() *documentFrame {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if m.frames[i].currentNode != nil {
			return m.frames[i]
		}
	}
	return nil
}
