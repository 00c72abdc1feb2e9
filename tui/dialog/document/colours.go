package document

import (
	"path/filepath"
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
	s := blockSplitter{proseLanguage: languageOf(p.Path), isFirstOfStep: map[int]bool{}}
	p.Walk(func(step, _ *plan.Step) bool {
		s.isFirstOfStep[step.Span.Line-1] = true
		return true
	})
	for i, line := range lines {
		s.addLine(i, line)
	}
	s.endBlock(len(lines))
	return sourceColours{lines: lines, blocks: s.blocks}
}

// colouredLines returns the lines from the i-th up to the end-th, coloured.
func (c *sourceColours) colouredLines(i, end int, s *themes.Styles) []string {
	if c.styles != s {
		for i := range c.blocks {
			c.blocks[i].coloured = nil
		}
		c.styles = s
	}
	out := make([]string, 0, end-i)
	for n := sort.Search(len(c.blocks), func(n int) bool { return c.blocks[n].end > i }); i < end; n++ {
		b := &c.blocks[n]
		if b.coloured == nil {
			b.coloured = b.colour(c.lines[b.first:b.end], s)
		}
		to := min(end, b.end)
		out, i = append(out, b.coloured[i-b.first:to-b.first]...), to
	}
	return out
}

// colour returns the coloured lines of the block.
func (b *colourBlock) colour(lines []string, s *themes.Styles) []string {
	switch {
	case b.style != nil:
		return []string{b.style(s).Paint(lines[0])}
	case !markdown.IsKnownLanguage(b.language): // such as a prompt
		return lines
	}
	ended := strings.Join(lines, "\n") + "\n" // a heading is one only with its line end
	return markdown.HighlightCode(ended, b.language, s)[:len(lines)]
}

// blockSplitter divides the lines of a document into blocks.
type blockSplitter struct {
	proseLanguage string       // the language outside fences
	isFirstOfStep map[int]bool // the lines on which steps begin
	blocks        []colourBlock
	first         int          // the first line that is in no block yet
	openFence     source.Fence // Char is 0 outside fences
	untilText     string       // prose continues past blank lines until a line contains this text; empty: it does not
}

func (s *blockSplitter) addLine(i int, line string) {
	f, isFence := source.ReadFence(line)
	switch {
	case s.proseLanguage != "markdown":
		if s.isFirstOfStep[i] {
			s.endBlock(i)
		}
	case s.openFence.Char != 0 && isFence && f.Closes(s.openFence):
		s.addStyledLine(i, func(s *themes.Styles) themes.Style { return s.Muted })
		s.openFence = source.Fence{}
	case s.openFence.Char != 0:
	case isFence && f.CanOpen():
		s.addStyledLine(i, func(s *themes.Styles) themes.Style { return s.Muted })
		s.openFence = f
	case isFence: // a one-line directive of a playbook
		s.addStyledLine(i, func(s *themes.Styles) themes.Style { return s.Tool })
	default:
		s.addProse(i, line)
	}
}

// addProse ends the block after a blank line, unless it is in a comment or in the front matter.
func (s *blockSplitter) addProse(i int, line string) {
	switch opened := strings.LastIndex(line, "<!--"); {
	case i == 0 && line == "---":
		s.untilText = line
	case s.untilText != "" && strings.Contains(line, s.untilText):
		s.untilText = ""
	case opened >= 0 && !strings.Contains(line[opened:], "-->"):
		s.untilText = "-->"
	}
	if s.untilText == "" && source.IsBlank(line) {
		s.endBlock(i + 1)
	}
}

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
	language := s.proseLanguage
	if s.openFence.Char != 0 {
		language, _, _ = strings.Cut(strings.TrimSpace(s.openFence.Info), " ")
	}
	s.blocks, s.first = append(s.blocks, colourBlock{first: s.first, end: end, language: language}), end
}

// languageOf returns the name by which chroma knows the syntax of a file. The path of a built-in example
// has no extension.
func languageOf(path string) string {
	if filepath.Ext(path) == ".json" {
		return "json"
	}
	return "markdown"
}
