package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const counted = `## 1. Count
` + "```sh\necho one\n```" + `
- PASS: CONTINUE
- FAIL: GOTO 3
## 2. Again
` + "```sh\necho two\n```" + `
- PASS: CONTINUE
- FAIL: STOP
## 3. Enough?
- YES: COMPLETE
- NO: GOTO 1
`

const grouped = `## 1. Look
### 1.1 First
` + "```sh\necho first\n```" + `
### 1.2 Second
` + "```sh\necho second\n```" + `
## 2. Decide
` + "```sh\nfalse\n```" + `
- PASS: GOTO 4
- FAIL: GOTO 3
## 3. Repair
` + "```sh\necho repair\n```" + `
- PASS: CONTINUE
- FAIL: STOP
## 4. Enough?
- YES: COMPLETE
- NO: GOTO 1
`

const confirmed = "# Ask\n## STEP 1: Ask\n@elicit(confirm, \"Tell them?\")\n\nWrite {{__elicit_step_1}}.\n"

// debugging are scenes that use the debugger: edits, reruns, breakpoints, answers.
var debugging = map[string]scene{
	"an earlier step is edited and run again": {[]string{"c.runbook.md", "--trust"}, "Yes or no?", []deed{
		{"", "\x1b", "The run is waiting."},
		{"", "gr", "Rewind and run step 1 again?"},
		{"", "n", "!Rewind and run step 1"},
		{"", "ge", "Edit step 1"},
		{"", "\x7f\x7f\x7fthree\x13", "edited for this run:"},
		{"", "\x1bgr", "  1 echo one "},
		{"", "y", "▶ ○ 2 Again"},
		{"", "g", "│ three "},
		{"", "u", "  1 echo three "},
		{"", "y", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"", "U", "▶ ○ 2 Again"},
		{"", "Gr", "Step 3 has not run yet. Press J to jump to it."},
	}, 0},
	"in an editor of one's own": {[]string{"c.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"", "e", "Edit step 1"},
		{"", "\x05", "› echo four"},
		{"", "\x13", "edited for this run:"},
		{"", "n", "✓ 1 Count"},
		{"", "g", "│ four "},
	}, 0},
	"breakpoints on routes and groups": {[]string{"g.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"", "gjjjB", "+ at 2 Decide, with a condition…"},
		{"", "\r", ":after to STEP"},
		{"", "hit\r", "\"hit\" cannot be read: expected hit N, where N is 1 or more"},
		{"", "\x15:after to 3\r", "● ○ 2 Decide"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "c", "‖ paused at breakpoint 2:after to 3"},
		{"", "B", "● 2 Decide  :after to 3 · hit 1 time"},
		{"", " ", "◌ 2 Decide  :after to 3 off"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "c", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"", "gb", "● ▾ 1 Look"},
		{"", "af", "‖ paused at breakpoint 1"},
		{"", "c", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"", "gB", "● 1 Look · hit 1 time"},
		{"", "e", "Breakpoint at 1 ─"},
		{"", " log\r", "!Breakpoint at 1"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "t", "TIMELINE"},
		{"", "af", "? 4 Enough?        ×3"}, // not the question: key a opens that one, too
		{"", "\x1b", "The run is waiting."},
		{"", "4/logpoint\r", "reached logpoint 1"},
	}, 0},
	"a confirmation is answered outside its dialog": {[]string{"a.playbook.md", "--replies", "a.replies.yaml"}, "y yes  n no", []deed{
		{"", "\x1b", "The run is waiting."},
		{"", "p", "Write yes."},
	}, 0},
	"a confirmation is answered in its dialog": {[]string{"a.playbook.md", "--replies", "a.replies.yaml"}, "y yes  n no", []deed{
		{"", "n", "Write no."},
	}, 0},
	"a breakpoint that looks at a value": {[]string{"example:triage", "--break", `2:after if severity == "high"`, "--break", "2:after to 2a"}, "Where do replies", []deed{
		{"", "\r", "Inputs of this run"},
		{"", "\r", "‖ paused at breakpoint 2:after if s"},
		{"", "c", "to be woken"},
	}, 0},
}

// TestDebugging plays the scenes of debugging in the running program.
func TestDebugging(t *testing.T) {
	t.Parallel()
	for name, s := range debugging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"c.runbook.md": counted, "g.runbook.md": grouped, "a.playbook.md": confirmed, "a.replies.yaml": "\"1\": done\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s.play(t, openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, []string{"EDITOR=sed -i s/one/four/"}, s.args...))
		})
	}
}

// TestBreakpointsAreKept: a breakpoint with hit 2 pauses the run only at the second visit. Breakpoints stay with their
// steps when the document changes between two runs.
func TestBreakpointsAreKept(t *testing.T) {
	t.Parallel()
	size, dir := pty.Winsize{Rows: 24, Cols: 80}, t.TempDir()
	write(t, filepath.Join(dir, "c.runbook.md"), counted)
	scene{first: "‖ paused", deeds: []deed{
		{"", "gjB", "+ at 2 Again"},
		{"", "\r", "Breakpoint at 2 ─"},
		{"", " hit 2\r", "● ○ 2 Again"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "c", "Yes or no?"},
		{"", "f", "‖ paused at breakpoint 2 hit 2"},
		{"quit", "q", "resume with: playhead resume"},
	}, status: exitAwaiting}.play(t, openIn(t, size, dir, "c.runbook.md", "--trust", "--step"))

	moved := strings.NewReplacer("## 2. Again", "## 2. New\n```sh\necho new\n```\n## 3. Again", "## 3.", "## 4.", "GOTO 3", "GOTO 4").Replace(counted)
	write(t, filepath.Join(dir, "c.runbook.md"), moved)
	scene{first: "Yes or no?", deeds: []deed{
		{"", "f", "‖ paused at breakpoint 3 hit 2"},
		{"", "B", "● 3 Again  hit 2 · hit 2 times"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"quit", "q", "resume with: playhead resume"},
	}, status: exitAwaiting}.play(t, openIn(t, size, dir, "c.runbook.md", "--trust"))
}

// TestBreakpointOfFlagIsNotKept: a breakpoint set by --break is not kept for the next run, one set by a key is.
func TestBreakpointOfFlagIsNotKept(t *testing.T) {
	t.Parallel()
	size, dir := pty.Winsize{Rows: 24, Cols: 80}, t.TempDir()
	write(t, filepath.Join(dir, "c.runbook.md"), counted)
	scene{first: "‖ paused at breakpoint 1", deeds: []deed{
		{"", "jjb", "The run pauses before each attempt of step 3."},
		{"quit", "q", "resume with: playhead resume"},
	}, status: exitAwaiting}.play(t, openIn(t, size, dir, "c.runbook.md", "--trust", "--break", "1"))
	scene{first: "‖ paused at breakpoint 3", deeds: []deed{
		{"quit", "q", "resume with: playhead resume"},
	}, status: exitAwaiting}.play(t, openIn(t, size, dir, "c.runbook.md", "--trust"))
}

// TestComparedAtAnySize: the comparison of two runs shows where their paths diverge at every terminal size.
func TestComparedAtAnySize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "c.runbook.md"), counted)
	run := recorded(t, dir, "c.runbook.md", "--trust", "--answer", "3=yes")
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "c.runbook.md", "--trust")
	x.sees("Yes or no?")
	x.types("f")
	x.sees("? 3 Enough?                  ×2")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("d")
	x.sees("Compare with which run?")
	x.types(run + "\r")
	x.sees("PATHS DIVERGE")
	for _, size := range []pty.Winsize{{Rows: 24, Cols: 80}, {Rows: 16, Cols: 60}, {Rows: 40, Cols: 120}} {
		x.resizes(size)
		x.sees("PATHS DIVERGE")
		x.sees("NO: GOTO 1")
	}
	x.types("q")
	x.ends(exitAwaiting)
}
