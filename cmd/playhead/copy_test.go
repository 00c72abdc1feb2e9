package main

import (
	"encoding/base64"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
)

// clipping returns the start of the sequence that copies a text to the terminal's clipboard (OSC 52).
func clipping(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text))
}

// TestScreenCopy copies a log and a command to the terminal's clipboard: whole, and without escape sequences of the
// command.
func TestScreenCopy(t *testing.T) {
	const long = "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789"
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.runbook.md"), "## 1. Say\n```sh\nprintf '\\033[31mred\\033[0m\\033]0;title\\007\\n"+long+"\\n'\n```\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n")
	x := openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, []string{`PAGER=page() { echo "paged $(cat "$1")"; }; page`}, "a.runbook.md", "--trust")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("k3")
	x.sees("red")
	x.types("\x192")
	x.gets(clipping("red\n" + long))
	x.sees("Copied 2 lines of 1's output.")
	x.types("E")
	x.gets("paged red\r\n" + long)
	x.types("1\x19")
	x.sees("Copy what?")
	x.types("y")
	x.gets(clipping("1 Say"))
	x.types("q")
	x.ends(exitAwaiting)
}
