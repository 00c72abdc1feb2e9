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
	previous []previousValue   // what there was before it set something
}

// previousValue is a variable as it was; no value: it had none.
type previousValue struct {
	plan.Assignment
	derived bool
}

// setValues makes due what an outcome sets and has to say. One that does not pass sets
// nothing, though a person may still say that it does.
func (m *Machine) setValues(f *frame, o *plan.Outcome, set []plan.Assignment, notes []plan.Note, byPerson bool) {
	if o.Result != plan.Passed {
		f.values.withheld, set = set, nil
	}
	for _, a := range set {
		if !byPerson {
			f.values.keepPrevious(previousValue{m.assignment(a.Name), m.setBySteps[a.Name]})
		}
		m.setBySteps[a.Name] = !byPerson
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
	switch end := f.open.heldEnd; {
	case end != nil:
		return amendedValues(end.Set, nil)
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

func (m *Machine) assignment(name string) plan.Assignment {
	return plan.Assignment{Name: name, Value: m.vars[name], Unfit: m.unfit[name]}
}

func (v *values) keepPrevious(r previousValue) {
	if !slices.ContainsFunc(v.previous, func(have previousValue) bool { return have.Name == r.Name }) {
		v.previous = append(slices.Clip(v.previous), r)
	}
}

// previousValues are the variables as they were before the execution.
func (v *values) previousValues() (set []plan.Assignment) {
	for _, r := range v.previous {
		set = append(set, r.Assignment)
	}
	return set
}

// withdrawValues takes back what the execution has set.
func (m *Machine) withdrawValues(f *frame, set []plan.Assignment) {
	if end := f.open.heldEnd; end != nil {
		f.values.withheld = end.Set
	}
	for _, r := range f.values.previous {
		f.values.withheld = append(slices.Clip(f.values.withheld), m.assignment(r.Name))
		m.setBySteps[r.Name] = r.derived
	}
	f.values.previous = nil
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
		Code: m.plan.Format + "/artifact-type", Message: fmt.Sprintf("%q is not a type of output, so it counts as plain text", r.Text),
	}}
}
