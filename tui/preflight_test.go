package tui

import (
	"context"
	"errors"
	"testing"

	"playhead/parse/plan"
)

// missingNeeds holds the diagnostics that a check finds.
var missingNeeds = []plan.Diagnostic{
	{File: "report.playbook.md", Line: 12, Column: 1, Severity: plan.Error, Code: "preflight/tool", Message: "step 1 needs the tool docs/serch, which its server does not have", Suggestion: "did you mean search?"},
	{File: ".mcp.json", Line: 3, Column: 1, Severity: plan.Warning, Code: "preflight/tool-server", Message: "the tool server docs\x1b[2J did not start"},
	{File: "report.playbook.md", Line: 14, Column: 1, Severity: plan.Info, Code: "preflight/not-checked", Message: "not checked: step 2 needs a tool, but its name is known only during the run"},
}

// openAfterCheck opens a document whose check before the run has the given results. Its only step asks a question.
func openAfterCheck(t testing.TB, w, h int, found []plan.Diagnostic, err error) *testScreen {
	t.Helper()
	return open(t, playbookOf(t, "report.playbook.md", "# Report\n\n## STEP 1: Read\n@elicit(confirm, \"Is it?\")\n"), w, h, func(c *Config) {
		c.CheckNeeds = func(context.Context, Choices) ([]plan.Diagnostic, error) { return found, err }
	})
}

func TestWhatARunLacks(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openAfterCheck(t, w, h, missingNeeds, nil) })
}

// TestPersonDecidesWhetherARunBegins: if a check finds problems, a person decides whether the run begins. Without
// problems, it begins by itself.
func TestPersonDecidesWhetherARunBegins(t *testing.T) {
	sc := openAfterCheck(t, 80, 24, missingNeeds, nil)
	sc.want("Run it anyway?", "1 error, 1 warning", "did you mean search?", "waits for you")
	sc.press("esc")
	sc.want("Nothing runs until you answer.")
	sc.press("a")
	sc.press("y")
	sc.want("Is it?")

	sc = openAfterCheck(t, 80, 24, missingNeeds, nil)
	sc.press("q")
	if !sc.quit || sc.s != nil {
		t.Error("the program did not quit, or a run began")
	}
	for _, found := range [][]plan.Diagnostic{nil, missingNeeds[2:]} {
		openAfterCheck(t, 80, 24, found, nil).want("Is it?")
	}
	sc = openAfterCheck(t, 80, 24, nil, errors.New("no folder for it"))
	if !sc.quit || sc.m.quitError == nil {
		t.Error("the error of a check does not end the program")
	}
}
