package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// mouse sends a mouse event of the terminal (SGR) for a button at a cell, counted from 0.
func (t *terminal) mouse(button, column, row int, end string) {
	t.t.Helper()
	t.types(fmt.Sprintf("\x1b[<%d;%d;%d%s", button, column+1, row+1, end))
}

// find returns the cell where a text begins.
func (t *terminal) find(text string) (column, row int) {
	t.t.Helper()
	for y, line := range strings.Split(t.text(), "\n") {
		if at := strings.Index(line, text); at >= 0 {
			return len([]rune(line[:at])), y
		}
	}
	t.t.Fatalf("%q does not show:\n%s", text, t.text())
	return 0, 0
}

// Mouse buttons, as terminals encode them.
const (
	leftButton = 0
	dragged    = 32
	wheelUp    = 64
)

// TestScreenMouse: a click selects a step, a drag copies output, the wheel scrolls, a double click folds a step, and a
// click or a drag moves along the timeline.
func TestScreenMouse(t *testing.T) {
	t.Parallel()
	const document = "## 1. Say\n```sh\nseq -f 'line number %g' 200\n```\n## 2. Look\n### 2.1 Here\n```sh\necho looked\n```\n## 3. Sure?\n- YES: COMPLETE\n- NO: STOP\n"
	x := openAt(t, pty.Winsize{Rows: 30, Cols: 110}, document, "--trust")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	step, row := x.find("1 Say")
	x.mouse(leftButton, step, row, "M")
	x.mouse(leftButton, step, row, "m")
	x.sees("line number 200")
	x.sees("WHY 1") // the pane below the output takes a line from it

	column, row := x.find("line number 199")
	x.mouse(leftButton, column+5, row, "M")
	x.mouse(dragged, column+9, row, "M")
	x.mouse(dragged, column+3, row+1, "M")
	x.mouse(leftButton, column+3, row+1, "m")
	x.gets(clipping("number 199\nline"))
	x.sees("Copied 2 lines of the output.")

	x.mouse(wheelUp, column, row, "M")
	x.sees("line number 19" + "0")
	x.loses("line number 200")

	fold, row := x.find("2 Look")
	for range 2 {
		x.mouse(leftButton, fold, row, "M")
		x.mouse(leftButton, fold, row, "m")
	}
	x.loses("2.1 Here")

	x.types("t")
	x.sees("TIMELINE")
	column, row = x.find("waits for a person")
	x.mouse(leftButton, column, row-1, "M")
	x.sees("as of event 14 of 15")
	x.mouse(dragged, column, row-4, "M")
	x.sees("as of event 11 of 15")
	x.mouse(leftButton, column, row-4, "m")
	x.types("\x1b")
	x.loses("as of event")
	x.types("q")
	x.ends(exitAwaiting)
}
