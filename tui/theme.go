package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/themes"
)

// chooseTheme has a person choose what is painted with. The screen shows each while it
// stands out.
func (m *Model) chooseTheme() tea.Cmd {
	was, all := m.theme, m.cfg.Palettes()
	named := func(name string) themes.Palette {
		return all[slices.IndexFunc(all, func(p themes.Palette) bool { return p.Name == name })]
	}
	var offers []model.Origin
	for _, p := range all {
		offers = append(offers, model.Origin{Name: p.Name, About: p.About})
	}
	c := newSources(offers, was.Name)
	c.name = "Which theme?"
	c.shown = func(name string) { m.paint(named(name)) }
	c.left = func() { m.paint(was) }
	c.done = func(name string) tea.Cmd {
		m.paint(named(name))
		m.say("The theme is " + name + " until you quit. In the configuration file, theme: " + name + " keeps it.")
		return nil
	}
	m.open(c)
	return nil
}

// notThemed is for a screen whose colours are not ours to choose.
func notThemed(m *Model) string {
	switch {
	case m.cfg.NoColor:
		return "chooses a theme, and colours are switched off"
	case m.cfg.Palettes == nil:
		return "chooses a theme, and there are none"
	}
	return ""
}
