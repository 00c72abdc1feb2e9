package track

import (
	"slices"

	"playhead/parse/plan"
)

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
	switch a := r.Request(); {
	case a != nil:
		return a.Origin
	case r.Step == nil:
		return plan.Origin{}
	}
	return plan.RenderForDisplay(r.Step.Text, t.Scope(r)).Origin
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

// instance makes the row of a step's current instance, and of the instances it
// is in, behind the earlier ones.
func (t *Track) instance(f *frame, id, label string) *Row {
	s := f.steps[id]
	if s == nil {
		return nil
	}
	var parent *Row
	if p := f.parents[id]; p != nil {
		parent = t.current(f, p)
		if r := t.byLabel[label]; r != nil { // it came with its parent
			return r
		}
	}
	before := f.place[id]
	r := t.add(f, parent, s, false)
	t.insert(f, parent, before, r)
	return r
}

// current is the row of a step's current instance, made if there is none.
func (t *Track) current(f *frame, s *plan.Step) *Row {
	local := plan.Show(s.Label, plan.Numbers(f.numbers))
	if local == "" {
		local = s.ID
	}
	if r := t.byLabel[f.prefix+local]; r != nil {
		return r
	}
	return t.instance(f, s.ID, f.prefix+local)
}

// insert puts an instance behind the one before it, and hides the template that
// stood for it.
func (t *Track) insert(f *frame, parent, before, r *Row) {
	if before != nil && before.Template && !before.Hidden {
		t.hide(before)
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

// childrenOf returns where the children of parent are kept.
func (t *Track) childrenOf(f *frame, parent *Row) *[]*Row {
	switch {
	case parent != nil:
		return &parent.Children
	case f.row != nil:
		return &f.row.Children
	default:
		return &t.Rows
	}
}

// hide takes a template out of sight and out of the totals.
func (t *Track) hide(r *Row) {
	r.Hidden = true
	if r.counted {
		r.counted = false
		t.total--
	}
	t.total -= r.ahead
	r.ahead = 0
	for _, c := range r.Children {
		t.hide(c)
	}
}
