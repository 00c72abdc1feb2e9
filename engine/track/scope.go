package track

import "playhead/parse/plan"

// Text is what is shown of a step: the text of the steps above it, then its own,
// with the instance numbers that the row has seen.
func (t *Track) Text(r *Row) string {
	if r.Step == nil {
		return ""
	}
	text := plan.Show(r.Step.Text, t.Scope(r))
	if p := r.Parent; p != nil && p.Step != nil {
		if above := t.Text(p); above != "" {
			return above + "\n\n" + text
		}
	}
	return text
}

// Origin is where a row's prompt came from: the one that was sent, else the one that would be.
func (t *Track) Origin(r *Row) plan.Origin {
	switch a := r.Asked(); {
	case a != nil:
		return a.Origin
	case r.Step == nil:
		return plan.Origin{}
	}
	return plan.Shown(r.Step.Text, t.Scope(r)).Origin
}

// Scope is what a row's prompts can read of the run.
func (t *Track) Scope(r *Row) plan.Scope { return scope{t, r} }

type scope struct {
	t *Track
	r *Row
}

func (s scope) Var(name string) (any, bool) {
	i, ok := s.t.vars[name]
	if !ok {
		return nil, false
	}
	return s.t.Vars[i].Value, true
}

func (s scope) Instance(step string) int { return s.r.numbers[step] }

func (s scope) Outcome() plan.Outcome {
	if s.r.Outcome != nil {
		return *s.r.Outcome
	}
	return plan.Outcome{}
}

// Numbers are the instance numbers that a row was last entered with, by step id.
func (r *Row) Numbers() map[string]int { return r.numbers }
