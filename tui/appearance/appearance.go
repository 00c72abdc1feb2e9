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

// Appearance is the theme as the terminal can show it. It changes the draw.Context that panes and dialogs draw
// with.
type Appearance struct {
	DrawContext       *draw.Context
	Theme             themes.Palette // the chosen theme
	IsBackgroundKnown bool           // the terminal has reported its background, or has had the time to

	themePair     themes.Pair
	colourProfile colorprofile.Profile
	isDark        bool
}

// New returns the appearance for a dark terminal with all colours, until the terminal reports something
// else.
func New(pair themes.Pair, dc *draw.Context) *Appearance {
	return &Appearance{DrawContext: dc, Theme: pair.ForBackground(true), themePair: pair, colourProfile: colorprofile.TrueColor, isDark: true}
}

// HandleReport takes a report of the terminal, and reports whether the screen changes.
func (a *Appearance) HandleReport(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		return a.setBackground(msg.IsDark())
	case tea.ColorProfileMsg:
		return a.setProfile(msg.Profile)
	case tea.ModeReportMsg:
		return a.setWidthMethod(msg)
	}
	return false
}

// setBackground chooses the palette for the background, unless the person has chosen another theme.
func (a *Appearance) setBackground(dark bool) bool {
	before := a.themePair.ForBackground(a.isDark)
	a.isDark, a.IsBackgroundKnown = dark, true
	if now := a.themePair.ForBackground(dark); now != before && a.Theme == before {
		a.SetTheme(now)
		return true
	}
	return false
}

// setProfile adapts to the colours that the terminal has: none if NO_COLOR is set.
func (a *Appearance) setProfile(p colorprofile.Profile) bool {
	a.colourProfile = p
	if a.Theme.ForProfile(p) == a.DrawContext.Palette {
		return false
	}
	a.SetTheme(a.Theme)
	return true
}

// setWidthMethod learns how the terminal measures emoji.
func (a *Appearance) setWidthMethod(r tea.ModeReportMsg) bool {
	if r.Mode != ansi.ModeUnicodeCore || r.Value == ansi.ModeNotRecognized || r.Value == ansi.ModePermanentlyReset {
		return false
	}
	a.DrawContext.WidthMethod = ansi.GraphemeWidth
	return true
}

// SetTheme changes the palette.
func (a *Appearance) SetTheme(p themes.Palette) {
	a.Theme = p
	a.DrawContext.Styles = themes.NewStyles(p.ForProfile(a.colourProfile))
}

// BackgroundAndTextColours returns the colours that the palette sets for the terminal's background and
// text, nil if it keeps the terminal's own, or as long as the background is unknown.
func (a *Appearance) BackgroundAndTextColours() (background, foreground color.Color) {
	if !a.IsBackgroundKnown {
		return nil, nil
	}
	return a.DrawContext.Palette.BackgroundAndTextColours(a.isDark)
}
