package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/help"
	"playhead/tui/panes"
)

// chooseTheme has a person choose what is painted with.
func (m *Model) chooseTheme() tea.Cmd {
	m.open(choose.Theme(m.cfg.Palettes(), m.theme))
	return nil
}

// canChooseTheme is for a screen whose colours are not ours to choose.
func canChooseTheme(m *Model) string {
	switch {
	case m.cfg.NoColor:
		return "chooses a theme, and colours are switched off"
	case m.cfg.Palettes == nil:
		return "chooses a theme, and there are none"
	}
	return ""
}

func canGoToStep(m *Model) string {
	if len(m.timeline.Shown.Rows) == 0 {
		return "goes to a step, and this document has none"
	}
	return ""
}

// help shows the keys. The last line may have no room for all those of a dialog.
func (m *Model) help() tea.Cmd {
	d := &help.Dialog{Pane: m.focus, Scope: scopeOf(m.focus)}
	if c := m.top(); c != nil && m.focus == panes.Dialog {
		d.Own = c.Hints(m.view())
		if s, has := c.(dialog.Signer); has {
			d.Signs = s.Signs()
		}
	}
	m.open(d)
	return nil
}
