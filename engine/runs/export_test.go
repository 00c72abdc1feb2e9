package runs

import (
	"testing"

	"playhead/parse/plan"
)

// TestScenarioFileName: a scenario is saved where playhead test looks for it: beside the document.
func TestScenarioFileName(t *testing.T) {
	for _, e := range Exports(&plan.Plan{Path: "jobs/go.runbook.md", Title: "Go to the shop"}, func() string { return "7f3a" }) {
		if got := e.SuggestName(); e.Name == "scenario" && got != "jobs/go.scenarios.yaml" {
			t.Errorf("the name is %q", got)
		}
	}
}
