package themes

import (
	"charm.land/bubbles/v2/textinput"
	"charm.land/lipgloss/v2"
)

// TextInput returns the style of a line of text that is edited.
func (s *Styles) TextInput() textinput.Styles {
	p, base := s.Palette, lipgloss.NewStyle()
	all := textinput.DefaultStyles(p.Dark)
	all.Focused = textinput.StyleState{
		Text: base.Foreground(shade(p.Text)), Prompt: base.Foreground(shade(p.Accent)), Placeholder: base.Foreground(shade(p.Muted)),
	}
	all.Cursor.Blink, all.Cursor.Color = false, shade(p.Accent)
	return all
}
