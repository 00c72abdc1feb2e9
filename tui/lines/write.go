package lines

import (
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/sanitize"
)

// line prints a line of our own.
func (t *LineUI) line(format string, args ...any) { t.print(format+"\n", args...) }

// print begins on a line of its own, whatever a command has left.
func (t *LineUI) print(format string, args ...any) {
	if t.begun != "" {
		t.begun, format = "", "\n"+format
	}
	fmt.Fprintf(t.out, format, args...)
}

// safe is a line of what a command printed as it may be shown.
func (t *LineUI) safe(line []byte) string {
	if t.colour {
		return sanitize.Output(line)
	}
	return sanitize.OutputPlain(line)
}

// output prints a line of what a command printed, of which a part may be there.
func (t *LineUI) output(line []byte) {
	t.draw(t.safe(line))
	t.begun, t.settled = "", nil
	_, _ = io.WriteString(t.out, "\n") // whoever reads may be gone
}

// settling is how long a line must stay as it is before it is printed again.
const settling = time.Second

// begin prints a line that has not ended. If it is another one by now, as with a progress
// bar, it is printed anew when it stays so: nothing is drawn over.
func (t *LineUI) begin(text string) {
	t.settled = nil
	if strings.HasPrefix(text, t.begun) {
		t.draw(text)
	} else {
		t.settled = time.After(settling)
	}
}

// settle prints a line that has become another one, and has stayed so.
func (t *LineUI) settle() {
	t.settled = nil
	if t.tail != nil && len(t.tail.rest) > 0 {
		t.draw(t.safe(t.tail.shown(t.tail.rest)))
	}
}

// draw prints what is new of a line, all of it below if it is another one.
func (t *LineUI) draw(text string) {
	rest, goesOn := strings.CutPrefix(text, t.begun)
	if !goesOn {
		rest = "\n" + text
	}
	_, _ = io.WriteString(t.out, rest)
	t.begun = text
}
