package setup

import (
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestPolicy: the flag goes before the configuration, that before --trust; who says nothing
// is asked once about each tool, there or not (workflow.md §6).
func TestPolicy(t *testing.T) {
	tools := &plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: []plan.Action{{Work: plan.Model{Tools: []plan.Prompt{plan.Literal("say")}}}}}}}
	for _, tt := range []struct {
		flag, configured  string
		headless, trusted bool
		want              string
	}{
		{"", "", false, false, machine.ApproveOnce},
		{"", "", false, true, machine.ApproveOnce},
		{"", "", true, false, machine.ApproveOnce}, // where the document was trusted before
		{"", "", true, true, machine.ApproveNone},
		{"", "each", true, true, machine.ApproveEach},
		{"", "none", false, false, machine.ApproveNone},
		{"once", "none", true, true, machine.ApproveOnce},
		{"none", "each", false, false, machine.ApproveNone},
	} {
		c := engine.Config{FirstPlan: tools}
		(&ApprovalOptions{Approve: tt.flag}).setPolicy(&c, tt.configured, tt.headless, tt.trusted)
		if c.Options.ApprovalPolicy != tt.want {
			t.Errorf("%+v: %s", tt, c.Options.ApprovalPolicy)
		}
	}
	c := engine.Config{FirstPlan: &plan.Plan{}}
	(&ApprovalOptions{Approve: "each"}).setPolicy(&c, "each", false, false)
	if c.Options.ApprovalPolicy != "" {
		t.Errorf("a document that calls no tools has the policy %s", c.Options.ApprovalPolicy)
	}
}
