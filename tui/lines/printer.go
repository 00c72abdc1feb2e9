package lines

import (
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/sanitize"
)

// The colours are the terminal's own, because themes apply only to the screen.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

var colourByWord = map[string]string{
	"pass": green, "completed": green, "fail": red, "failed": red, "stopped": red, "error": red,
	"skipped": yellow, "warning": yellow, "awaiting_input": yellow, "cancelled": yellow,
}

// printer prints lines. The last line may be an unfinished line of a command.
type printer struct {
	out         io.Writer
	isColoured  bool
	width       int              // the width of the terminal; 0: texts are not wrapped
	partialLine string           // the printed part of an unfinished line
	stableTimer <-chan time.Time // fires when a line that was overwritten has not changed for a while
}

func (p *printer) paint(colour, text string) string {
	if !p.isColoured || colour == "" || text == "" {
		return text
	}
	return colour + text + reset
}

// printLine prints a line of Playhead.
func (p *printer) printLine(format string, args ...any) { p.print(format+"\n", args...) }

// printEffectsNotUndone prints effects that are not undone, a line each.
func (p *printer) printEffectsNotUndone(notUndone []string) {
	for _, effect := range notUndone {
		p.printLine("  not undone: %s", sanitize.Plain(effect))
	}
}

// print prints a text on a new line, even if a command left a line unfinished.
func (p *printer) print(format string, args ...any) {
	if p.partialLine != "" {
		p.partialLine, format = "", "\n"+format
	}
	fmt.Fprintf(p.out, format, args...)
}

// safeOutputLine returns a line of a command's output without unsafe control sequences.
func (p *printer) safeOutputLine(line []byte) string {
	if p.isColoured {
		return sanitize.Output(line)
	}
	return sanitize.OutputPlain(line)
}

// printOutputLine prints a line of a command's output. A part of it may be printed already.
func (p *printer) printOutputLine(line []byte) {
	p.updatePartialLine(p.safeOutputLine(line))
	p.partialLine, p.stableTimer = "", nil
	_, _ = io.WriteString(p.out, "\n") // the reader may have gone
}

// stableLineDelay is how long an overwritten line must stay the same before it is printed again.
const stableLineDelay = time.Second

// printPartialLine prints an unfinished line. If the line was overwritten, for example by a progress bar, it is
// printed again only after it has not changed for a while.
func (p *printer) printPartialLine(text string) {
	p.stableTimer = nil
	if strings.HasPrefix(text, p.partialLine) {
		p.updatePartialLine(text)
	} else {
		p.stableTimer = time.After(stableLineDelay)
	}
}

// updatePartialLine prints the new part of an unfinished line. If its beginning has changed, it
// prints the whole line on a new line.
func (p *printer) updatePartialLine(text string) {
	rest, goesOn := strings.CutPrefix(text, p.partialLine)
	if !goesOn {
		rest = "\n" + text
	}
	_, _ = io.WriteString(p.out, rest)
	p.partialLine = text
}
