package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteBack edits a command, previews the change of the document and writes it back; playhead edits prints the same
// change.
func TestWriteBack(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. One\n```sh\nfalse\n```\n", "--trust")
	x.sees("steps  1")
	x.types("\x1b")
	x.sees("A summary")
	x.types("D")
	x.sees("This run has no edit")
	x.types("e")
	x.sees("Edit step 1")
	x.types("\x7f\x7f\x7f\x7f\x7ftrue\x13")
	x.sees("uses the edit the next time it begins.")
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if out := program(t, x.cmd, "edits", run); !strings.Contains(out, "@@ -1,4 +1,4 @@\n ## 1. One\n ```sh\n-false\n+true\n") {
		t.Errorf("the change is\n%s", out)
	}
	x.types("D")
	x.sees("Change a.runbook.md?")
	x.sees("At line 2: the")
	x.sees("+true")
	x.types("y")
	x.sees("into a.runbook.md.")
	file, err := os.ReadFile(filepath.Join(x.cmd.Dir, "a.runbook.md"))
	if err != nil || string(file) != "## 1. One\n```sh\ntrue\n```\n" {
		t.Errorf("the document is %q, %v", file, err)
	}
	x.types("r")
	x.sees("y yes")
	x.types("y")
	x.sees("steps  1")
	x.types("q")
	x.ends(exitOK)
}

// TestAgentWriteBack: the selected work of an agent's step is edited and written back, the validator's command into the
// registry and the prompt into its file. Changes that others made to the file stay.
func TestAgentWriteBack(t *testing.T) {
	t.Parallel()
	x := validates(t, `{"action": "abort"}`, "echo bad\n")
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join(x.cmd.Dir, "agent", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	x.sees("steps  1")
	x.types("\x1b")
	x.sees("A summary")
	x.types("e")
	x.sees("─ validator v ┤")
	x.types(" || true\x13")
	x.sees("! file") // the mark of an edit in the tree
	x.types("D")
	x.sees("Change steps_registry.json?")
	x.sees("At line 3: the")
	x.sees("exec sh ./check.sh || tr")
	x.types("y")
	x.sees("into steps_registry.json.")
	if text := file("steps_registry.json"); !strings.Contains(text, `"command": "exec sh ./check.sh || true"`) {
		t.Errorf("the registry is %s", text)
	}
	x.types("3{")
	x.sees("▾ reply")
	x.types("e")
	x.sees("─ prompt ┤")
	x.types("Be sure.\x13")
	x.sees("D to write it into the document")
	const prompt = "prompts/steps/closure/x/f_default.md"
	x.types("D")
	x.sees("Change f_default.md?")
	x.sees("At line 1: the")
	x.types("y")
	x.sees("into f_default.md.")
	if text := file(prompt); !strings.Contains(text, "Be sure.") {
		t.Errorf("the prompt is %q", text)
	}
	x.types("\x12") // ctrl+r
	x.sees("The document's files have no change that affects the run.")
	if strings.Contains(x.all(), "The document changed") {
		t.Error("the run reports its own write as a change")
	}
	x.types("q")
	x.ends(exitFailed)

	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if out := program(t, x.cmd, "edits", run); strings.Contains(out, "@@") {
		t.Errorf("there are still edits to write back\n%s", out)
	}
	write(t, filepath.Join(x.cmd.Dir, "agent", prompt), "Mine.\n")
	if out := program(t, x.cmd, "edits", run, "--write"); !strings.Contains(out, "has changed since") || file(prompt) != "Mine.\n" {
		t.Errorf("%s", out)
	}
}
