package machine

import (
	"slices"

	"playhead/parse/plan"
)

// values are what an execution has to do with variables: whoever overrides its
// outcome decides on them too.
type values struct {
	withheld []plan.Assignment // what it would have set, had it passed
	replaced []replaced        // what there was before it set something
}

// replaced is a variable as it was; no value: it had none.
type replaced struct {
	plan.Assignment
	derived bool
}

// sets makes due what an outcome sets and has to say. One that does not pass sets
// nothing, though a person may still say that it does.
func (m *Machine) sets(f *frame, o *plan.Outcome, set []plan.Assignment, notes []plan.Note, given bool) {
	if o.Result != plan.Passed {
		f.values.withheld, set = set, nil
	}
	for _, a := range set {
		if !given {
			f.values.replace(replaced{m.assigned(a.Name), m.derived[a.Name]})
		}
		m.derived[a.Name] = !given
	}
	f.follow(set, notes)
}

// Withheld are the values that the last unit would have given, and has not since it did
// not pass: a person who says that it did gives them.
func (m *Machine) Withheld() []plan.Assignment {
	if !m.started || m.top().unit == nil {
		return nil
	}
	f := m.top()
	switch held := f.open.held; {
	case held != nil:
		return amended(held.Set, nil)
	case f.phase == arriving, f.cur == f.unit && f.outcome.Result == plan.Passed:
		return nil
	}
	return amended(f.values.withheld, nil)
}

// amended are values each of which is given once: the last of a name, and in its place
// the one that a person has of it. Nothing is no value.
func amended(set, instead []plan.Assignment) (out []plan.Assignment) {
	for _, a := range slices.Concat(set, instead) {
		i := slices.IndexFunc(out, func(have plan.Assignment) bool { return have.Name == a.Name })
		if i < 0 {
			out = append(out, a)
		} else {
			out[i] = a
		}
	}
	return out
}

// assigned is a variable as it is.
func (m *Machine) assigned(name string) plan.Assignment {
	return plan.Assignment{Name: name, Value: m.vars[name], Unfit: m.unfit[name]}
}

func (v *values) replace(r replaced) {
	if !slices.ContainsFunc(v.replaced, func(have replaced) bool { return have.Name == r.Name }) {
		v.replaced = append(slices.Clip(v.replaced), r)
	}
}

// earlier are the variables as they were before the execution.
func (v *values) earlier() (set []plan.Assignment) {
	for _, r := range v.replaced {
		set = append(set, r.Assignment)
	}
	return set
}

// withdraws takes back what the execution has set.
func (m *Machine) withdraws(f *frame, set []plan.Assignment) {
	if held := f.open.held; held != nil {
		f.values.withheld = held.Set
	}
	for _, r := range f.values.replaced {
		f.values.withheld = append(slices.Clip(f.values.withheld), m.assigned(r.Name))
		m.derived[r.Name] = r.derived
	}
	f.values.replaced = nil
	f.follow(set, nil)
}
