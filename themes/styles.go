package themes

import (
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// ContinuationSign stands before a row that continues a line that is too long for one row.
const ContinuationSign = "┇"

// CodeBar returns the bar to the left of a row of code. The bar differs if the row continues a line
// that is too long for one row.
func (s *Styles) CodeBar(isContinuation bool) string {
	if isContinuation {
		return s.Border.Paint(ContinuationSign) + " "
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

// Style is how a text is painted: the control sequences before and after it. They are computed once, because a
// frame paints hundreds of short texts.
type Style struct {
	startSequence, endSequence string
	isReverse                  bool
}

// NewStyle returns a style of lipgloss, which has colours and attributes only, as a Style.
func NewStyle(s lipgloss.Style) Style {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Style{before, after, s.GetReverse()}
}

// Paint colours a text. The text must not have line ends.
func (s Style) Paint(text string) string {
	if s.startSequence == "" || text == "" {
		return text
	}
	return s.startSequence + text + s.endSequence
}

// PaintOver paints a text that has its own styles. Where one of them resets, the style is applied again, so
// that a selection stays one unbroken bar. With reverse video a bar at the left edge, which marks the row,
// keeps its colour; the colours of the rest are left out, because reversed they would show as blocks of their
// own.
func (s Style) PaintOver(text string) string {
	if s.startSequence == "" || text == "" {
		return text
	}
	mark := ""
	if s.isReverse {
		mark = selectedRowMarkPattern.FindString(text)
		text = stylePattern.ReplaceAllStringFunc(text[len(mark):], removeColourParameters)
	}
	text = strings.ReplaceAll(text, "\x1b[m", "\x1b[m"+s.startSequence)
	text = strings.ReplaceAll(text, "\x1b[0m", "\x1b[0m"+s.startSequence)
	return mark + s.startSequence + text + s.endSequence
}

// selectedRowMarkPattern matches the bar that marks a selected row, with its style.
var selectedRowMarkPattern = regexp.MustCompile("^(\x1b\\[[0-9;]*m)*▌(\x1b\\[0?m)?")

// stylePattern matches a control sequence that begins or ends a style.
var stylePattern = regexp.MustCompile("\x1b\\[[0-9;]*m")

// removeColourParameters returns a control sequence without colours and faintness.
func removeColourParameters(s string) string {
	all := strings.Split(s[2:len(s)-1], ";")
	var kept []string
	for i := 0; i < len(all); i++ {
		switch n, _ := strconv.Atoi(all[i]); {
		case n == 38 || n == 48:
			i += colourParameterCount(all[i+1:])
		case n < 30 && n != 2:
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}

// colourParameterCount returns how many parameters follow 38 or 48: 2 (5;n) or 4 (2;r;g;b).
func colourParameterCount(rest []string) int {
	if len(rest) > 0 && rest[0] == "2" {
		return 4
	}
	return 2
}
