package markdown

import (
	"encoding/json"
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

// Block returns code as lines with a bar at their left and a label, as its language, at the right
// of the first. mark stands in front of the first line, blanks of its width in front of the others.
// Nothing is cut: what goes beyond the edge continues on the next line.
func Block(source, language, mark, label string, width int, s *themes.Styles) []string {
	room := max(1, width-ansi.StringWidth(s.CodeBar(false)+mark))
	head := mark
	var lines []string
	for _, line := range Code(source, language, s) {
		for i, row := range rows(line, room) {
			row = s.CodeBar(i > 0) + head + row
			if gap := width - ansi.StringWidth(row) - ansi.StringWidth(label); lines == nil && label != "" && gap > 1 {
				row += strings.Repeat(" ", gap) + s.Muted.Paint(label)
			}
			lines = append(lines, strings.TrimRight(row, " "))
			head = strings.Repeat(" ", ansi.StringWidth(mark))
		}
	}
	return lines
}

// maxHighlighted is the longest code that is highlighted: what a key makes visible has to show at
// once.
const maxHighlighted = 16 << 10

// Code returns code as lines, coloured where the language is known. The source must be free of
// controls; without its styles, each line is a line of the source as it is written.
func Code(source, language string, s *themes.Styles) []string {
	plain := strings.Split(source, "\n")
	if !knownLanguages()[strings.ToLower(language)] || len(source) > maxHighlighted {
		return paintLines(plain, s.Command)
	}
	lexer := lexers.Get(language)
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return paintLines(plain, s.Command)
	}
	var b strings.Builder
	var read, run strings.Builder // run: neighbours that look the same
	ink := s.Command
	for _, token := range tokens.Tokens() {
		read.WriteString(token.Value)
		if next := inkOf(token.Type, s); next != ink {
			paint(&b, run.String(), ink)
			run.Reset()
			ink = next
		}
		run.WriteString(token.Value)
	}
	paint(&b, run.String(), ink)
	if strings.TrimSuffix(read.String(), "\n") != strings.TrimSuffix(source, "\n") { // a lexer may drop what it does not know
		return paintLines(plain, s.Command)
	}
	return strings.Split(b.String(), "\n")[:len(plain)]
}

// knownLanguages are the names that chroma has lexers for. Asking for another one is slow: it is
// compared with patterns of file names.
var knownLanguages = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, name := range lexers.Names(true) {
		known[strings.ToLower(name)] = true
	}
	return known
})

// paint writes a text that may have line ends.
func paint(b *strings.Builder, text string, ink themes.Ink) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(ink.Paint(line))
	}
}

func paintLines(lines []string, ink themes.Ink) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = ink.Paint(line)
	}
	return out
}

func inkOf(t chroma.TokenType, s *themes.Styles) themes.Ink {
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

// WrapCode returns code as lines of at most width cells. Nothing is cut: what goes beyond the edge
// continues on the next line.
func WrapCode(source, language string, width int, s *themes.Styles) []string {
	var out []string
	for _, line := range Code(source, language, s) {
		out = append(out, rows(line, width)...)
	}
	return out
}

// rows are a line of code in rows of at most width cells, whose styles go on from one to the next.
func rows(line string, width int) []string {
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	_, _ = w.Write([]byte(strings.Join(cells.Measure{Method: ansi.GraphemeWidth}.Rows(line, width), "\n")))
	_ = w.Close()
	return strings.Split(b.String(), "\n")
}

// JSON returns a text that may be JSON as lines of at most width cells: indented and in colours if
// it is, else as it is. Nothing is cut.
func JSON(text string, width int, s *themes.Styles) []string {
	shown := strings.TrimRight(sanitize.Text(tools.Pretty(text)), "\n")
	if !json.Valid([]byte(text)) {
		return Wrap(shown, width)
	}
	return WrapCode(shown, "json", width, s)
}

// Wrap returns a text, free of controls, as lines of at most width cells.
func Wrap(text string, width int) []string {
	if text == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		out = append(out, cells.Measure{Method: ansi.GraphemeWidth}.Rows(line, width)...)
	}
	return out
}
