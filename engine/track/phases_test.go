package track

import (
	"strings"
	"testing"

	"playhead/parse/plan"
)

// TestPhases: the steps of a flow are listed below their phases, in the order in which the phases first occur. A single
// phase has no heading.
func TestPhases(t *testing.T) {
	for _, c := range []struct{ phases, want string }{
		{"begin go begin end", "begin(a c) go(b) end(d)"},
		{"go go go go", "a b c d"},
		{"   ", "a b c d"},
	} {
		p := &plan.Plan{}
		for i, phase := range strings.SplitN(c.phases, " ", 4) {
			p.Steps = append(p.Steps, &plan.Step{ID: string(rune('a' + i)), FlowHeading: phase, IsTargetOnly: true})
		}
		var got []string
		for _, r := range New(p).Rows {
			var below []string
			for _, child := range r.Children {
				below = append(below, child.LocalLabel)
				if child.Parent != r || !r.IsPhase() {
					t.Errorf("%s is not below %s", child.LocalLabel, r.LocalLabel)
				}
			}
			text := r.LocalLabel
			if below != nil {
				text += "(" + strings.Join(below, " ") + ")"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q: %s", c.phases, text)
		}
	}
}
