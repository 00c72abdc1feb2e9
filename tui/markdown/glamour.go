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

// drawProse draws a paragraph, a heading or a table with glamour.
func (d *document) drawProse(source string, width int) []string {
	if strings.TrimSpace(source) == "" {
		return nil
	}
	if strings.Contains(source, "[") {
		source += "\n" + d.linkDefinitions
	}
	drawn, err := rendererFor(d.styles, max(width, minWidth)).render(source)
	if err != nil {
		drawn = ansi.Wrap(source, width, "")
	}
	return trimLines(strings.Split(unescapeEntities(drawn), "\n"))
}

// Glamour resolves entities and drops HTML, but a document must show as it is written. Therefore these
// characters, which no text has, replace & and < before glamour sees the text.
const (
	ampersandStandIn = "\ufdd0"
	lessStandIn      = "\ufdd1"
)

// inlineSource returns the source of a block's text, with hard line breaks as line ends and all others as
// blanks.
func (d *document) inlineSource(block ast.Node) string {
	source := string(block.Lines().Value(d.source))
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
	entityPattern   = regexp.MustCompile(`&(#[xX]?)?[0-9A-Za-z]+;?`)
	tagPattern      = regexp.MustCompile(`<[/!?a-zA-Z][^<>]*>`)
	autolinkPattern = regexp.MustCompile(`^<([a-zA-Z][a-zA-Z0-9+.-]+:|[^<>\s/]+@)`)
)

// escapeEntities puts stand-ins for the & of entities for characters that must not show as they are, and for the < of
// HTML.
func escapeEntities(source string) string {
	source = entityPattern.ReplaceAllStringFunc(source, func(e string) string {
		if decoded := html.UnescapeString(e); sanitize.Plain(decoded) != decoded {
			return ampersandStandIn + e[1:]
		}
		return e
	})
	return tagPattern.ReplaceAllStringFunc(source, func(t string) string {
		if autolinkPattern.MatchString(t) {
			return t
		}
		return lessStandIn + t[1:]
	})
}

// hyperlinkPattern matches the sequence with which a terminal makes text clickable. It is removed, because the
// document chose the address. The address shows beside the text.
var hyperlinkPattern = regexp.MustCompile("\x1b\\]8;[^\x07\x1b]*(\x07|\x1b\\\\)")

var entityRestorer = strings.NewReplacer(ampersandStandIn, "&", lessStandIn, "<")

// unescapeEntities puts back what escapeEntities replaced, and removes hyperlinks.
func unescapeEntities(drawn string) string {
	return entityRestorer.Replace(hyperlinkPattern.ReplaceAllString(drawn, ""))
}

var paddingPattern = regexp.MustCompile("(\x1b\\[[0-9;]*m| )+$")

// trimLines removes blank lines around a text, and blanks at the ends of its lines.
func trimLines(lines []string) []string {
	for i, line := range lines {
		end := paddingPattern.FindStringIndex(line)
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
	glamourRenderer *glamour.TermRenderer
}

func (r *renderer) render(source string) (string, error) {
	r.Lock()
	defer r.Unlock()
	return r.glamourRenderer.Render(source)
}

type rendererKey struct {
	theme string
	width int
}

// invalidBaseURL is an invalid base address, so that glamour shows the addresses of a document as they are
// written.
const invalidBaseURL = "%"

// maxRenderers limits the number of cached renderers, one for each width and theme.
const maxRenderers = 64

var rendererCache = struct {
	sync.Mutex
	made map[rendererKey]*renderer
}{made: map[rendererKey]*renderer{}}

func rendererFor(s *themes.Styles, width int) *renderer {
	rendererCache.Lock()
	defer rendererCache.Unlock()
	key := rendererKey{s.Palette.Name, width}
	if r := rendererCache.made[key]; r != nil {
		return r
	}
	term, err := glamour.NewTermRenderer(
		glamour.WithStyles(glamourStyleOf(s.Palette)), glamour.WithWordWrap(width),
		glamour.WithPreservedNewLines(), glamour.WithInlineTableLinks(true), glamour.WithBaseURL(invalidBaseURL),
	)
	if err != nil {
		panic(err) // none of these options can fail
	}
	if len(rendererCache.made) >= maxRenderers {
		clear(rendererCache.made)
	}
	r := &renderer{glamourRenderer: term}
	rendererCache.made[key] = r
	return r
}

// glamourStyleOf returns a style of glamour for a palette.
func glamourStyleOf(p themes.Palette) glamourstyle.StyleConfig {
	type primitive = glamourstyle.StylePrimitive
	yes := true
	heading := primitive{Bold: &yes, Color: glamourColour(p.Text)}
	code, link := primitive{Color: glamourColour(p.Text), BackgroundColor: glamourColour(p.SelectionBackground)}, primitive{Color: glamourColour(p.Text), Underline: &yes}
	if p.SelectionBackground == "" { // without a background colour, the backticks set it apart
		code.Prefix, code.Suffix = "`", "`"
	}
	border := themes.NewStyles(p).Border
	rule, column, cross := border.Paint("─"), border.Paint("│"), border.Paint("┼")
	return glamourstyle.StyleConfig{
		Heading:       glamourstyle.StyleBlock{StylePrimitive: heading},
		Emph:          primitive{Italic: &yes},
		Strong:        primitive{Bold: &yes},
		Strikethrough: primitive{CrossedOut: &yes},
		Task:          glamourstyle.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:          primitive{Color: glamourColour(p.Muted)},
		LinkText:      link,
		Image:         primitive{Color: glamourColour(p.Muted)},
		ImageText:     primitive{Color: glamourColour(p.Muted), Format: "image: {{.text}}"},
		Code:          glamourstyle.StyleBlock{StylePrimitive: code},
		Table:         glamourstyle.StyleTable{CenterSeparator: &cross, ColumnSeparator: &column, RowSeparator: &rule},
	}
}

// glamourColour converts a palette's value for glamour. It returns nil for the terminal's own foreground.
func glamourColour(c string) *string {
	if c == "" {
		return nil
	}
	if number, ok := themes.TerminalColourNumber(c); ok {
		c = number
	}
	return &c
}
