package summary

import (
	"strings"

	"playhead/engine/artifact"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/markdown"
)

// output is the final output set for a width and a theme, which is done once.
type output struct {
	of    artifact.Artifact
	width int
	theme string
	set   []string
}

// lines sets the output: Markdown is rendered, text wrapped, all else is code.
func (p *output) lines(l *draw.Look, a artifact.Artifact, w int) []string {
	if p.of == a && p.width == w && p.theme == l.Palette.Name {
		return p.set
	}
	p.of, p.width, p.theme, p.set = a, w, l.Palette.Name, nil
	text := l.Signs(sanitize.Text(strings.Trim(a.Pretty(), "\n")))
	switch {
	case a.Type == "markdown" && len(text) <= maxRendered:
		p.set = markdown.Render(text, w, l.Styles)
	case a.Type == "markdown", a.Type == plan.PlainText:
		p.set = l.Wrap(text, w)
	default:
		p.set = markdown.WrapCode(text, a.Type, w, l.Styles)
	}
	return p.set
}

// maxRendered is the longest Markdown that is rendered. A longer one shows as it is.
const maxRendered = 256 << 10
