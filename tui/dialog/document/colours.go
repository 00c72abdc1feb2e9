package document

import (
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
	"playhead/themes"
	"playhead/tui/markdown"
)

// sourceColours colours the lines of a document: prose, and the code in its fences by its own language. Because
// highlighting takes longer than drawing a frame, each block is coloured once, when it is first in sight.
type sourceColours struct {
	lines  []string
	blocks []colourBlock // every line is in one of them
	styles *themes.Styles
}

// colourBlock is a range of lines that can be coloured without the lines around it.
type colourBlock struct {
	first, end int                               // the first line, and the one after the last, from 0
	language   string                            // of code and prose
	style      func(*themes.Styles) themes.Style // of a fence or directive; nil: the lines are highlighted
	coloured   []string                          // nil until it has been in sight
}

// newSourceColours returns the colours of a document with these lines.
func newSourceColours(p *plan.Plan, lines []string) sourceColours {
	if filepath.Ext(p.SourcePath()) == ".json" {
		return sourceColours{lines: lines, blocks: jsonBlocks(len(lines))}
	}
	s := blockSplitter{isFirstOfStep: map[int]bool{}}
	p.Walk(func(step, _ *plan.Step) bool {
		s.isFirstOfStep[step.Span.Line-1] = true
		return true
	})
	for i := range lines {
		s.addLine(i, lines)
	}
	s.endBlock(len(lines))
	return sourceColours{lines: lines, blocks: s.blocks}
}

// jsonBlocks returns the blocks of a JSON document, each of one line.
func jsonBlocks(lineCount int) []colourBlock {
	out := make([]colourBlock, lineCount)
	for i := range out {
		out[i] = colourBlock{first: i, end: i + 1, language: "json"}
	}
	return out
}

// maxNewBytes is how many bytes a frame colours at most, apart from its last new block. The next frame colours the others.
const maxNewBytes = 4 << 10

// colouredLines returns the lines from the i-th up to the end-th, coloured.
func (c *sourceColours) colouredLines(i, end int, s *themes.Styles) []string {
	if c.styles != s {
		for n := range c.blocks {
			c.blocks[n].coloured = nil
		}
		c.styles = s
	}
	out, newBytes := make([]string, 0, end-i), 0
	for n := sort.Search(len(c.blocks), func(n int) bool { return c.blocks[n].end > i }); i < end; n++ {
		b := &c.blocks[n]
		lines := c.lines[b.first:b.end]
		if b.coloured == nil && newBytes < maxNewBytes {
			b.coloured = b.colour(lines, s)
			newBytes += len(strings.Join(lines, "\n"))
		}
		if b.coloured != nil {
			lines = b.coloured
		}
		to := min(end, b.end)
		out, i = append(out, lines[i-b.first:to-b.first]...), to
	}
	return out
}

// jsonKeyPattern matches a line of JSON that begins with a key.
var jsonKeyPattern = regexp.MustCompile(`^\s*"(\\.|[^"\\])*"\s*:`)

// colour returns the coloured lines of the block.
func (b *colourBlock) colour(lines []string, s *themes.Styles) []string {
	switch {
	case b.style != nil:
		return []string{b.style(s).Paint(lines[0])}
	case !markdown.IsKnownLanguage(b.language): // such as a prompt
		return lines
	case b.language == "json" && len(lines) == 1 && jsonKeyPattern.MatchString(lines[0]): // only in an object is it a key
		return []string{strings.Replace(markdown.HighlightCode("{"+lines[0], b.language, s)[0], "{", "", 1)}
	}
	ended := strings.Join(lines, "\n") + "\n" // a heading is one only with its line end
	return markdown.HighlightCode(ended, b.language, s)[:len(lines)]
}

// blockSplitter divides the lines of a Markdown document into blocks. It begins anew at each step, so that a fence or
// comment that the document's format reads in another way only affects the colours of its step.
type blockSplitter struct {
	isFirstOfStep  map[int]bool // the lines on which steps begin
	blocks         []colourBlock
	first          int          // the first line that is in no block yet
	openFence      source.Fence // Char is 0 outside fences
	proseUntil     int          // the line with which a comment or the front matter ends
	isPastComments bool         // no comment ends any more
}

func (s *blockSplitter) addLine(i int, lines []string) {
	if s.isFirstOfStep[i] {
		s.endBlock(i)
		s.openFence, s.proseUntil = source.Fence{}, i
	}
	line := lines[i]
	f, isFence := source.ReadFence(line)
	switch {
	case i < s.proseUntil:
	case s.openFence.Char != 0 && isFence && f.Closes(s.openFence):
		s.addStyledLine(i, mutedStyle)
		s.openFence = source.Fence{}
	case s.openFence.Char != 0:
	case isFence && f.CanOpen():
		s.addStyledLine(i, mutedStyle)
		s.openFence = f
	case isFence: // a one-line directive of a playbook
		s.addStyledLine(i, toolStyle)
	case i == 0 && line == "---":
		s.proseUntil = i + 1 + slices.Index(lines[1:], line)
	case !s.isPastComments && strings.HasPrefix(strings.TrimLeft(line, " "), "<!--"):
		n := slices.IndexFunc(lines[i:], func(line string) bool { return strings.Contains(line, "-->") })
		s.proseUntil, s.isPastComments = i+n, n < 0
	case source.IsBlank(line), line == "---": // which chroma takes for front matter if it begins a text
		s.endBlock(i + 1)
	}
}

func mutedStyle(s *themes.Styles) themes.Style { return s.Muted }
func toolStyle(s *themes.Styles) themes.Style  { return s.Tool }

// addStyledLine adds a line as a block in one style.
func (s *blockSplitter) addStyledLine(i int, style func(*themes.Styles) themes.Style) {
	s.endBlock(i)
	s.blocks, s.first = append(s.blocks, colourBlock{first: i, end: i + 1, style: style}), i+1
}

// endBlock ends a block of code or prose before a line.
func (s *blockSplitter) endBlock(end int) {
	if end == s.first {
		return
	}
	language := "markdown"
	if s.openFence.Char != 0 {
		language, _, _ = strings.Cut(strings.TrimSpace(s.openFence.Info), " ")
	}
	s.blocks, s.first = append(s.blocks, colourBlock{first: s.first, end: end, language: language}), end
}
