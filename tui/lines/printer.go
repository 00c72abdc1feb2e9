package lines

import (
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/sanitize"
)

// The colours are the terminal's own: there is no theme without a screen.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

var tints = map[string]string{
	"pass": green, "completed": green, "fail": red, "failed": red, "stopped": red, "error": red,
	"skipped": yellow, "warning": yellow, "awaiting_input": yellow, "cancelled": yellow,
}

// printer writes lines. A command may have left a line that has not ended.
type printer struct {
	out         io.Writer
	colour      bool
	width       int              // of the terminal; 0: texts stay in the lines they have
	partialLine string           // the part of a line that is shown already
	stableTimer <-chan time.Time // that line is another one by now, and has stayed so
}

func (p *printer) paint(colour, text string) string {
	if !p.colour || colour == "" || text == "" {
		return text
	}
	return colour + text + reset
}

// line prints a line of Playhead's own.
func (p *printer) line(format string, args ...any) { p.print(format+"\n", args...) }

// print prints text on a new line, even where a command left one unfinished.
func (p *printer) print(format string, args ...any) {
	if p.partialLine != "" {
		p.partialLine, format = "", "\n"+format
	}
	fmt.Fprintf(p.out, format, args...)
}

// safe returns a line of a command's output as it may be shown.
func (p *printer) safe(line []byte) string {
	if p.colour {
		return sanitize.Output(line)
	}
	return sanitize.OutputPlain(line)
}

// output prints a line of a command's output, part of which may be printed already.
func (p *printer) output(line []byte) {
	p.draw(p.safe(line))
	p.partialLine, p.stableTimer = "", nil
	_, _ = io.WriteString(p.out, "\n") // whoever reads may be gone
}

// settling is how long a line must stay as it is before it is printed again.
const settling = time.Second

// begin prints a line that has not ended. A line that is overwritten, as by a progress bar, is
// printed again once it stays the same.
func (p *printer) begin(text string) {
	p.stableTimer = nil
	if strings.HasPrefix(text, p.partialLine) {
		p.draw(text)
	} else {
		p.stableTimer = time.After(settling)
	}
}

// draw prints the new part of a line, or the whole line below if it changed.
func (p *printer) draw(text string) {
	rest, goesOn := strings.CutPrefix(text, p.partialLine)
	if !goesOn {
		rest = "\n" + text
	}
	_, _ = io.WriteString(p.out, rest)
	p.partialLine = text
}
