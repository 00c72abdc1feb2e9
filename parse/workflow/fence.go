package workflow

import (
	"playhead/parse/source"
	"slices"
	"strings"
)

// opener is a line that can open or close a fenced block (§3.2). Char is 0 for backticks with
// spaces between them.
type opener struct{ source.Fence }

// openerOf reads a line as one that can open a block.
func openerOf(text string) (opener, bool) {
	f, ok := source.ReadFence(text)
	if !ok && spacedOut(text) {
		columns, bytes := source.Indent(text)
		return opener{source.Fence{Columns: columns, Bytes: bytes}}, true
	}
	return opener{f}, ok && f.CanOpen()
}

// spacedOut reports whether a line consists of three or more backticks with single spaces between
// them. They replace a fence where a fence cannot be written.
func spacedOut(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 5 || len(text)%2 == 0 {
		return false
	}
	return strings.Repeat("` ", len(text)/2)+"`" == text
}

// opensAnywhere reports whether the line opens a block at any place.
func (f opener) opensAnywhere() bool { return f.Char != 0 && f.Columns <= source.MaxFenceIndent }

// canonical reports whether the line is exactly three backticks at the start.
func (f opener) canonical() bool {
	return f.Char == '`' && f.Run == 3 && f.Bytes == 0 && source.IsBlank(f.Info)
}

// deepest returns the maximum indentation of a line that closes the block.
func (f opener) deepest() int { return max(source.MaxFenceIndent, f.Columns) }

// closedBy reports whether a line closes the block.
func (f opener) closedBy(text string) bool {
	if f.Char == 0 {
		return spacedOut(text)
	}
	c, ok := source.ReadFence(text)
	return ok && c.Closes(f.Fence) && c.Columns <= f.deepest()
}

// closingLines records for each line that opens a block whether a later line closingLines it, so that the
// search for a missing end does not go to the end of the file each time.
type closingLines struct {
	open           []bool // by line: closed below
	lastSpaced     int    // the last line of spaced backticks
	lastCommentEnd int    // the last line that ends a comment
}

func (c closingLines) closed(line int, f opener) bool {
	if f.Char == 0 {
		return c.lastSpaced > line
	}
	return c.open[line]
}

// closings examines the lines from the last to the first.
func closings(lines []string) closingLines {
	c := closingLines{open: make([]bool, len(lines)), lastSpaced: -1, lastCommentEnd: -1}
	var ticks, tildes closers
	for i, text := range slices.Backward(lines) {
		if c.lastCommentEnd < 0 && strings.Contains(text, "-->") {
			c.lastCommentEnd = i
		}
		fence, ok := source.ReadFence(text)
		if !ok {
			if c.lastSpaced < 0 && spacedOut(text) {
				c.lastSpaced = i
			}
			continue
		}
		f := opener{fence}
		s := &ticks
		if f.Char == '~' {
			s = &tildes
		}
		c.open[i] = s.closes(f)
		if source.IsBlank(f.Info) {
			s.add(closer{f.deepest(), f.Run})
		}
	}
	return c
}

// closers are the lines that can close a block, by indentation. A line is left out if another one has
// no more indentation and a run that is at least as long.
type closers []closer

type closer struct{ depth, run int }

// indexOf returns the index of a depth among the closers.
func (s closers) indexOf(depth int) int {
	i, _ := slices.BinarySearchFunc(s, depth, func(a closer, depth int) int { return a.depth - depth })
	return i
}

// closes reports whether one of them closes a block.
func (s closers) closes(f opener) bool {
	i := s.indexOf(f.deepest() + 1)
	return i > 0 && s[i-1].run >= f.Run
}

func (s *closers) add(n closer) {
	from := s.indexOf(n.depth)
	if i := s.indexOf(n.depth + 1); i > 0 && (*s)[i-1].run >= n.run {
		return
	}
	to := from
	for to < len(*s) && (*s)[to].run <= n.run {
		to++
	}
	*s = slices.Replace(*s, from, to, n)
}
