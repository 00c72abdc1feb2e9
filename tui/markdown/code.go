package markdown

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/themes"
	"playhead/tui/cells"
)

// DefaultLanguage is the language of commands whose document names none.
const DefaultLanguage = "bash"

// CodeBlock returns code as lines with a bar on their left side. The first line begins with mark and ends
// with a label, such as the language; the others are indented by the width of mark. Long lines are
// wrapped, not cut.
func CodeBlock(source, language, mark, label string, width int, s *themes.Styles, m cells.Measure) []string {
	room := max(1, width-m.Width(s.CodeBar(false)+mark))
	head := mark
	var lines []string
	for _, line := range HighlightCode(source, language, s) {
		for i, row := range wrapCodeLine(line, room, m) {
			row = s.CodeBar(i > 0) + head + row
			if gap := width - m.Width(row) - m.Width(label); lines == nil && label != "" && gap > 1 {
				row += strings.Repeat(" ", gap) + s.Muted.Paint(label)
			}
			lines = append(lines, strings.TrimRight(row, " "))
			head = strings.Repeat(" ", m.Width(mark))
		}
	}
	return lines
}

// LabelColumn returns the column at which the label of a row of CodeBlock begins, the width if it has none. A label
// ends at the right edge, and there are at least two blanks before it.
func LabelColumn(row string, width int) int {
	text := ansi.Strip(row)
	gap := strings.LastIndex(text, "  ")
	if gap < 0 || ansi.StringWidth(text) != width {
		return width
	}
	return ansi.StringWidth(text[:gap+2])
}

// The maximum sizes, in bytes, of code and of Markdown that are highlighted: they must show at once after a key.
const (
	maxHighlightedBytes         = 16 << 10
	maxHighlightedMarkdownBytes = 4 << 10 // its lexer reads one character at a time
)

// HighlightCode returns code as lines, coloured if the language is known. The source must not have control
// characters. Without styles, each line equals a line of the source.
func HighlightCode(source, language string, s *themes.Styles) []string {
	plain := strings.Split(source, "\n")
	style, styleOf, maxBytes := s.Command, codeStyle, maxHighlightedBytes
	if slices.Contains([]string{"markdown", "md", "mkd"}, strings.ToLower(language)) {
		style, styleOf, maxBytes = s.Text, proseStyle, maxHighlightedMarkdownBytes
	}
	if !IsKnownLanguage(language) || len(source) > maxBytes {
		return paintLines(plain, style)
	}
	lexer := lexers.Get(language)
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return paintLines(plain, style)
	}
	var b strings.Builder
	var read, segment strings.Builder // segment: adjacent tokens with the same style
	plainStyle := style
	for _, token := range tokens.Tokens() {
		read.WriteString(token.Value)
		if next := styleOf(token.Type, s); next != style {
			writePainted(&b, segment.String(), style)
			segment.Reset()
			style = next
		}
		segment.WriteString(token.Value)
	}
	writePainted(&b, segment.String(), style)
	if strings.TrimSuffix(read.String(), "\n") != strings.TrimSuffix(source, "\n") { // a lexer may drop characters
		return paintLines(plain, plainStyle)
	}
	b.WriteByte('\n') // a lexer may drop the last line end
	return strings.Split(b.String(), "\n")[:len(plain)]
}

// IsKnownLanguage reports whether HighlightCode colours a language by its tokens.
func IsKnownLanguage(language string) bool { return knownLanguages()[strings.ToLower(language)] }

// knownLanguages returns the names for which chroma has lexers. Asking chroma for another name is slow,
// because it compares the name with patterns of file names.
var knownLanguages = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, name := range lexers.Names(true) {
		known[strings.ToLower(name)] = true
	}
	return known
})

// writePainted writes a text, line by line, because styles must not span line ends.
func writePainted(b *strings.Builder, text string, style themes.Style) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(style.Paint(line))
	}
}

func paintLines(lines []string, style themes.Style) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = style.Paint(line)
	}
	return out
}

// proseStyle returns the style of a token of Markdown's source.
func proseStyle(t chroma.TokenType, s *themes.Styles) themes.Style {
	switch {
	case t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return s.Title
	case t == chroma.GenericStrong:
		return s.Bold
	case t == chroma.GenericEmph:
		return s.Italic
	case t.InCategory(chroma.Keyword): // the sign of a list item
		return s.Muted
	case t.InSubCategory(chroma.LiteralString):
		return s.Command
	}
	return s.Text
}

// codeStyle returns the style of a token of code.
func codeStyle(t chroma.TokenType, s *themes.Styles) themes.Style {
	switch {
	case t.InCategory(chroma.Comment):
		return s.Muted
	case t.InCategory(chroma.Keyword), t.InSubCategory(chroma.LiteralNumber):
		return s.Model
	case t.InSubCategory(chroma.LiteralString):
		return s.Pass
	case t == chroma.NameTag, t == chroma.NameFunction, t == chroma.NameAttribute:
		return s.Tool
	}
	return s.Command
}

// wrapCodeLine wraps a line of code at width cells. Styles continue from one row to the next.
func wrapCodeLine(line string, width int, m cells.Measure) []string {
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	_, _ = w.Write([]byte(strings.Join(m.WrapCode(line, width), "\n")))
	_ = w.Close()
	return strings.Split(b.String(), "\n")
}

// JSONLines returns a text as lines of at most width cells; valid JSON as a block of code, indented. Long lines
// are wrapped, not cut.
func JSONLines(text string, width int, s *themes.Styles, m cells.Measure) []string {
	shown := strings.TrimRight(sanitize.PlainLines(tools.PrettyJSON(text)), "\n")
	if !json.Valid([]byte(text)) {
		return wrapLines(shown, width, m.WrapCode)
	}
	return CodeBlock(shown, "json", "", "json", width, s, m)
}

// WrapText returns a text without control characters as lines of at most width cells.
func WrapText(text string, width int, m cells.Measure) []string {
	return wrapLines(strings.TrimSuffix(text, "\n"), width, m.WrapText)
}

// wrapLines returns the rows of each line of a text.
func wrapLines(text string, width int, wrap func(line string, width int) []string) []string {
	if text == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, wrap(line, width)...)
	}
	return out
}
