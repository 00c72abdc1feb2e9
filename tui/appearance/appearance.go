// Package appearance adapts the theme to what the terminal reports: its background, its colours and how it
// measures characters.
package appearance

import (
	"image/color"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"playhead/themes"
	"playhead/tui/draw"
)

// Appearance is the theme as the terminal can show it. It changes the Look that panes and dialogs draw
// with.
type Appearance struct {
	Look              *draw.Look
	Theme             themes.Palette // the chosen theme
	IsBackgroundKnown bool           // the terminal has reported its background, or has had the time to

	pair    themes.Pair
	profile colorprofile.Profile
	dark    bool
}

// New returns the appearance for a dark terminal with all colours, until the terminal reports something
// else.
func New(pair themes.Pair, look *draw.Look) *Appearance {
	return &Appearance{Look: look, Theme: pair.For(true), pair: pair, profile: colorprofile.TrueColor, dark: true}
}

// Take takes a report of the terminal, and reports whether the screen changes.
func (a *Appearance) Take(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		return a.takeBackground(msg.IsDark())
	case tea.ColorProfileMsg:
		return a.takeProfile(msg.Profile)
	case tea.ModeReportMsg:
		return a.takeWidths(msg)
	}
	return false
}

// takeBackground chooses the palette for the background, unless the person has chosen another.
func (a *Appearance) takeBackground(dark bool) bool {
	before := a.pair.For(a.dark)
	a.dark, a.IsBackgroundKnown = dark, true
	if now := a.pair.For(dark); now != before && a.Theme == before {
		a.Choose(now)
		return true
	}
	return false
}

// takeProfile adapts to the colours that the terminal has: none if NO_COLOR is set.
func (a *Appearance) takeProfile(p colorprofile.Profile) bool {
	a.profile = p
	if a.Theme.ForProfile(p) == a.Look.Palette {
		return false
	}
	a.Choose(a.Theme)
	return true
}

// takeWidths learns how the terminal measures emoji.
func (a *Appearance) takeWidths(r tea.ModeReportMsg) bool {
	if r.Mode != ansi.ModeUnicodeCore || r.Value == ansi.ModeNotRecognized || r.Value == ansi.ModePermanentlyReset {
		return false
	}
	a.Look.Method = ansi.GraphemeWidth
	return true
}

// Choose changes the palette.
func (a *Appearance) Choose(p themes.Palette) {
	a.Theme = p
	a.Look.Styles = themes.New(p.ForProfile(a.profile))
}

// TerminalColours returns the colours that the palette sets for the terminal's background and text, nil if
// it keeps the terminal's own.
func (a *Appearance) TerminalColours() (background, foreground color.Color) {
	if !a.IsBackgroundKnown {
		return nil, nil
	}
	return a.Look.Palette.TerminalColours(a.dark)
}
