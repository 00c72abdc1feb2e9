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

// debugging are walks through what a debugger is for, each in a run of counted.
var debugging = map[string]scene{
	"an earlier step is edited and run again": {[]string{"c.runbook.md", "--trust"}, "Yes or no?", []deed{
		{"", "\x1b", "The run waits."},
		{"", "gr", "Go back and run 1 again?"},
		{"", "n", "!Go back and run 1"},
		{"", "ge", "What 1 does"},
		{"", "\x7f\x7f\x7fthree\x13", "edited for this run:"},
		{"", "r", "stays done: 1 echo one; 2"},
		{"", "y", "‖ paused"},
		{"", "g", "│ three "},
		{"", "u", "stays done: 1 echo three."},
		{"", "y", "Undone: edit of 1. U does it again."},
		{"", "u", "Undone: going back to event 1."},
		{"", "U", "Done again: going back to event 1."},
		{"", "U", "Done again: edit of 1."},
		{"", "Gr", "runs a step again that has run, and 3 has not"},
	}, 0},
}

// TestDebugging walks through them in the running program.
func TestDebugging(t *testing.T) {
	for name, s := range debugging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "c.runbook.md"), []byte(counted), 0o600); err != nil {
				t.Fatal(err)
			}
			s.play(t, openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, s.args...))
		})
	}
}
