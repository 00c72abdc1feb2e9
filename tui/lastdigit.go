package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/panes"
)

// A digit answers at once. Whoever presses enter behind it out of habit would answer the
// question that comes next, unread: that one enter is ignored.

// asksNow is what a dialog asks for now: of a form, one of its values. It is nil for those that are
// no questions.
func asksNow(c dialog.Dialog) any {
	if d, is := c.(dialog.Asker); is {
		return d.Asks()
	}
	return nil
}

// answeredBy notes a digit that has answered what a dialog asked for.
func (m *Model) answeredBy(k tea.KeyPressMsg, c dialog.Dialog, asked any) {
	s := k.String()
	if len(s) != 1 || s < "1" || s > "9" || asked == nil {
		return
	}
	if !slices.Contains(m.dialogs, c) || asksNow(c) != asked {
		m.lastDigit = s
	}
}

// isHabitualEnter reports whether a key is the enter behind such a digit, and says so. Nothing
// but the very next key is.
func (m *Model) isHabitualEnter(k tea.KeyPressMsg) bool {
	digit := m.lastDigit
	m.lastDigit = ""
	if digit == "" || !m.look.Keys.Is(k, "accept") || m.focus != panes.Dialog {
		return false
	}
	m.say("Enter was ignored: " + digit + " was the answer. Press it again for this one.")
	return true
}
