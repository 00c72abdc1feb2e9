package track

import "playhead/parse/plan"

// TextWithParents returns the text to show for a step: the texts of the steps above it, then its own, with the
// instance numbers of the row. While the run is not over, the values of variables are filled in: these are the newest ones,
// which say nothing about a step that ran earlier. The text of a parent that has actions of its own is left out: it is the
// prompt of those actions.
func (t *Track) TextWithParents(r *Row) string {
	if r.Step == nil {
		return ""
	}
	textOf := func(r *Row) string { return plan.TextForDisplay(r.Step.Text, t.Scope(r)) }
	if t.IsOver() {
		textOf = (*Row).WrittenText
	}
	text := textOf(r)
	for p := r.Parent; p != nil && p.Step != nil; p = p.Parent {
		if above := textOf(p); above != "" && len(p.Step.Actions) == 0 {
			text = above + "\n\n" + text
		}
	}
	return text
}

// WrittenText returns the text of the row's step as the document writes it, with the instance numbers of the row.
func (row *Row) WrittenText() string {
	if len(row.instanceNumbers) == 0 {
		return plan.SourceText(row.Step.Text)
	}
	return plan.TextForDisplay(row.Step.Text, plan.InstanceNumbers(row.instanceNumbers))
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
