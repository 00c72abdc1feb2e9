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
	f.Description = base.Foreground(shade(p.Muted))
	f.ErrorIndicator = base.Foreground(shade(p.Fail)).SetString(" !")
	f.ErrorMessage = base.Foreground(shade(p.Fail))
	f.SelectSelector = base.Foreground(shade(p.Accent)).SetString("› ")
	f.Option = base
	f.SelectedOption = base.Foreground(shade(p.Accent))
	f.FocusedButton = base.Reverse(true)
	f.BlurredButton = base.Foreground(shade(p.Muted))
	f.TextInput.Cursor = base.Foreground(shade(p.Accent))
	f.TextInput.Placeholder = base.Foreground(shade(p.Muted))
	f.TextInput.Prompt = base.Foreground(shade(p.Accent))
	f.TextInput.Text = base.Foreground(shade(p.Text))
	styles.Blurred = *f
	styles.Blurred.Title = base.Foreground(shade(p.Muted))
	return huh.ThemeFunc(func(bool) *huh.Styles { return styles })
}
