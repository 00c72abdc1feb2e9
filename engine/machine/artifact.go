package machine

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

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
