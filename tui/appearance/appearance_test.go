package appearance

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestBackground: a light terminal gets the light theme of the pair, unless the person has chosen one.
func TestBackground(t *testing.T) {
	light := tea.BackgroundColorMsg{Color: color.White}
	pair := themes.DefaultPair()
	a := New(pair, draw.New(pair.ForBackground(true), keymap.Map{}))
	if !a.HandleReport(light) || a.Theme != pair.ForBackground(false) || !a.IsBackgroundKnown {
		t.Errorf("theme %v, answered %v", a.Theme.Name, a.IsBackgroundKnown)
	}
	a = New(pair, draw.New(pair.ForBackground(true), keymap.Map{}))
	a.SetTheme(themes.PlainPalette())
	if a.HandleReport(light) || a.Theme != themes.PlainPalette() {
		t.Errorf("theme %v", a.Theme.Name)
	}
}

// TestProfile: a terminal without colours gets a palette without colours.
func TestProfile(t *testing.T) {
	pair := themes.DefaultPair()
	a := New(pair, draw.New(pair.ForBackground(true), keymap.Map{}))
	if !a.HandleReport(tea.ColorProfileMsg{Profile: colorprofile.Ascii}) || a.DrawContext.Palette == pair.ForBackground(true) {
		t.Errorf("palette %v", a.DrawContext.Palette)
	}
	if back, text := a.BackgroundAndTextColours(); back != nil || text != nil {
		t.Error("colours before the terminal has answered")
	}
}
