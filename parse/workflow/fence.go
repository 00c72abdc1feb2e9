package workflow

import (
	"playhead/parse/source"
	"slices"
	"strings"
)

// opener is a line that can open or close a fenced block (§3.2). Char is 0 for backticks with
// spaces between them.
type opener struct{ source.Fence }

// readOpener reads a line as one that can open a block.
func readOpener(text string) (opener, bool) {
	f, ok := source.ReadFence(text)
	if !ok && isSpacedFence(text) {
		columns, bytes := source.Indent(text)
		return opener{source.Fence{IndentColumns: columns, IndentBytes: bytes}}, true
	}
	return opener{f}, ok && f.CanOpen()
}

// isSpacedFence reports whether a line consists of three or more backticks with single spaces between
// them. They replace a fence where a fence cannot be written.
func isSpacedFence(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 5 || len(text)%2 == 0 {
		return false
	}
	return strings.Repeat("` ", len(text)/2)+"`" == text
}

// opensAnywhere reports whether the line opens a block at any place.
func (f opener) opensAnywhere() bool { return f.Char != 0 && f.IndentColumns <= source.MaxFenceIndent }

// canonical reports whether the line is exactly three backticks at the start.
func (f opener) canonical() bool {
	return f.Char == '`' && f.Length == 3 && f.IndentBytes == 0 && source.IsBlank(f.Info)
}

// maxClosingIndent returns the maximum indentation of a line that closes the block.
func (f opener) maxClosingIndent() int { return max(source.MaxFenceIndent, f.IndentColumns) }

// closedBy reports whether a line closes the block.
func (f opener) closedBy(text string) bool {
	if f.Char == 0 {
		return isSpacedFence(text)
	}
	c, ok := source.ReadFence(text)
	return ok && c.Closes(f.Fence) && c.IndentColumns <= f.maxClosingIndent()
}

// closingLines records for each line that opens a block whether a later line closes it. Without this,
// each search for a missing end would read to the end of the file.
type closingLines struct {
	isClosedBelow   []bool // by line: closed below
	lastSpacedFence int    // the last line of spaced backticks
	lastCommentEnd  int    // the last line that ends a comment
}

func (c closingLines) closed(line int, f opener) bool {
	if f.Char == 0 {
		return c.lastSpacedFence > line
	}
	return c.isClosedBelow[line]
}

// findClosingLines examines the lines from the last to the first.
func findClosingLines(lines []string) closingLines {
	c := closingLines{isClosedBelow: make([]bool, len(lines)), lastSpacedFence: -1, lastCommentEnd: -1}
	var ticks, tildes closers
	for i, text := range slices.Backward(lines) {
		if c.lastCommentEnd < 0 && strings.Contains(text, "-->") {
			c.lastCommentEnd = i
		}
		fence, ok := source.ReadFence(text)
		if !ok {
			if c.lastSpacedFence < 0 && isSpacedFence(text) {
				c.lastSpacedFence = i
			}
			continue
		}
		f := opener{fence}
		s := &ticks
		if f.Char == '~' {
			s = &tildes
		}
		c.isClosedBelow[i] = s.canClose(f)
		if source.IsBlank(f.Info) {
			s.add(closer{f.maxClosingIndent(), f.Length})
		}
	}
	return c
}

// closers are the lines that can close a block, sorted by indentation. A line is left out if another
// one is indented no further and its fence is at least as long.
type closers []closer

type closer struct{ maxIndent, fenceLength int }

// indexOfIndent returns the index of a depth among the closers.
func (s closers) indexOfIndent(depth int) int {
	i, _ := slices.BinarySearchFunc(s, depth, func(a closer, depth int) int { return a.maxIndent - depth })
	return i
}

// canClose reports whether one of them closes a block.
func (s closers) canClose(f opener) bool {
	i := s.indexOfIndent(f.maxClosingIndent() + 1)
	return i > 0 && s[i-1].fenceLength >= f.Length
}

func (s *closers) add(n closer) {
	from := s.indexOfIndent(n.maxIndent)
	if i := s.indexOfIndent(n.maxIndent + 1); i > 0 && (*s)[i-1].fenceLength >= n.fenceLength {
		return
	}
	to := from
	for to < len(*s) && (*s)[to].fenceLength <= n.fenceLength {
		to++
	}
	*s = slices.Replace(*s, from, to, n)
}
