package workflow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConformance parses the workflows in the folder that CASES names, both as written and damaged.
func TestConformance(t *testing.T) {
	cases := os.Getenv("CASES")
	if cases == "" {
		t.Skip("CASES names no folder of documents")
	}
	for name, want := range map[string]struct{ steps, outputs, assertions int }{
		"simple_repo_lookup.md": {1, 3, 3},
		"pr_review_workflow.md": {5, 6, 10},
	} {
		file, err := os.ReadFile(filepath.Join(cases, "workflow", name))
		if err != nil {
			t.Fatal(err)
		}
		conforms(t, name, string(file), "", want.steps, want.outputs, want.assertions)
		conforms(t, name, cp1254.damage(string(file)), "text-repaired", want.steps, want.outputs, want.assertions)
		survives(t, name, string(file))
	}
	t.Run("description", func(t *testing.T) { describes(t, filepath.Join(cases, "..", "seeds")) })
}

func conforms(t *testing.T, name, doc, warning string, numSteps, outputs, assertions int) {
	t.Helper()
	p := parse(doc)
	for _, s := range steps(p) {
		m := messageOf(s)
		numSteps--
		outputs -= len(m.Outputs)
		assertions -= len(m.Assertions)
	}
	if !p.Runnable() || numSteps != 0 || outputs != 0 || assertions != 0 {
		t.Errorf("%s: %d steps, %d outputs, %d assertions too few; %s", name, numSteps, outputs, assertions, told(p))
	}
	for _, d := range p.Diagnostics {
		if d.Code != Format+"/marker-damaged" && d.Code != Format+"/"+warning {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// describes parses the description of the format, if the folder has it, and its damaged text: neither is a workflow
// (§10), and a step cut out of either is the same.
func describes(t *testing.T, folder string) {
	whole, err := os.ReadFile(filepath.Join(folder, "workflow-format.md"))
	damaged, wrong := os.ReadFile(filepath.Join(folder, "workflow-format.mojibake.md"))
	if err != nil || wrong != nil {
		t.Skip("the description is not there")
	}
	for _, file := range [][]byte{whole, damaged} {
		if got := told(parse(string(file))); got != "E 1:1 no-steps" {
			t.Error(got)
		}
		lines := lined(string(file))[9:27]
		p := parse(strings.Join(lines, "\n"))
		s := steps(p)
		if len(s) != 1 {
			t.Fatalf("%d steps", len(s))
		}
		m := messageOf(s[0])
		if len(m.Tools) != 1 || m.Tools[0] != "tool_name" || m.Inputs[0].Name != "variable_name" || m.Outputs[0] != (Output{"result.field.path", "VARIABLE_NAME"}) || len(m.Assertions) != 3 {
			t.Errorf("%+v", m)
		}
	}
}
