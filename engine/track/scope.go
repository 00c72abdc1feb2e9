package track

import (
	"slices"

	"playhead/parse/plan"
)

// TextWithParents returns the text to show for a step: the texts of the steps above it, then its own, with the
// instance numbers of the row.
func (t *Track) TextWithParents(r *Row) string {
	if r.Step == nil {
		return ""
	}
	text := plan.TextForDisplay(r.Step.Text, t.Scope(r))
	if p := r.Parent; p != nil && p.Step != nil {
		if above := t.TextWithParents(p); above != "" {
			return above + "\n\n" + text
		}
	}
	return text
}

// PromptOrigin returns where a row's prompt came from: the one that was sent, else the one that would be.
func (t *Track) PromptOrigin(r *Row) plan.PromptOrigin {
	switch a := r.NewestRequest(); {
	case a != nil:
		return a.PromptOrigin
	case r.Step == nil:
		return plan.PromptOrigin{}
	}
	return plan.RenderForDisplay(r.Step.Text, t.Scope(r)).Origin
}

// Scope returns what a row's prompts can read of the run.
func (t *Track) Scope(r *Row) plan.Scope { return scope{t, r} }

type scope struct {
	track *Track
	row   *Row
}

func (s scope) Var(name string) (any, bool) {
	i, ok := s.track.variableIndex[name]
	if !ok {
		return nil, false
	}
	return s.track.Variables[i].Value, true
}

func (s scope) Instance(step string) int { return s.row.instanceNumbers[step] }

func (s scope) Outcome() plan.Outcome {
	if s.row.Outcome != nil {
		return *s.row.Outcome
	}
	return plan.Outcome{}
}

// InstanceNumbers returns the instance numbers with which a row was last entered, by step ID.
func (row *Row) InstanceNumbers() map[string]int { return row.instanceNumbers }

// instanceRow returns the row of a step's current instance. It makes missing rows of this instance,
// and of the instances around it, behind the earlier ones.
func (t *Track) instanceRow(f *documentFrame, id, label string) *Row {
	s := f.stepByID[id]
	if s == nil {
		return nil
	}
	var parent *Row
	if p := f.parentByID[id]; p != nil {
		parent = t.rowOfCurrentInstance(f, p)
		if r := t.rowByLabel[label]; r != nil { // it was made with its parent
			return r
		}
	}
	before := f.rowByStep[id]
	r := t.addRow(f, parent, s, false)
	t.insertInstance(f, parent, before, r)
	return r
}

// rowOfCurrentInstance returns the row of a step's current instance. It makes the row if it is missing.
func (t *Track) rowOfCurrentInstance(f *documentFrame, s *plan.Step) *Row {
	local := plan.TextForDisplay(s.Label, plan.InstanceNumbers(f.instanceNumbers))
	if local == "" {
		local = s.ID
	}
	if r := t.rowByLabel[f.labelPrefix+local]; r != nil {
		return r
	}
	return t.instanceRow(f, s.ID, f.labelPrefix+local)
}

// insertInstance puts an instance behind the one before it, and hides their template.
func (t *Track) insertInstance(f *documentFrame, parent, before, r *Row) {
	if before != nil && before.IsTemplate && !before.IsHidden {
		t.hideTemplate(before)
	}
	level := t.childrenOf(f, parent)
	at := len(*level)
	for at > 0 && (*level)[at-1].Step != r.Step {
		at--
	}
	if at == 0 {
		at = len(*level)
	}
	*level = slices.Insert(*level, at, r)
}

// childrenOf returns a pointer to the children of parent, or to the top rows of the frame.
func (t *Track) childrenOf(f *documentFrame, parent *Row) *[]*Row {
	switch {
	case parent != nil:
		return &parent.Children
	case f.documentRow != nil:
		return &f.documentRow.Children
	default:
		return &t.Rows
	}
}

// hideTemplate removes a template from the tree and from the totals.
func (t *Track) hideTemplate(r *Row) {
	r.IsHidden = true
	if r.isCounted {
		r.isCounted = false
		t.totalStepCount--
	}
	t.totalStepCount -= r.unexpandedStepCount
	r.unexpandedStepCount = 0
	for _, c := range r.Children {
		t.hideTemplate(c)
	}
}
