package main

import (
	"os"
	"path/filepath"
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

// debugging are walks through what a debugger is for.
var debugging = map[string]scene{
	"an earlier step is edited and run again": {[]string{"c.runbook.md", "--trust"}, "Yes or no?", []deed{
		{"", "\x1b", "The run waits."},
		{"", "gr", "Go back and run 1 again?"},
		{"", "n", "!Go back and run 1"},
		{"", "ge", "What 1 does"},
		{"", "\x7f\x7f\x7fthree\x13", "edited for this run:"},
		{"", "r", "  1 echo one "},
		{"", "y", "▶ ○ 2 Again"},
		{"", "g", "│ three "},
		{"", "u", "  1 echo three "},
		{"", "y", "Undone: edit of 1. U does it again."},
		{"", "u", "Undone: going back to event 1."},
		{"", "U", "Done again: going back to event 1."},
		{"", "U", "▶ ○ 2 Again"},
		{"", "Gr", "runs a step again that has run, and 3 has not"},
	}, 0},
	"in an editor of one's own": {[]string{"c.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"", "e", "What 1 does"},
		{"", "\x05", "› echo four"},
		{"", "\x13", "edited for this run:"},
		{"", "n", "1 Count       !"},
		{"", "g", "│ four "},
	}, 0},
	"breakpoints on routes and groups": {[]string{"g.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"", "gjjjB", "+ at 2 under terms"},
		{"", "\r", ":after to STEP"},
		{"", "hit\r", "These are no terms"},
		{"", "\x15:after to 3\r", "● ○ 2 Decide"},
		{"", "c", "‖ paused, break at 2:after to 3"},
		{"", "B", "● 2:after to 3 · come to 1 time"},
		{"", " ", "○ 2:after to 3 off"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "c", "Yes or no?"},
		{"", "\x1b", "The run waits."},
		{"", "gb", "● ▾ 1 Look"},
		{"", "af", "‖ paused, break at 1"},
		{"", "c", "Yes or no?"},
		{"", "\x1b", "The run waits."},
		{"", "gB", "● 1 · come to 1 time"},
		{"", "e", "Break at 1 under which terms?"},
		{"", " log\r", "!under which terms"},
		{"", "t", "HISTORY"},
		{"", "af", "Yes or no?"},
		{"", "\x1b", "The run waits."},
		{"", "4/breakpoint\r", "breakpoint 1 log"},
	}, 0},
	"a breakpoint that looks at a value": {[]string{"example:triage", "--break", `2:after if severity == "high"`, "--break", "2:after to 2a"}, "Where do replies", []deed{
		{"", "\r", "Before it runs"},
		{"", "\r", "‖ paused, break at 2:after if sev"},
		{"", "c", "to be woken"},
	}, 0},
}

// TestDebugging walks through them in the running program.
func TestDebugging(t *testing.T) {
	t.Setenv("EDITOR", "sed -i s/one/four/")
	for name, s := range debugging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"c.runbook.md": counted, "g.runbook.md": grouped} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s.play(t, openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, s.args...))
		})
	}
}
