package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"playhead/engine/match"
	"playhead/parse/plan"
)

// checkSameBehaviour returns an error unless the edited document does what the run does with the edit, and differs in
// nothing else. It clears parts of both plans, which cannot be used afterwards.
func checkSameBehaviour(before, after *plan.Plan, e Edit, text string) error {
	if err := checkStillRunnable(before, after); err != nil {
		return err
	}
	_, own, err := editedAction(before, e)
	if err != nil {
		return err
	}
	_, now, err := editedAction(after, e)
	if err != nil || !match.EqualExceptPositions(own.WithText(text), now) {
		return errors.New("with this edit the document would be parsed differently: part of the text would be read as syntax")
	}
	clearEditedText(before, e, own.EditableText())
	clearEditedText(after, e, now.EditableText())
	return checkRestUnchanged(before, after)
}

// checkStillRunnable returns the first error of the edited document, unless it had some before.
func checkStillRunnable(before, after *plan.Plan) error {
	for _, d := range after.Diagnostics {
		if d.Severity == plan.Error && before.Runnable() {
			return fmt.Errorf("with this edit the document would have an error: %s", d.MessageWithoutFile())
		}
	}
	return nil
}

// checkRestUnchanged returns an error if something in the plans differs, once the edited texts are cleared. It clears
// parts of both plans.
func checkRestUnchanged(before, after *plan.Plan) error {
	a, b := comparableSteps(before), comparableSteps(after)
	if len(a) != len(b) {
		return errors.New("with this edit the document would have more or fewer steps")
	}
	for i := range a {
		if !match.EqualExceptPositions(a[i], b[i]) {
			return fmt.Errorf("this edit would change step %s too", cmp.Or(a[i].ID, a[i].Title))
		}
	}
	before.Steps, after.Steps = nil, nil
	for _, p := range []*plan.Plan{before, after} {
		p.Source, p.Files, p.Diagnostics, p.UsedVariables, p.Extra = nil, nil, nil, nil, nil
	}
	if !match.EqualExceptPositions(before, after) {
		return errors.New("this edit would change more of the document than the step")
	}
	return nil
}

// comparableSteps returns copies of all steps for a comparison, without fields that are only shown, which may contain
// the whole document. Of its substeps, a copy has only the IDs.
func comparableSteps(p *plan.Plan) (out []plan.Step) {
	p.Walk(func(s, _ *plan.Step) bool {
		one := *s
		one.Extra, one.RunWarnings, one.Actions, one.Children = nil, nil, slices.Clone(s.Actions), nil
		for i, a := range one.Actions {
			if w, ok := a.Work.(plan.Model); ok {
				w.ReplyChoiceSource = storedChoices(w.Choices())
				one.Actions[i].Work = w
			}
		}
		for _, c := range s.Children { // their positions count
			one.Children = append(one.Children, &plan.Step{ID: c.ID})
		}
		out = append(out, one)
		return true
	})
	return out
}

// storedChoices implements plan.ReplyChoiceSource as a list.
type storedChoices []plan.ReplyChoice

// Choices implements plan.ReplyChoiceSource.
func (c storedChoices) Choices() []plan.ReplyChoice { return c }

// clearEditedText removes the edited text from a plan: from the action, and from the step if it shows the
// text.
func clearEditedText(p *plan.Plan, e Edit, text string) {
	s := p.FindStep(e.StepID)
	if plan.SourceText(s.Text) == text {
		s.Text = nil
	}
	s.Actions[e.ActionIndex].Work = workWithText(s.Actions[e.ActionIndex].Work, nil)
}

// workWithText returns the work with another text to edit.
func workWithText(work plan.Work, text plan.Prompt) plan.Work {
	switch w := work.(type) {
	case plan.Command:
		w.Text = text
		return w
	case plan.Model:
		w.Prompt = text
		return w
	case plan.Tool:
		w.Args = text
		return w
	}
	return work
}

// ApplyEdits returns a copy of a document in which the steps have the run's edits. Edits of included
// documents are left out.
func ApplyEdits(p *plan.Plan, edits []Edit) *plan.Plan {
	out := *p
	out.Steps = applyEditsToSteps(p.Steps, edits)
	return &out
}

func applyEditsToSteps(steps []*plan.Step, edits []Edit) []*plan.Step {
	out := make([]*plan.Step, len(steps))
	for i, s := range steps {
		edited := *s
		edited.Actions, edited.Children = slices.Clone(s.Actions), applyEditsToSteps(s.Children, edits)
		for _, e := range edits {
			if e.StepID != s.ID || e.IsOfIncludedDocument() || e.ActionIndex >= len(s.Actions) {
				continue
			}
			work := &edited.Actions[e.ActionIndex].Work
			own, editable := plan.EditablePromptOf(*work)
			if !editable {
				continue
			}
			if plan.SourceText(s.Text) == own.EditableText() {
				edited.Text = own.WithText(e.Text)
			}
			*work = workWithText(*work, own.WithText(e.Text))
		}
		out[i] = &edited
	}
	return out
}
