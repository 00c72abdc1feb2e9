package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteBack edits a command, looks at the change that this makes of the document,
// writes it, and finds that lines say the same of the run.
func TestWriteBack(t *testing.T) {
	x := open(t, "## 1. One\n```sh\nfalse\n```\n", "--trust")
	x.sees("saved  as run")
	x.types("\x1b")
	x.sees("A summary")
	x.types("D")
	x.sees("this step has none")
	x.types("e")
	x.sees("What 1 does")
	x.types("\x7f\x7f\x7f\x7f\x7ftrue\x13")
	x.sees("! 0") // the sign of an edit in the tree
	run := strings.Fields(program(t, x.cmd, "runs"))[5]
	if out := program(t, x.cmd, "edits", run); !strings.Contains(out, "@@ -1,4 +1,4 @@\n ## 1. One\n ```sh\n-false\n+true\n") {
		t.Errorf("the change is\n%s", out)
	}
	x.types("D")
	x.sees("Write 1 into a.runbook.md, line 2?")
	x.sees("+true")
	x.types("y")
	x.sees("is written into a.runbook.md")
	file, err := os.ReadFile(filepath.Join(x.cmd.Dir, "a.runbook.md"))
	if err != nil || string(file) != "## 1. One\n```sh\ntrue\n```\n" {
		t.Errorf("the document is %q, %v", file, err)
	}
	x.types("r")
	x.sees("y yes")
	x.types("y")
	x.sees("saved  as run")
	x.types("q")
	x.ends(exitOK)
}
