package workflow

import (
	"fmt"
	"strings"
)

// kind is the kind of a line.
type kind byte

const (
	textLine     kind = iota
	headingLined      // a heading of §3.1
	fenced            // in a fenced block, including the fences
	commented
)

// outline has the lines of a document by their kinds (§3.1, §3.2). It examines only ASCII, so
// damaged encoding has no effect.
type outline struct {
	lines     []string
	kinds     []kind
	headingAt map[int]*heading
	fences    map[int]*fence // by their first line
	hidden    []*heading     // in fences and comments
	near      []int          // the lines that are nearly step headings
	unclosed  []unclosed
	closes    closingLines
	first     int  // the line of the first step heading, -1 if there is none
	fenced    bool // the current step has a fence
}

type fence struct {
	line, end   int  // the first line, and the one after the last
	content     int  // the line after the last of the content
	indent      int  // of its opener, in bytes
	isCanonical bool // opened by exactly three backticks at the start of a line
}

// unclosed is a block that is still open at the end of the file.
type unclosed struct {
	at   place
	what string
}

// sortLines determines the kinds of a document's lines.
func sortLines(lines []string) *outline {
	o := &outline{lines: lines, kinds: make([]kind, len(lines)), headingAt: map[int]*heading{}, fences: map[int]*fence{}, first: -1}
	o.closes = closings(lines)
	for i := 0; i < len(lines); {
		i = o.sort(i)
	}
	return o
}

// sort determines the kind of a line, and returns the next line to examine.
func (o *outline) sort(i int) int {
	text := o.lines[i]
	if commentOpens(text) {
		return o.comment(i)
	}
	if f, ok := openerOf(text); ok && (f.opensAnywhere() || o.first >= 0 && !o.fenced) {
		return o.fence(i, f)
	}
	if h := readHeading(i, text); h != nil {
		o.kinds[i], o.headingAt[i] = headingLined, h
		if h.part == stepPart {
			o.step(i)
		}
	} else if _, keyword := nearly(text); keyword != "" && stepNear.MatchString(text) {
		o.near = append(o.near, i)
	}
	return i + 1
}

func (o *outline) step(line int) {
	o.fenced = false
	if o.first < 0 {
		o.first = line
	}
}

func commentOpens(text string) bool {
	inner := strings.TrimLeft(text, " ")
	return strings.HasPrefix(inner, "<!--") && len(text)-len(inner) <= 3
}

// comment skips a comment.
func (o *outline) comment(i int) int {
	end := i
	if o.closes.lastCommentEnd < i {
		o.unclosed = append(o.unclosed, unclosed{place{i, strings.Index(o.lines[i], "<")}, "this comment"})
		end = o.beforeHeading(i)
	} else {
		for !strings.Contains(o.lines[end], "-->") {
			end++
		}
		end++
	}
	o.cover(i, end, commented)
	return end
}

// fence skips a fenced block.
func (o *outline) fence(i int, open opener) int {
	f := &fence{line: i, indent: open.Bytes, isCanonical: open.canonical()}
	o.fenced = true
	if !o.closes.closed(i, open) {
		o.unclosed = append(o.unclosed, unclosed{place{i, open.Bytes}, "this block"})
		f.content = o.beforeHeading(i)
		f.end = f.content
	} else {
		for f.content = i + 1; !open.closedBy(o.lines[f.content]); f.content++ {
		}
		f.end = f.content + 1
	}
	o.fences[i] = f
	o.cover(i, f.end, fenced)
	return f.end
}

// beforeHeading returns where a block without an end ends: before the next line that looks like a
// heading.
func (o *outline) beforeHeading(i int) int {
	for i++; i < len(o.lines); i++ {
		if readHeading(i, o.lines[i]) != nil {
			break
		}
	}
	return i
}

// cover sets the kind of a block's lines, and records what looks like headings in it.
func (o *outline) cover(from, end int, k kind) {
	for i := from; i < end; i++ {
		o.kinds[i] = k
		if i == from {
			continue
		}
		if h := readHeading(i, o.lines[i]); h != nil {
			o.hidden = append(o.hidden, h)
		}
	}
}

// elsewhere lists the step headings that do not count, for no-steps.
func (o *outline) elsewhere() string {
	var inside []int
	for _, h := range o.hidden {
		if h.part == stepPart {
			inside = append(inside, h.line)
		}
	}
	return listed("; %d inside", inside) + listed("; %d nearly one", o.near)
}

// listed returns a count of lines with their numbers, "" for none.
func listed(what string, lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	var numbers []string
	for _, l := range lines[:min(len(lines), maxListed)] {
		numbers = append(numbers, fmt.Sprint(l+1))
	}
	if len(lines) > maxListed {
		numbers = append(numbers, "…")
	}
	word := "lines "
	if len(lines) == 1 {
		word = "line "
	}
	return fmt.Sprintf(what, len(lines)) + " (" + word + strings.Join(numbers, ", ") + ")"
}

// maxListed limits how many lines a message lists.
const maxListed = 20
