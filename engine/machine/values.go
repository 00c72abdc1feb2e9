package machine

import (
	"fmt"
	"slices"
	"strings"

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
			f.values.replace(replaced{m.assignment(a.Name), m.derived[a.Name]})
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
		return amendedValues(held.Set, nil)
	case f.phase == arriving, f.cur == f.unit && f.outcome.Result == plan.Passed:
		return nil
	}
	return amendedValues(f.values.withheld, nil)
}

// amendedValues returns each value once: the last of a name, and in its place
// the one that a person has of it. Nothing is no value.
func amendedValues(set, instead []plan.Assignment) (out []plan.Assignment) {
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

// assignment returns the current value of a variable.
func (m *Machine) assignment(name string) plan.Assignment {
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
		f.values.withheld = append(slices.Clip(f.values.withheld), m.assignment(r.Name))
		m.derived[r.Name] = r.derived
	}
	f.values.replaced = nil
	f.follow(set, nil)
}

// Artifact says what a completed run's final output is: its type, "text" where the
// document gives none, and the label of the step that put it out.
type Artifact struct {
	Type string `json:"type"`
	Step string `json:"step"`
}

// Output is what the last step that passed with a text put out. No label: none did.
func (m *Machine) Output() (label, text string) {
	for _, r := range slices.Backward(m.history) {
		if r.Outcome.Result == plan.Passed && r.Outcome.Text != "" {
			return r.Label, r.Outcome.Text
		}
	}
	return "", ""
}

// artifact names the final output. A type that is none leaves it plain text, and
// says so.
func (m *Machine) artifact() (*Artifact, []plan.Note) {
	label, _ := m.Output()
	switch {
	case label == "":
		return nil, nil
	case m.plan.Artifact == nil:
		return &Artifact{plan.PlainText, label}, nil
	}
	r, err := m.plan.Artifact.Render(m.scope(m.frames[0]))
	kind := strings.ToLower(strings.TrimSpace(r.Text))
	if _, known := plan.ArtifactSuffix(kind); known && err == nil {
		return &Artifact{kind, label}, nil
	}
	return &Artifact{plan.PlainText, label}, []plan.Note{{
		Code: m.plan.Format + "/artifact-type", Message: fmt.Sprintf("%q is no type of output: it is taken as plain text", r.Text),
	}}
}
