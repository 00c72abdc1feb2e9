package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/near"
	"playhead/parse/plan"
)

// An intervention is one of the machine's own events, marked as a person's. These methods only make
// the event: the session records and applies it. An open effect has to be ended by its own event
// first. An intervention after the end of a run reopens it.

// JumpEvent returns the event that goes to a step. The target is a step ID of the current document, "/"
// and an ID of the root document, or the label prefix of an open document and an ID.
func (m *Machine) JumpEvent(target, note string) (Event, error) {
	up, id, err := m.findTarget(target)
	if err != nil {
		return Event{}, err
	}
	f := m.frames[len(m.frames)-1-up]
	return m.moveEvent(f, Destination{Kind: ToStep, StepID: id, DocumentsToLeave: up, ExemptFromEntryLimit: true}, note), nil
}

func (m *Machine) findTarget(target string) (up int, id string, err error) {
	last := len(m.frames) - 1
	if id, rooted := strings.CutPrefix(target, "/"); rooted && last >= 0 && m.frames[0].graph.byID[id] != nil {
		return last, id, nil
	}
	if last >= 0 && m.topFrame().graph.byID[target] != nil {
		return 0, target, nil
	}
	for up := range m.frames {
		f := m.frames[last-up]
		if id, below := strings.CutPrefix(target, f.labelPrefix); below && f.labelPrefix != "" && f.graph.byID[id] != nil {
			return up, id, nil
		}
	}
	var ids []string
	if last >= 0 {
		ids = m.topFrame().graph.plan.StepIDs()
	}
	return 0, "", fmt.Errorf("there is no step %q to go to: %s", target, near.Suggestion(target, ids))
}

// RetryEvent returns the event that runs the last step again: the same visit, with one more attempt.
func (m *Machine) RetryEvent(note string) (Event, error) {
	f, err := m.frameForIntervention()
	if err != nil {
		return Event{}, err
	}
	return m.moveEvent(f, Destination{Kind: ToStep, StepID: f.lastStepNode.step.ID, SameVisit: true, ExemptFromEntryLimit: true}, note), nil
}

// moveEvent returns the decision of a move that a person makes.
func (m *Machine) moveEvent(f *documentFrame, to Destination, note string) Event {
	e := m.eventHere(&Decision{Candidates: []Candidate{}, To: f.destinationLabel(to), ByPerson: true, Destination: to})
	e.By, e.Note = ByPerson, note
	return e
}

// OverrideEvent returns the event that gives the last step another outcome: passed, failed, or
// skipped. A skipped step records no values. A passed step assigns its withheld values, some of which
// the values in instead replace.
func (m *Machine) OverrideEvent(r plan.Result, note string, instead ...plan.Assignment) (Event, error) {
	f, err := m.frameForIntervention()
	if err != nil {
		return Event{}, err
	}
	o, set := f.overriddenOutcome(r)
	if r == plan.Passed {
		set = lastAssignments(set, instead)
	}
	o.OriginalResult, o.Result, o.Reason, o.UntakenBranches = o.Result, r, note, nil
	if r == plan.Failed {
		o = m.failedOutcome(f, o)
	}
	o.Source, o.Overridden = "person", true
	e := Event{
		Step: f.lastStepLabel, ExplicitStepID: idIfDifferent(f.lastStepNode.step.ID, f.lastStepLabel), Attempt: f.visitAttempt(f.lastStepLabel),
		By: ByPerson, Note: note, Body: &StepFinished{Result: stepResult(o), Overridden: true, Outcome: o, Assignments: set},
	}
	return e, nil
}

// overriddenOutcome returns the last step's outcome with another result, and the assignments that go with
// it: the step's own values if it passes now, else the values that the variables had before the step.
func (f *documentFrame) overriddenOutcome(r plan.Result) (*plan.Outcome, []plan.Assignment) {
	from, set := noOutcome, f.overrideValues.withheld
	switch end := f.openAction.heldEnd; {
	case end != nil:
		from, set = end.Outcome, end.Assignments
	case f.currentNode == f.lastStepNode:
		from = f.outcome
	}
	if r != plan.Passed {
		set = f.overrideValues.previousAssignments()
	}
	return &plan.Outcome{Result: from.Result, Text: from.Text, Data: from.Data, Checks: from.Checks}, set
}

// failedOutcome returns the last step's outcome if a person fails it. If the action's Judge treats a failed
// command as a failure, the Judge decides the outcome.
func (m *Machine) failedOutcome(f *documentFrame, o *plan.Outcome) *plan.Outcome {
	if f.currentNode != f.lastStepNode || !f.openAction.started {
		return o
	}
	a, _ := m.currentAction(f)
	d, ok := a.Judge.(plan.PersonJudge)
	if !ok {
		return o
	}
	v := d.Decide(false, o.Reason, m.scope(f))
	if v.Result != plan.Failed && v.Result != plan.Errored {
		return o
	}
	v.OriginalResult = o.OriginalResult
	return &v.Outcome
}

var errNotStarted = errors.New("the run has not started")

// SetVariableEvent returns the event that assigns a variable.
func (m *Machine) SetVariableEvent(name string, value any) (Event, error) {
	if !m.started {
		return Event{}, errNotStarted
	}
	e := m.eventHere(&VariableCaptured{Variable: name, Value: value})
	e.By = ByPerson
	return e, nil
}

// EditEvent returns the event that replaces the text of an action, for this run: a command, a prompt, or
// a tool's arguments. An empty text restores the document's own. The target is as for a jump.
func (m *Machine) EditEvent(target string, action int, text string) (Event, error) {
	if len(m.frames) == 0 {
		return Event{}, errNotStarted
	}
	up, id, err := m.findTarget(target)
	if err != nil {
		return Event{}, fmt.Errorf("cannot edit step %q now: the run is not in the document that contains it", target)
	}
	f := m.frames[len(m.frames)-1-up]
	n := f.graph.byID[id]
	if action < 0 || action >= len(n.step.Actions) {
		return Event{}, fmt.Errorf("step %q has no action %d to edit", target, action)
	}
	_, written := plan.EditablePromptOf(n.step.Actions[action].Work)
	return f.editEvent(n, &ActionEdited{ActionIndex: action, Text: text, FillsReferences: written}), nil
}

// KeptEditEvent returns the event that keeps an edit from before a rewind.
func (m *Machine) KeptEditEvent(old Event) (Event, error) {
	f := m.frameOfEdit(old)
	if f == nil {
		return Event{}, fmt.Errorf("the edit of step %s is lost: after the rewind, the run is not in the document that contains that step", old.Step)
	}
	edit := *old.Body.(*ActionEdited)
	edit.KeptAcrossRewind = true
	return f.editEvent(f.graph.byID[old.StepID()], &edit), nil
}

func (f *documentFrame) editEvent(n *node, b *ActionEdited) Event {
	label := f.labelOf(n, nil)
	return Event{Step: label, ExplicitStepID: idIfDifferent(n.step.ID, label), By: ByPerson, Body: b}
}

// frameOfEdit returns the innermost frame of the document that an edit belongs to, nil if the run
// is not in that document.
func (m *Machine) frameOfEdit(e Event) *documentFrame {
	for _, f := range slices.Backward(m.frames) {
		if n := f.graph.byID[e.StepID()]; n != nil && f.isLabelOf(n, e.Step) {
			return f
		}
	}
	return nil
}

// isLabelOf reports whether a label belongs to the step or to one of its instances.
func (f *documentFrame) isLabelOf(n *node, label string) bool {
	if n.fixedLabel != "" {
		return label == f.labelPrefix+n.fixedLabel
	}
	own, in := strings.CutPrefix(label, f.labelPrefix)
	return in && !strings.Contains(own, "/")
}

// ShellEvent returns the event of a shell that a person opens at a step, and the attempt that the shell
// belongs to: the next one if the run is about to enter the step, else the last one. The target is as
// for a jump.
func (m *Machine) ShellEvent(target string) (Event, ActionRef, error) {
	if !m.started {
		return Event{}, ActionRef{}, errNotStarted
	}
	up, id, err := m.findTarget(target)
	if err != nil {
		return Event{}, ActionRef{}, fmt.Errorf("cannot open a shell at step %q now: the run is not in the document that contains it", target)
	}
	if next := m.Next().Event; next != nil && up == 0 && next.StepID() == id && m.IsBetweenSteps() {
		m = m.Clone()
		if err := m.Apply(*next); err != nil {
			return Event{}, ActionRef{}, err
		}
	}
	f := m.frames[len(m.frames)-1-up]
	n := f.graph.byID[id]
	label := f.labelOf(n, nil)
	at := ActionRef{StepLabel: label, StepID: id, Attempt: f.visitAttempt(label), Instance: f.commandInstance(n)}
	return Event{Step: label, ExplicitStepID: idIfDifferent(id, label), Attempt: at.Attempt, By: ByPerson, Body: &ShellOpened{}}, at, nil
}

// EndEvent returns the event that ends the run. The result is completed or stopped if a person decides
// so, and cancelled or awaiting_input for a run that is left.
func (m *Machine) EndEvent(r plan.RunResult, message, by string) (Event, error) {
	if !m.started {
		return Event{}, errNotStarted
	}
	body := m.newRunFinished(r, message)
	body.ByPerson = by == ByPerson && r != plan.Awaiting
	e := m.eventHere(body)
	e.By = by
	return e, nil
}

// frameForIntervention returns the frame on whose last step an intervention acts.
func (m *Machine) frameForIntervention() (*documentFrame, error) {
	if len(m.frames) == 0 || m.topFrame().lastStepNode == nil {
		return nil, fmt.Errorf("no step has been entered yet")
	}
	return m.topFrame(), nil
}

// Result returns how the run ended, nil while it continues.
func (m *Machine) Result() *RunFinished { return m.result }

// IsBetweenSteps reports whether the run is between two steps: the decision is made, and the next step is
// not entered yet.
func (m *Machine) IsBetweenSteps() bool { return m.started && m.topFrame().phase == phaseArriving }

// WaitingFor describes the open question, nil if there is none.
func (m *Machine) WaitingFor() *Waiting {
	if !m.started {
		return nil
	}
	q := m.Next().Question
	if q == nil {
		return nil
	}
	return &Waiting{
		Step: q.Action.StepLabel, StepID: idIfDifferent(q.Action.StepID, q.Action.StepLabel), Attempt: q.Action.Attempt,
		Kind: q.Kind, Prompt: q.Prompt, StepText: m.StepText(), Options: q.Options,
	}
}

// EnteredStepLabels returns the labels of the steps entered, in order.
func (m *Machine) EnteredStepLabels() []string { return append([]string{}, m.enteredStepLabels...) }

// Position returns the label of the step or group at which the run is, "" before the first.
func (m *Machine) Position() string {
	if f := m.currentFrame(); f != nil {
		return f.currentLabel
	}
	return ""
}

// IncludeDepth returns the number of included documents that are open.
func (m *Machine) IncludeDepth() int { return max(0, len(m.frames)-1) }
