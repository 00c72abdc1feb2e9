package track

import (
	"slices"

	"playhead/parse/plan"
)

// Text returns the text to show for a step: the texts of the steps above it, then its own, with the
// instance numbers of the row.
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

// Origin returns where a row's prompt came from: the one that was sent, else the one that would be.
func (t *Track) Origin(r *Row) plan.Origin {
	switch a := r.Request(); {
	case a != nil:
		return a.Origin
	case r.Step == nil:
		return plan.Origin{}
	}
	return plan.RenderForDisplay(r.Step.Text, t.Scope(r)).Origin
}

// Scope returns what a row's prompts can read of the run.
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

// Numbers returns the instance numbers with which a row was last entered, by step ID.
func (r *Row) Numbers() map[string]int { return r.numbers }

// instance returns the row of a step's current instance. It makes missing rows of this instance,
// and of the instances around it, behind the earlier ones.
func (t *Track) instance(f *frame, id, label string) *Row {
	s := f.steps[id]
	if s == nil {
		return nil
	}
	var parent *Row
	if p := f.parents[id]; p != nil {
		parent = t.current(f, p)
		if r := t.byLabel[label]; r != nil { // it was made with its parent
			return r
		}
	}
	before := f.place[id]
	r := t.add(f, parent, s, false)
	t.insert(f, parent, before, r)
	return r
}

// current returns the row of a step's current instance. It makes the row if it is missing.
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

// insert puts an instance behind the one before it, and hides their template.
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

// childrenOf returns a pointer to the children of parent, or to the top rows of the frame.
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

// hide removes a template from the tree and from the totals.
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
