package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const changeable = `# Edits

## STEP 1: Rate

How bad?

@output(level)

## STEP 2: Tell

@tool(peer, say, {"text": "it is {{level}}"})

@output(told)

## STEP 3: Sum up

Sum {{told}} up.

## STEP 4: Check

Check {{level}}.
`

// TestEdits edits a tool call, a prompt, a reply and a variable in one run. The tree and the report show each edit, and
// edits --write writes those of the document back.
func TestEdits(t *testing.T) {
	t.Parallel()
	dir := saying(t)
	write(t, filepath.Join(dir, "a.playbook.md"), changeable)
	write(t, filepath.Join(dir, "replies.yaml"), "'1': low\n'3': done\n")
	x := openIn(t, pty.Winsize{Rows: 30, Cols: 100}, dir, "a.playbook.md", "--replies", "replies.yaml", "--trust", "--break", "4")
	scene{first: "‖ paused at breakpoint 4", deeds: []deed{
		{"", "gje", "Edit step 2 for this run"},
		{"", "\x7f\x7f!\"}\x13", "edited for this run:"},
		{"", "r", `2 say {"text": "it is low"}`},
		{"", "y", "▶ ○ 3 Sum up"},
		{"", "ge", "Edit step 1 for this run"},
		{"", " Now.\x13", "✓ 1 Rate           ! file"},
		{"", "r", "Rewind and run step 1 again?"},
		{"", "y", "▶ ○ 2 Tell"},
		{"", "c", "‖ paused at breakpoint 4"},
		{"", "kw", "WHAT IF at 3"},
		{"", "2", "› done"},
		{"", " indeed\x13", "reply by a person"},
		{"", "c", "‖ paused at breakpoint 4"},
		{"", "v4", "VALUES"},
		{"", "e", "Set level"},
		{"", "\x7f\x7f\x7fhigh\r", "set by a person"},
		{"quit", "q", "resume with: playhead resume"},
	}, status: exitAwaiting}.play(t, x)

	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	report := program(t, x.cmd, "export", run)
	for _, want := range []string{
		"`2 Tell: its text was edited`", "superseded", "`1 Rate: its text was edited`", "`3 Sum up: its reply was changed`", "level was set",
		"✓ 1 Rate · ! edited", "✓ 2 Tell · ! edited", "✓ 3 Sum up · ! edited", `*tool peer/say · \! edited by a person`,
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if out := program(t, x.cmd, "edits", run, "--write"); !strings.Contains(out, "-How bad?\n+How bad? Now.\n") {
		t.Errorf("the change is not shown:\n%s", out)
	}
	want := strings.NewReplacer("How bad?", "How bad? Now.", `}}"}`, `}}!"}`).Replace(changeable)
	if file, err := os.ReadFile(filepath.Join(dir, "a.playbook.md")); err != nil || string(file) != want {
		t.Errorf("the document is %v\n%s", err, file)
	}
}
