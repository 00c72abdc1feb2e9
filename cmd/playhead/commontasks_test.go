package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Tests of what people need most from a program like this, in the real binary. Tests elsewhere cover copying
// (copy_test.go), scripts and resuming (testdata/script) and plain mode (terminal_test.go).

// trusting opens a trusted document whose first step runs the command.
func trusting(t *testing.T, command string, args ...string) *terminal {
	t.Helper()
	return openAt(t, pty.Winsize{Rows: 30, Cols: 100}, "## 1. Do it\n```sh\n"+command+"\n```\n## 2. Fine?\n- YES: COMPLETE \"all fine\"\n- NO: STOP\n", append(args, "--trust")...)
}

// TestLongOutputStaysQuick: after 200,000 lines of output the end shows, a key jumps to the start, and a search finds
// its one line.
func TestLongOutputStaysQuick(t *testing.T) {
	t.Parallel()
	x := trusting(t, "seq -f 'line %.0f' 200000")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("k3")
	x.sees("line 200000")
	x.types("g")
	x.sees("line 1 of 200,000")
	x.types("/line 123456")
	x.sees("1 of 1")
	x.types("\r")
	x.sees("] next")
	x.types("q")
	x.ends(exitAwaiting)
}

// TestCommandsHaveATerminal: a command runs on a terminal with a size, and its colours show on the screen.
func TestCommandsHaveATerminal(t *testing.T) {
	t.Parallel()
	x := trusting(t, `test -t 1 && echo "a terminal, $(stty size </dev/tty)"; printf '\033[32mgreen\033[0m\n'`)
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("k")
	x.sees("a terminal, ")
	x.sees("green")
	x.gets("\x1b[32mgreen")
}

// TestReadingIsNotDisturbed: a pane that is scrolled up stays there while output grows; G follows the output again.
func TestReadingIsNotDisturbed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	more := filepath.Join(dir, "more")
	x := trusting(t, fmt.Sprintf("seq -f 'early %%.0f' 300; until test -e %q; do sleep 0.05; done; seq -f 'late %%.0f' 300; sleep 60", more))
	x.sees("early 300")
	x.types("3\x02\x02") // a page up, twice
	x.sees("line 2")
	x.sees("of 300")
	if err := os.WriteFile(more, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x.sees("of 600")
	if strings.Contains(x.text(), "late 300") {
		t.Errorf("the pane scrolled away from the lines that were visible:\n%s", x.text())
	}
	x.types("G")
	x.sees("late 300")
}

// TestBoundKey: a key that the configuration binds works in the real program, and hints and help name it.
func TestBoundKey(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte("keys: {pause: f7, quit: [f10, Q]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := trusting(t, "echo out loud", "--config", config)
	x.sees("waits for you")
	x.sees("f10 quit")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("q")
	x.sees("q does nothing here")
	x.types("?")
	x.sees("useful now")
	x.types("\x06\x06") // pages down
	x.sees("f7      pause")
	x.types("?")
	x.sees("2 Fine?")
	x.types("Q")
	x.ends(exitAwaiting)
}

// TestSummary: the summary of a finished run shows its result, its path and the person's override.
func TestSummary(t *testing.T) {
	t.Parallel()
	x := trusting(t, "exit 3")
	x.sees("✗ stopped")
	x.sees("path   1")
	x.sees("esc look around") // the last line is drawn last
	x.types("\x1b")
	x.sees("tab pane")
	x.types("p")
	x.sees("This reopens it")
	x.types("y")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("✓ COMPLETED  all fine")
	x.sees("passed, overridden (exit 3)")
	x.types("q")
	x.ends(0)
}
