package report

import (
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// Excerpt is a text without controls, or the two ends of one that is long.
type Excerpt struct {
	Text    string      `json:"text"`
	End     string      `json:"end,omitempty"`
	LeftOut *Left       `json:"left_out,omitempty"` // between the two
	styled  [2][]string // both as a terminal shows them: raw lines, made safe when they are drawn
}

// Left is how much of a text is left out.
type Left struct {
	Bytes int64 `json:"bytes"`
	Lines int   `json:"lines,omitempty"` // of a log
}

// Log is what was printed, by lines (package logs).
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
}

const (
	mostExcerpt  = 48 << 10 // bytes of one text: more than two lines of a log
	leastExcerpt = 1 << 10  // … when the purse is empty
	mostReport   = 8 << 20  // bytes of all texts before they are cut shorter
	logWindow    = 400      // lines that are read of either end of a long log
)

// A purse is what is left of the room for texts.
type purse struct{ left int }

// most is how long the next text may be.
func (p *purse) most() int { return max(leastExcerpt, min(mostExcerpt, p.left)) }

// excerpt takes a text. An empty one is none.
func (p *purse) excerpt(text string) *Excerpt {
	text = strings.Trim(text, "\n")
	if text == "" {
		return nil
	}
	e, most := &Excerpt{}, p.most()
	head, tail := text, ""
	if len(text) > most {
		head, tail = beginning(text, most/2), ending(text, most/2)
		e.LeftOut = &Left{Bytes: int64(len(text) - len(head) - len(tail))}
	}
	e.Text, e.End = sanitize.Text(head), sanitize.Text(tail)
	p.left -= len(e.Text) + len(e.End)
	return e
}

// must is excerpt where an empty text is one too.
func (p *purse) must(text string) Excerpt {
	if e := p.excerpt(text); e != nil {
		return *e
	}
	return Excerpt{}
}

// log takes what was printed, nil if that is nothing or cannot be read.
func (p *purse) log(l Log) (*Excerpt, error) {
	size, total := l.Size()
	most := p.most()
	if size <= int64(most) {
		lines, err := l.Lines(0, total)
		return p.printed(lines, nil), err
	}
	n := min(logWindow, (total+1)/2)
	first, err := l.Lines(0, n)
	if err != nil {
		return nil, err
	}
	last, err := l.Lines(max(n, total-n), n)
	if err != nil {
		return nil, err
	}
	head, tail := fitting(first, most/2, false), fitting(last, most/2, true)
	e := p.printed(first[:head], last[len(last)-tail:])
	e.LeftOut = &Left{size - int64(length(e.styled[0])+length(e.styled[1])), total - head - tail}
	return e, nil
}

// printed is the excerpt of raw lines.
func (p *purse) printed(head, tail []string) *Excerpt {
	if len(head)+len(tail) == 0 {
		return nil
	}
	e := &Excerpt{styled: [2][]string{head, tail}}
	e.Text, e.End = sanitize.OutputText(strings.Join(head, "\n")), sanitize.OutputText(strings.Join(tail, "\n"))
	p.left -= length(head) + length(tail)
	return e
}

// fitting is how many lines fit into so many bytes.
func fitting(lines []string, most int, fromEnd bool) int {
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

// length is the size of lines with their line ends.
func length(lines []string) int {
	n := len(lines)
	for _, line := range lines {
		n += len(line)
	}
	return n
}

// beginning is the first bytes of a text, rather up to a whole line.
func beginning(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	if i := strings.LastIndexByte(text[:most], '\n'); i > most/2 {
		return text[:i]
	}
	return text[:most]
}

// ending is the last bytes of a text, rather from a whole line on.
func ending(text string, most int) string {
	start := len(text) - most
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 && i < most/2 {
		return text[start+i+1:]
	}
	return text[start:]
}
