package tui

import (
	"errors"
	"io/fs"
	"path/filepath"
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
	text := sanitize.Text(strings.Trim(a.Pretty(), "\n"))
	switch {
	case a.Type == "markdown" && len(text) <= mostPage:
		p.set = markdown.Render(text, w, proseStyles(l.Styles))
	case a.Type == "markdown", a.Type == plan.PlainText:
		p.set = l.wrap(text, w)
	default:
		for _, line := range strings.Split(text, "\n") {
			for _, part := range l.hard(line, w) {
				p.set = append(p.set, l.Command.Paint(part))
			}
		}
	}
	return p.set
}

// summarise opens the summary.
func (m *Model) summarise() {
	for _, c := range m.cards {
		if s, ok := c.(*summary); ok {
			m.close(s)
			m.open(s)
			return
		}
	}
	m.open(&summary{track: m.track, saved: m.kept})
}

func (m *Model) showSummary() tea.Cmd {
	m.summarise()
	return nil
}

// savedMsg is what became of saving the final output.
type savedMsg struct {
	path string // the file
	err  error
}

// askWhere asks for the name of the file that the final output is saved in.
func (m *Model) askWhere() tea.Cmd {
	final, _ := m.track.Final()
	m.open(newNote("Save the final output ("+final.Type+") as", final.Name(m.cfg.Plan.Title), "save", func(path string) tea.Cmd {
		if path == "" {
			m.say("Nothing was saved: there is no name.")
			return nil
		}
		return m.save(final, path, false)
	}))
	return nil
}

// save writes the file, which may take a while.
func (m *Model) save(a artifact.Artifact, path string, over bool) tea.Cmd {
	title := m.cfg.Plan.Title
	return func() tea.Msg {
		file, err := a.SaveAt(path, title, over)
		return savedMsg{file, err}
	}
}

// saved says where the final output is, or asks whether a file is to be replaced.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	final, ok := m.track.Final()
	switch {
	case errors.Is(msg.err, fs.ErrExist) && ok:
		return m.confirm(&confirm{
			name:  "Replace it?",
			about: func() string { return clean(msg.path) + " exists. Replace it by the final output?" },
			moot:  func() string { return "" },
			yes:   func() tea.Cmd { return m.save(final, msg.path, true) },
		})
	case msg.err != nil:
		m.say(msg.err.Error())
		return nil
	}
	m.kept = msg.path
	if full, err := filepath.Abs(msg.path); err == nil {
		m.kept = full
	}
	m.say("Saved in " + msg.path + ".")
	for _, c := range m.cards {
		if s, ok := c.(*summary); ok {
			s.saved = m.kept
			m.reflow()
		}
	}
	return nil
}
