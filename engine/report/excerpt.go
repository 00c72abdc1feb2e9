package report

import (
	"strings"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// Excerpt is a text without control characters, or the two ends of a long one.
type Excerpt struct {
	Text     string      `json:"text"`
	Tail     string      `json:"end,omitempty"`
	LeftOut  *Omission   `json:"left_out,omitempty"` // between the two
	rawLines [2][]string // the raw lines of both parts, with colours; made safe when they are drawn
}

// Omission is the amount of text that is left out.
type Omission struct {
	Bytes int64 `json:"bytes"`
	Lines int   `json:"lines,omitempty"` // of a log
}

// Log gives access to the lines of an output (package logs).
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
}

const (
	maxExcerptBytes = 48 << 10 // bytes of one text: more than two lines of a log
	minExcerptBytes = 1 << 10  // … when the budget is used up
	maxReportBytes  = 8 << 20  // bytes of all texts before they are cut shorter
	maxLogEndLines  = 400      // lines that are read of either end of a long log
)

// textBudget counts how many bytes of texts still fit into the report.
type textBudget struct{ bytesLeft int }

// nextLimit returns how long the next text may be, in bytes.
func (t *textBudget) nextLimit() int { return max(minExcerptBytes, min(maxExcerptBytes, t.bytesLeft)) }

// excerpt returns the excerpt of a text, nil if the text is empty.
func (t *textBudget) excerpt(text string) *Excerpt {
	text = strings.Trim(text, "\n")
	if text == "" {
		return nil
	}
	e, most := &Excerpt{}, t.nextLimit()
	head, tail := text, ""
	if len(text) > most {
		head, tail = plan.FirstBytes(text, most/2), plan.LastBytes(text, most/2)
		e.LeftOut = &Omission{Bytes: int64(len(text) - len(head) - len(tail))}
	}
	e.Text, e.Tail = sanitize.PlainLines(head), sanitize.PlainLines(tail)
	t.bytesLeft -= len(e.Text) + len(e.Tail)
	return e
}

// excerptOrEmpty returns the excerpt of a text that may be empty.
func (t *textBudget) excerptOrEmpty(text string) Excerpt {
	if e := t.excerpt(text); e != nil {
		return *e
	}
	return Excerpt{}
}

// logExcerpt returns the excerpt of a log, nil if it is empty or cannot be read.
func (t *textBudget) logExcerpt(l Log) (*Excerpt, error) {
	size, total := l.Size()
	most := t.nextLimit()
	if size <= int64(most) {
		lines, err := l.Lines(0, total)
		if len(lines) == 0 {
			return nil, err
		}
		return t.linesExcerpt(lines, nil), err
	}
	n := min(maxLogEndLines, (total+1)/2)
	first, err := l.Lines(0, n)
	if err != nil {
		return nil, err
	}
	last, err := l.Lines(max(n, total-n), n)
	if err != nil {
		return nil, err
	}
	head, tail := fittingLineCount(first, most/2, false), fittingLineCount(last, most/2, true)
	e := t.linesExcerpt(first[:head], last[len(last)-tail:])
	e.LeftOut = &Omission{size - int64(byteLength(e.rawLines[0])+byteLength(e.rawLines[1])), total - head - tail}
	return e, nil
}

// linesExcerpt returns the excerpt of raw lines. Without lines it is empty: the lines of a log may be too long for
// what is left of the budget.
func (t *textBudget) linesExcerpt(head, tail []string) *Excerpt {
	e := &Excerpt{rawLines: [2][]string{head, tail}}
	e.Text, e.Tail = sanitize.OutputPlainLines(strings.Join(head, "\n")), sanitize.OutputPlainLines(strings.Join(tail, "\n"))
	t.bytesLeft -= byteLength(head) + byteLength(tail)
	return e
}

// fittingLineCount returns how many lines fit into a number of bytes.
func fittingLineCount(lines []string, most int, fromEnd bool) int {
	n, used := 0, 0
	for n < len(lines) {
		line := lines[n]
		if fromEnd {
			line = lines[len(lines)-1-n]
		}
		if used += len(line) + 1; used > most {
			break
		}
		n++
	}
	return n
}

// byteLength returns the size of lines with their line ends.
func byteLength(lines []string) int {
	n := len(lines)
	for _, line := range lines {
		n += len(line)
	}
	return n
}
