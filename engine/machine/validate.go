package machine

import (
	"fmt"

	"playhead/parse/plan"
)

// checkEvent returns an error for an event that cannot happen now.
func (m *Machine) checkEvent(e Event) error {
	if _, start := e.Body.(*RunStarted); start == m.started {
		return impossibleEventError(e, ": the run has "+startedText(m.started))
	}
	if !m.started {
		return nil
	}
	f := m.topFrame()
	switch b := e.Body.(type) {
	case *StepEntered:
		return f.checkStepExists(e, e.StepID())
	case *ActionEdited:
		return m.checkEdit(e)
	case *LimitsUsed:
		return f.checkEntered(e)
	case *DocumentReloaded:
		return m.checkReloaded(e, b)
	case *RunRewound:
		return impossibleEventError(e, "")
	case *Decision:
		return m.checkDecision(e, b)
	case *WarningRecorded:
		if b.Document != "" {
			return f.checkEntered(e)
		}
	case *ActionStarted:
		return f.checkActionExists(e, b.ActionIndex)
	case *ActionFinished:
		return f.checkActionEnd(e, b)
	case *FileChanging:
		return f.checkActionExists(e, b.ActionIndex)
	case *InputNeeded:
		return f.checkActionExists(e, b.ActionIndex)
	case *InputGiven:
		return f.checkActionExists(e, b.ActionIndex)
	case *StepFinished:
		return f.checkEntered(e)
	case *ChildEntered:
		if c, ok := f.graph.plan.IncludedDocument(b.Document); !ok || c.Plan == nil || f.currentNode == nil {
			return fmt.Errorf("event %d: there is no document %q to enter", e.Seq, b.Document)
		}
	case *ChildFinished:
		if len(m.frames) < 2 {
			return fmt.Errorf("event %d: no included document is open", e.Seq)
		}
	}
	return nil
}

func (m *Machine) checkEdit(e Event) error {
	if m.frameOfEdit(e) == nil {
		return fmt.Errorf("event %d: step %s was edited, but the run is not in its document", e.Seq, e.Step)
	}
	return nil
}

func startedText(yes bool) string {
	if yes {
		return "started already"
	}
	return "not started"
}

// impossibleEventError returns the error for an event that cannot happen now. why is the end of its text.
func impossibleEventError(e Event, why string) error {
	return fmt.Errorf("event %d: an event of the type %q is not possible here%s", e.Seq, e.Body.Type(), why)
}

func (f *documentFrame) checkEntered(e Event) error {
	if f.currentNode == nil {
		return impossibleEventError(e, ": no step has been entered")
	}
	return nil
}

// checkActionExists returns an error for an action that the step does not have.
func (f *documentFrame) checkActionExists(e Event, action int) error {
	if err := f.checkEntered(e); err != nil {
		return err
	}
	if action < 0 || action >= len(f.currentNode.step.Actions) {
		return fmt.Errorf("event %d: %s names action index %d, but its step has only %s", e.Seq, e.Body.Type(), action, plan.CountText(len(f.currentNode.step.Actions), "action"))
	}
	return nil
}

// checkDecision returns an error for a decision with an invalid target, or for one that cannot be
// made in this state.
func (m *Machine) checkDecision(e Event, d *Decision) error {
	to := d.Destination
	if to.DocumentsToLeave < 0 || to.DocumentsToLeave >= len(m.frames) {
		return fmt.Errorf("event %d: the decision exits %s, but the number of open included documents is %d", e.Seq, plan.CountText(to.DocumentsToLeave, "included document"), len(m.frames)-1)
	}
	f := m.frames[len(m.frames)-1-to.DocumentsToLeave]
	if d.Outcome != nil || to.SpentBudget != "" {
		if err := f.checkEntered(e); err != nil {
			return err
		}
	}
	if to.Kind == ToDocumentEnd {
		return nil
	}
	if err := f.checkStepExists(e, to.StepID); err != nil {
		return err
	}
	if to.Kind == ToGroupRoutes && len(f.graph.byID[to.StepID].children) == 0 {
		return fmt.Errorf("event %d: step %q has no substeps", e.Seq, to.StepID)
	}
	return nil
}

// checkActionEnd returns an error for the end of an action without an outcome. Only a conversation may
// continue without one.
func (f *documentFrame) checkActionEnd(e Event, b *ActionFinished) error {
	if err := f.checkActionExists(e, b.ActionIndex); err != nil {
		return err
	}
	_, model := f.currentNode.step.Actions[b.ActionIndex].Work.(plan.Model)
	if b.Outcome == nil && !model {
		return fmt.Errorf("event %d: action %d of step %s has no outcome", e.Seq, b.ActionIndex, e.Step)
	}
	return nil
}

func (f *documentFrame) checkStepExists(e Event, id string) error {
	if f.graph.byID[id] == nil {
		return fmt.Errorf("event %d: the document has no step %q", e.Seq, id)
	}
	return nil
}
