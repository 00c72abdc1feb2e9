package workflow

import (
	"slices"
	"strings"

	"playhead/parse/source"
)

// fenceOpener is a line that can open or close a fenced block (§3.2). Char is 0 for backticks with
// spaces between them.
type fenceOpener struct{ source.Fence }

// readFenceOpener reads a line as one that can open a block.
func readFenceOpener(text string) (fenceOpener, bool) {
	f, ok := source.ReadFence(text)
	if !ok && isSpacedFence(text) {
		columns, bytes := source.IndentOf(text)
		return fenceOpener{source.Fence{IndentColumns: columns, IndentBytes: bytes}}, true
	}
	return fenceOpener{f}, ok && f.CanOpen()
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

// canOpenAnywhere reports whether the line opens a block at any place.
func (f fenceOpener) canOpenAnywhere() bool {
	return f.Char != 0 && f.IndentColumns <= source.MaxFenceIndent
}

// isCanonical reports whether the line is exactly three backticks at the start.
func (f fenceOpener) isCanonical() bool {
	return f.Char == '`' && f.Length == 3 && f.IndentBytes == 0 && source.IsBlank(f.Info)
}

// maxClosingIndent returns the maximum indentation of a line that closes the block.
func (f fenceOpener) maxClosingIndent() int { return max(source.MaxFenceIndent, f.IndentColumns) }

// isClosedBy reports whether a line closes the block.
func (f fenceOpener) isClosedBy(text string) bool {
	if f.Char == 0 {
		return isSpacedFence(text)
	}
	c, ok := source.ReadFence(text)
	return ok && c.Closes(f.Fence) && c.IndentColumns <= f.maxClosingIndent()
}

// closingLines says whether a later line closes a block, so that a search for an end that is missing does not read to
// the end of the file each time.
type closingLines struct {
	isClosedBelow       []bool // by line with a fence: a later line closes its block
	lastSpacedFenceLine int    // the last line of spaced backticks
	lastCommentEndLine  int    // the last line that ends a comment
}

// isClosed reports whether a later line closes the block that a line opens.
func (c closingLines) isClosed(line int, f fenceOpener) bool {
	if f.Char == 0 {
		return c.lastSpacedFenceLine > line
	}
	return c.isClosedBelow[line]
}

// findClosingLines examines the lines from the last to the first.
func findClosingLines(lines []string) closingLines {
	c := closingLines{isClosedBelow: make([]bool, len(lines)), lastSpacedFenceLine: -1, lastCommentEndLine: -1}
	var ticks, tildes fenceClosers
	for i, text := range slices.Backward(lines) {
		if c.lastCommentEndLine < 0 && strings.Contains(text, "-->") {
			c.lastCommentEndLine = i
		}
		fence, ok := source.ReadFence(text)
		if !ok {
			if c.lastSpacedFenceLine < 0 && isSpacedFence(text) {
				c.lastSpacedFenceLine = i
			}
			continue
		}
		f := fenceOpener{fence}
		s := &ticks
		if f.Char == '~' {
			s = &tildes
		}
		c.isClosedBelow[i] = s.canClose(f)
		if source.IsBlank(f.Info) {
			s.add(fenceCloser{f.maxClosingIndent(), f.Length})
		}
	}
	return c
}

// fenceClosers are the lines that can close a block, sorted by indentation. A line is left out if another
// one is indented no further and its fence is at least as long.
type fenceClosers []fenceCloser

// fenceCloser is a line that can close a block. maxIndent is its indentation in columns, but at least MaxFenceIndent.
type fenceCloser struct{ maxIndent, fenceLength int }

// indexOfIndent returns the index of the first closer with at least this indentation.
func (c fenceClosers) indexOfIndent(indent int) int {
	i, _ := slices.BinarySearchFunc(c, indent, func(a fenceCloser, indent int) int { return a.maxIndent - indent })
	return i
}

// canClose reports whether one of them closes a block.
func (c fenceClosers) canClose(f fenceOpener) bool {
	i := c.indexOfIndent(f.maxClosingIndent() + 1)
	return i > 0 && c[i-1].fenceLength >= f.Length
}

func (c *fenceClosers) add(n fenceCloser) {
	from := c.indexOfIndent(n.maxIndent)
	if i := c.indexOfIndent(n.maxIndent + 1); i > 0 && (*c)[i-1].fenceLength >= n.fenceLength {
		return
	}
	to := from
	for to < len(*c) && (*c)[to].fenceLength <= n.fenceLength {
		to++
	}
	*c = slices.Replace(*c, from, to, n)
}
