package parse

import "testing"

// TestBeside: the suffix that says what a document is goes, a folder keeps its name.
func TestBeside(t *testing.T) {
	for document, want := range map[string]string{
		"docs/release.runbook.md": "docs/release.scenarios.yaml",
		"triage.playbook.md":      "triage.scenarios.yaml",
		"a.md":                    "a.scenarios.yaml",
		"agent/":                  "agent.scenarios.yaml",
		"flow.json":               "flow.scenarios.yaml",
	} {
		if got := SidecarPath(document, "scenarios"); got != want {
			t.Errorf("beside %s lies %s, want %s", document, got, want)
		}
	}
}
