package plain

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
)

// line prints a line of our own.
func (t *Twin) line(format string, args ...any) { t.print(format+"\n", args...) }

// print begins on a line of its own, whatever a command has left.
func (t *Twin) print(format string, args ...any) {
	if t.begun != "" {
		t.begun, format = "", "\n"+format
	}
	fmt.Fprintf(t.out, format, args...)
}

// safe is a line of what a command printed as it may be shown.
func (t *Twin) safe(line []byte) string {
	if t.colour {
		return sanitize.Line(line)
	}
	return sanitize.Plain(line)
}

// output prints a line of what a command printed.
func (t *Twin) output(line []byte) {
	t.draw(t.safe(line))
	t.begun = ""
	_, _ = io.WriteString(t.out, "\n") // whoever reads may be gone
}

// narrow is a width that every terminal has: a wider line may have been wrapped.
const narrow = 80

// draw prints a line of which a part may be shown already. If it is another one by
// now, as with a progress bar, it is drawn over it.
func (t *Twin) draw(text string) {
	rest, goesOn := strings.CutPrefix(text, t.begun)
	if !goesOn {
		was, is := ansi.StringWidth(t.begun), ansi.StringWidth(text)
		rest = "\n" + text
		if was < narrow {
			rest = "\r" + text + strings.Repeat(" ", max(0, was-is)) + "\r" + text
		}
	}
	_, _ = io.WriteString(t.out, rest)
	t.begun = text
}
