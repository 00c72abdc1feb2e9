package themes

import (
	"image/color"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Styles is everything drawn with a palette, made once.
type Styles struct {
	Palette Palette

	Text, Bold, Italic, Code, Muted, Border, Focus, Accent Style
	Title, Pass, Fail, Warn, Wait                          Style
	Command, Model, Tool, Person                           Style
	Selected, Match, CurrentMatch, FailBold                Style
	Key, Caret                                             Style
}

// NewStyles makes the styles of a palette.
func NewStyles(p Palette) *Styles {
	base := lipgloss.NewStyle()
	fg := func(c string) lipgloss.Style { return base.Foreground(parseColour(c)) }
	s := &Styles{
		Palette: p,
		Text:    NewStyle(base), Bold: NewStyle(base.Bold(true)),
		Italic: NewStyle(base.Italic(true)), Code: NewStyle(fg(p.Command).Background(parseColour(p.SelectionBackground))),
		Muted: NewStyle(fg(p.Muted)), Border: NewStyle(fg(p.Subtle)),
		Focus: NewStyle(fg(p.Accent)), Accent: NewStyle(fg(p.Accent).Bold(true)), Title: NewStyle(fg(p.Text).Bold(true)),
		Pass: NewStyle(fg(p.Pass)), Fail: NewStyle(fg(p.Fail)), Warn: NewStyle(fg(p.Warn)), Wait: NewStyle(fg(p.Wait).Bold(true)),
		Command: NewStyle(fg(p.Command)), Model: NewStyle(fg(p.Model)), Tool: NewStyle(fg(p.Tool)), Person: NewStyle(fg(p.Person)),
		Selected:     NewStyle(fg(p.Text).Background(parseColour(p.SelectionBackground))),
		Match:        NewStyle(base.Bold(true).Underline(true)),
		CurrentMatch: NewStyle(base.Foreground(parseColour(p.OnAccent)).Background(parseColour(p.Accent)).Bold(true).Underline(true)),
		FailBold:     NewStyle(fg(p.Fail).Bold(true)),
		Key:          NewStyle(fg(p.Accent)), Caret: NewStyle(fg(p.Accent).Reverse(true)),
	}
	if p.SelectionBackground == "" {
		s.Selected = NewStyle(base.Reverse(true))
		s.Code = NewStyle(base) // backticks are the mark
	}
	if p.IsColourless() {
		s.setColourlessStyles()
		return s
	}
	if p.Muted == "" {
		s.Muted = NewStyle(base.Faint(true))
	}
	if p.Subtle == "" {
		s.Border = NewStyle(base.Faint(true))
	}
	return s
}

// setColourlessStyles distinguishes roles only by weight.
func (s *Styles) setColourlessStyles() {
	base := lipgloss.NewStyle()
	s.Focus, s.Key = NewStyle(base.Bold(true)), NewStyle(base.Bold(true))
	s.CurrentMatch = NewStyle(base.Reverse(true).Bold(true).Underline(true))
}

// CodeBar returns the bar to the left of a row of code. The bar differs if the row continues a line
// that is too long for one row.
func (s *Styles) CodeBar(goesOn bool) string {
	if goesOn {
		return s.Border.Paint("┇") + " "
	}
	return s.Border.Paint("┃") + " "
}

// parseColour returns a colour for lipgloss; an empty text is the terminal's own.
func parseColour(c string) color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	if i := slices.Index(terminalColourNames[:], c); i >= 0 {
		return ansi.BasicColor(i)
	}
	return lipgloss.Color(c)
}

// TerminalColourNumber returns the number of one of the terminal's sixteen colours, as a string, and
// whether the name is one of theirs.
func TerminalColourNumber(name string) (number string, ok bool) {
	i := slices.Index(terminalColourNames[:], name)
	return strconv.Itoa(i), i >= 0
}

// TextInputStyles returns the style of a line of text that is edited.
func (s *Styles) TextInputStyles() textinput.Styles {
	p, base := s.Palette, lipgloss.NewStyle()
	all := textinput.DefaultStyles(p.IsForDark)
	all.Focused = textinput.StyleState{
		Text: base.Foreground(parseColour(p.Text)), Prompt: base.Foreground(parseColour(p.Accent)), Placeholder: base.Foreground(parseColour(p.Muted)),
	}
	all.Cursor.Blink, all.Cursor.Color = false, parseColour(p.Accent)
	return all
}
