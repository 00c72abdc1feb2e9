package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/artifact"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/markdown"
)

// paper is the final output set for a width and a theme, which is done once.
type paper struct {
	of    artifact.Artifact
	width int
	theme string
	set   []string
}

// lines sets the output: Markdown is rendered, text wrapped, all else is code.
func (p *paper) lines(l *look, a artifact.Artifact, w int) []string {
	if p.of == a && p.width == w && p.theme == l.Palette.Name {
		return p.set
	}
	p.of, p.width, p.theme, p.set = a, w, l.Palette.Name, nil
	text := l.Signs(sanitize.Text(strings.Trim(a.Pretty(), "\n")))
	switch {
	case a.Type == "markdown" && len(text) <= mostPage:
		p.set = markdown.Render(text, w, l.Styles)
	case a.Type == "markdown", a.Type == plan.PlainText:
		p.set = l.Wrap(text, w)
	default:
		p.set = markdown.WrapCode(text, a.Type, w, l.Styles)
	}
	return p.set
}

// summarise opens the summary, or brings it to the top.
func (m *Model) summarise() {
	s := m.summary()
	if s == nil {
		s = &summary{track: m.live, saved: m.kept, plays: m.replays()}
	} else {
		m.close(s)
	}
	s.left = m.leftovers()
	m.open(s)
}

// summary is the card of how the run ended, or nil.
func (m *Model) summary() *summary {
	for _, c := range m.cards {
		if s, ok := c.(*summary); ok {
			return s
		}
	}
	return nil
}

func (m *Model) showSummary() tea.Cmd {
	m.summarise()
	return nil
}
