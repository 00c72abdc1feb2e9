package machine_test

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/workflow"
)

// TestSkipAfterFailure: when a person skips the step at which a run failed, the run continues after it, and the step
// does not make its group fail (workflow.md §8).
func TestSkipAfterFailure(t *testing.T) {
	for _, c := range []struct{ name, doc, next string }{
		{"a step below a heading", "## One\n### 🔧 WORKFLOW STEP: A\n```\na\n```\n### 🛠️ TOOL: t\n" +
			"## Two\n### 🔧 WORKFLOW STEP: B\n```\nb\n```\n### 🛠️ TOOL: t\n", "2"},
		{"one of two", "## One\n### 🔧 WORKFLOW STEP: A\n```\na\n```\n### 🛠️ TOOL: t\n" +
			"### 🔧 WORKFLOW STEP: B\n```\nb\n```\n### 🛠️ TOOL: t\n", "2"},
		{"the last", "## One\n### 🔧 WORKFLOW STEP: A\n```\na\n```\n### 🛠️ TOOL: t\n", "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := workflow.Parse("a.md", []byte(c.doc), workflow.Options{})
			r := start(t, p, machine.Options{})
			r.settle()
			report := `{"step_number":0,"status":"failed"}`
			r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "1", Name: "report_step_result", Arguments: report}}}))
			if end := r.settle(); end.Result == nil || end.Result.Result != plan.RunFailed {
				t.Fatalf("%+v", end)
			}
			e, err := r.m.OverrideEvent(plan.Skipped, "")
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
			switch next := r.settle(); {
			case c.next == "end" && (next.Result == nil || next.Result.Result != plan.Completed):
				t.Errorf("%+v", next)
			case c.next != "end" && (next.Effect == nil || r.m.Position() != c.next):
				t.Errorf("at %s: %+v", r.m.Position(), next)
			}
		})
	}
}
