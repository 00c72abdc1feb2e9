package markdown

import (
	"html"
	"regexp"
	"strings"
	"sync"

	"charm.land/glamour/v2"
	glamourstyle "charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"

	"playhead/engine/sanitize"
	"playhead/themes"
)

// prose draws a paragraph, a heading or a table with glamour.
func (d *document) prose(source string, width int) []string {
	if strings.TrimSpace(source) == "" {
		return nil
	}
	if strings.Contains(source, "[") {
		source += "\n" + d.references
	}
	drawn, err := rendererFor(d.styles, max(width, minWidth)).draw(source)
	if err != nil {
		drawn = ansi.Wrap(source, width, "")
	}
	return trimmed(strings.Split(unescapeEntities(drawn), "\n"))
}

// Glamour resolves entities and drops HTML, but a document must show as it is written. Therefore these characters,
// which no text has, replace & and < before glamour sees the text.
const (
	ampersand = "\ufdd0"
	less      = "\ufdd1"
)

// inlines returns the source of a block's text, with hard line breaks as line ends and all others as
// blanks.
func (d *document) inlines(block ast.Node) string {
	source := string(block.Lines().Value(d.src))
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	for i, line := range lines {
		end := " "
		if strings.HasSuffix(line, "  ") || strings.HasSuffix(line, "\\") {
			end = "  \n"
			line = strings.TrimSuffix(strings.TrimRight(line, " "), "\\")
		}
		if i == len(lines)-1 {
			end = ""
		}
		lines[i] = strings.TrimLeft(line, " \t") + end
	}
	return escapeEntities(strings.Join(lines, ""))
}

var (
	entity = regexp.MustCompile(`&(#[xX]?)?[0-9A-Za-z]+;?`)
	tag    = regexp.MustCompile(`<[/!?a-zA-Z][^<>]*>`)
	link   = regexp.MustCompile(`^<([a-zA-Z][a-zA-Z0-9+.-]+:|[^<>\s/]+@)`)
)

func escapeEntities(source string) string {
	source = entity.ReplaceAllStringFunc(source, func(e string) string {
		if decoded := html.UnescapeString(e); sanitize.Plain(decoded) != decoded {
			return ampersand + e[1:]
		}
		return e
	})
	return tag.ReplaceAllStringFunc(source, func(t string) string {
		if link.MatchString(t) {
			return t
		}
		return less + t[1:]
	})
}

// hyperlink matches the sequence with which a terminal makes text clickable. It is removed, because the
// document chose the address. The address shows beside the text.
var hyperlink = regexp.MustCompile("\x1b\\]8;[^\x07\x1b]*(\x07|\x1b\\\\)")

var restoring = strings.NewReplacer(ampersand, "&", less, "<")

func unescapeEntities(drawn string) string {
	return restoring.Replace(hyperlink.ReplaceAllString(drawn, ""))
}

var padding = regexp.MustCompile("(\x1b\\[[0-9;]*m| )+$")

// trimmed removes blank lines around a text, and blanks at the ends of its lines.
func trimmed(lines []string) []string {
	for i, line := range lines {
		end := padding.FindStringIndex(line)
		if end == nil {
			continue
		}
		lines[i] = line[:end[0]]
		if strings.Contains(line[end[0]:], "\x1b") && strings.Contains(lines[i], "\x1b") {
			lines[i] += "\x1b[m"
		}
	}
	for len(lines) > 0 && ansi.Strip(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && ansi.Strip(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// renderer is a glamour renderer, which draws one text at a time.
type renderer struct {
	sync.Mutex
	term *glamour.TermRenderer
}

func (r *renderer) draw(source string) (string, error) {
	r.Lock()
	defer r.Unlock()
	return r.term.Render(source)
}

type rendererKey struct {
	theme string
	width int
}

// noBase is an invalid base address, so that glamour shows the addresses of a document as they are written.
const noBase = "%"

// maxRenderers limits the number of cached renderers, one for each width and theme.
const maxRenderers = 64

var renderers = struct {
	sync.Mutex
	made map[rendererKey]*renderer
}{made: map[rendererKey]*renderer{}}

func rendererFor(s *themes.Styles, width int) *renderer {
	renderers.Lock()
	defer renderers.Unlock()
	key := rendererKey{s.Palette.Name, width}
	if r := renderers.made[key]; r != nil {
		return r
	}
	term, err := glamour.NewTermRenderer(
		glamour.WithStyles(styleOf(s.Palette)), glamour.WithWordWrap(width),
		glamour.WithPreservedNewLines(), glamour.WithInlineTableLinks(true), glamour.WithBaseURL(noBase),
	)
	if err != nil {
		panic(err) // none of these options can fail
	}
	if len(renderers.made) >= maxRenderers {
		clear(renderers.made)
	}
	r := &renderer{term: term}
	renderers.made[key] = r
	return r
}

// styleOf returns a style of glamour for a palette.
func styleOf(p themes.Palette) glamourstyle.StyleConfig {
	type primitive = glamourstyle.StylePrimitive
	yes := true
	heading := primitive{Bold: &yes, Color: colour(p.Text)}
	code, link := primitive{Color: colour(p.Text), BackgroundColor: colour(p.Raised)}, primitive{Color: colour(p.Text), Underline: &yes}
	if p.Raised == "" { // without a background colour
		code.Bold = &yes
	}
	border := themes.New(p).Border
	rule, column, cross := border.Paint("─"), border.Paint("│"), border.Paint("┼")
	return glamourstyle.StyleConfig{
		Heading:       glamourstyle.StyleBlock{StylePrimitive: heading},
		Emph:          primitive{Italic: &yes},
		Strong:        primitive{Bold: &yes},
		Strikethrough: primitive{CrossedOut: &yes},
		Task:          glamourstyle.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:          primitive{Color: colour(p.Muted)},
		LinkText:      link,
		Image:         primitive{Color: colour(p.Muted)},
		ImageText:     primitive{Color: colour(p.Muted), Format: "image: {{.text}}"},
		Code:          glamourstyle.StyleBlock{StylePrimitive: code},
		Table:         glamourstyle.StyleTable{CenterSeparator: &cross, ColumnSeparator: &column, RowSeparator: &rule},
	}
}

// colour returns a palette's colour for glamour, nil for the terminal's own.
func colour(c string) *string {
	if c == "" {
		return nil
	}
	if number, ok := themes.Basic(c); ok {
		c = number
	}
	return &c
}
