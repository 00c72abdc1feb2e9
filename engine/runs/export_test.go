package runs

import (
	"os"
	"path/filepath"
	"testing"

	"playhead/parse/plan"
)

// TestScenarioFileName: a scenario is saved where playhead test looks for it, beside the document. In another folder, and for
// an example, the name has no folder.
func TestScenarioFileName(t *testing.T) {
	document := filepath.Join(t.TempDir(), "go.runbook.md")
	if err := os.WriteFile(document, []byte("## 1. A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		document: filepath.Join(filepath.Dir(document), "go.scenarios.yaml"), "elsewhere/go.runbook.md": "go-to-the-shop.scenarios.yaml", "example:release": "go-to-the-shop.scenarios.yaml",
	} {
		if got := scenarioFileName(&plan.Plan{Path: path, Title: "Go to the shop"}); got != want {
			t.Errorf("for %s: %q, want %q", path, got, want)
		}
	}
}
