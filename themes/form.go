package themes

import (
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
)

// Form is the style of forms. They sit in a pane, so they have no border.
func (s *Styles) Form() huh.Theme {
	p := s.Palette
	styles := huh.ThemeBase(p.Dark)
	base := lipgloss.NewStyle()
	f := &styles.Focused
	f.Base = base
	f.Title = base.Bold(true)
	f.Description = base.Foreground(hex(p.Muted))
	f.ErrorIndicator = base.Foreground(hex(p.Fail)).SetString(" !")
	f.ErrorMessage = base.Foreground(hex(p.Fail))
	f.SelectSelector = base.Foreground(hex(p.Accent)).SetString("› ")
	f.Option = base
	f.SelectedOption = base.Foreground(hex(p.Accent))
	f.FocusedButton = base.Reverse(true)
	f.BlurredButton = base.Foreground(hex(p.Muted))
	f.TextInput.Cursor = base.Foreground(hex(p.Accent))
	f.TextInput.Placeholder = base.Foreground(hex(p.Muted))
	f.TextInput.Prompt = base.Foreground(hex(p.Accent))
	f.TextInput.Text = base.Foreground(hex(p.Text))
	styles.Blurred = *f
	styles.Blurred.Title = base.Foreground(hex(p.Muted))
	return huh.ThemeFunc(func(bool) *huh.Styles { return styles })
}
