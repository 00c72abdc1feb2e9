package machine

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// overrideValues are the assignments of an attempt that an override of its outcome makes or takes back.
type overrideValues struct {
	withheld []plan.Assignment // assignments that were not made, because the attempt did not pass
	previous []previousValue   // the variables as they were before the attempt set them
}

// previousValue is a variable as it was. A nil value means that it had none.
type previousValue struct {
	plan.Assignment
	setByStep bool
}

// queueValues queues the assignments and warnings of an outcome. An outcome that does not pass assigns
// nothing, but a person may still override it.
func (m *Machine) queueValues(f *documentFrame, o *plan.Outcome, set []plan.Assignment, warnings []plan.RunWarning, byPerson bool) {
	if o.Result != plan.Passed {
		f.overrideValues.withheld, set = set, nil
	}
	for _, a := range set {
		if !byPerson {
			f.overrideValues.keepPrevious(previousValue{m.currentAssignment(a.Name), m.setBySteps[a.Name]})
		}
		m.setBySteps[a.Name] = !byPerson
	}
	f.queueEvents(set, warnings)
}

// WithheldValues returns the assignments that the last step did not make because it did not pass. They
// are made if a person overrides the outcome with passed.
func (m *Machine) WithheldValues() []plan.Assignment {
	if !m.started || m.topFrame().lastStepNode == nil {
		return nil
	}
	f := m.topFrame()
	switch end := f.openAction.heldEnd; {
	case end != nil:
		return lastAssignments(end.Assignments, nil)
	case f.phase == phaseArriving, f.currentNode == f.lastStepNode && f.outcome.Result == plan.Passed:
		return nil
	}
	return lastAssignments(f.overrideValues.withheld, nil)
}

// lastAssignments returns one assignment for each name: the last in set, or the one in instead. A nil
// value means no value.
func lastAssignments(set, instead []plan.Assignment) (out []plan.Assignment) {
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

func (m *Machine) currentAssignment(name string) plan.Assignment {
	return plan.Assignment{Name: name, Value: m.variables[name], Violation: m.violationByVariable[name]}
}

func (v *overrideValues) keepPrevious(r previousValue) {
	if !slices.ContainsFunc(v.previous, func(have previousValue) bool { return have.Name == r.Name }) {
		v.previous = append(slices.Clip(v.previous), r)
	}
}

// previousAssignments returns the variables as they were before the attempt.
func (v *overrideValues) previousAssignments() (set []plan.Assignment) {
	for _, r := range v.previous {
		set = append(set, r.Assignment)
	}
	return set
}

// withdrawValues takes back the assignments of the attempt.
func (m *Machine) withdrawValues(f *documentFrame, set []plan.Assignment) {
	if end := f.openAction.heldEnd; end != nil {
		f.overrideValues.withheld = end.Assignments
	}
	for _, r := range f.overrideValues.previous {
		f.overrideValues.withheld = append(slices.Clip(f.overrideValues.withheld), m.currentAssignment(r.Name))
		m.setBySteps[r.Name] = r.setByStep
	}
	f.overrideValues.previous = nil
	f.queueEvents(set, nil)
}

// Artifact describes the final output of a completed run: its type, "text" if the document gives
// none, and the label of the step that produced it.
type Artifact struct {
	Type string `json:"type"`
	Step string `json:"step"`
}

// FinalOutput returns the text of the last step that passed with one, and its label. An empty label
// means that there is none.
func (m *Machine) FinalOutput() (label, text string) {
	for _, v := range slices.Backward(m.finishedAttempts) {
		if v.Outcome.Result == plan.Passed && v.Outcome.Text != "" {
			return v.Label, v.Outcome.Text
		}
	}
	return "", ""
}

// finalArtifact returns the type and origin of the final output. An invalid type counts as plain text
// and causes a warning.
func (m *Machine) finalArtifact() (*Artifact, []plan.RunWarning) {
	label, _ := m.FinalOutput()
	switch {
	case label == "":
		return nil, nil
	case m.plan.ArtifactType == nil:
		return &Artifact{plan.PlainTextType, label}, nil
	}
	r, err := m.plan.ArtifactType.Render(m.scope(m.frames[0]))
	kind := strings.ToLower(strings.TrimSpace(r.Text))
	if _, known := plan.ArtifactSuffix(kind); known && err == nil {
		return &Artifact{kind, label}, nil
	}
	return &Artifact{plan.PlainTextType, label}, []plan.RunWarning{{
		Code: m.plan.WarningCode("artifact-type"), Message: fmt.Sprintf("%q is not an artifact type, so the final output is plain text", r.Text),
	}}
}
