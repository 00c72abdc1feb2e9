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

	Text, Bold, Italic, Strikethrough, Code, Muted, Border, Focus, Accent Ink
	Title, Pass, Fail, Warn, Wait                                         Ink
	Command, Model, Tool, Person                                          Ink
	Selected, SelectedUnfocused, Match, CurrentMatch, FailBold            Ink
	Key, Caret                                                            Ink
}

// NewStyles makes the styles of a palette.
func NewStyles(p Palette) *Styles {
	base := lipgloss.NewStyle()
	fg := func(c string) lipgloss.Style { return base.Foreground(parseColour(c)) }
	s := &Styles{
		Palette: p,
		Text:    NewInk(base), Bold: NewInk(base.Bold(true)),
		Italic: NewInk(base.Italic(true)), Strikethrough: NewInk(base.Strikethrough(true)), Code: NewInk(fg(p.Command).Background(parseColour(p.SelectionBackground))),
		Muted: NewInk(fg(p.Muted)), Border: NewInk(fg(p.Subtle)),
		Focus: NewInk(fg(p.Accent)), Accent: NewInk(fg(p.Accent).Bold(true)), Title: NewInk(fg(p.Text).Bold(true)),
		Pass: NewInk(fg(p.Pass)), Fail: NewInk(fg(p.Fail)), Warn: NewInk(fg(p.Warn)), Wait: NewInk(fg(p.Wait).Bold(true)),
		Command: NewInk(fg(p.Command)), Model: NewInk(fg(p.Model)), Tool: NewInk(fg(p.Tool)), Person: NewInk(fg(p.Person)),
		Selected: NewInk(fg(p.Text).Background(parseColour(p.SelectionBackground))), SelectedUnfocused: NewInk(fg(p.Text).Background(parseColour(p.SelectionBackground))),
		Match:        NewInk(base.Bold(true).Underline(true)),
		CurrentMatch: NewInk(base.Foreground(parseColour(p.OnAccent)).Background(parseColour(p.Accent)).Bold(true).Underline(true)),
		FailBold:     NewInk(fg(p.Fail).Bold(true)),
		Key:          NewInk(fg(p.Accent)), Caret: NewInk(fg(p.Accent).Reverse(true)),
	}
	if p.SelectionBackground == "" {
		s.Selected, s.SelectedUnfocused = NewInk(base.Reverse(true)), NewInk(base) // without focus, the bar is the mark
	}
	if p.IsColourless() {
		s.setColourlessInks()
		return s
	}
	if p.Muted == "" {
		s.Muted = NewInk(base.Faint(true))
	}
	if p.Subtle == "" {
		s.Border = NewInk(base.Faint(true))
	}
	return s
}

// setColourlessInks distinguishes roles only by weight.
func (s *Styles) setColourlessInks() {
	base := lipgloss.NewStyle()
	s.Code = NewInk(base.Bold(true))
	s.Focus, s.Key = NewInk(base.Bold(true)), NewInk(base.Bold(true))
	s.CurrentMatch = NewInk(base.Reverse(true).Bold(true).Underline(true))
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
