package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/hints"
	"playhead/tui/keymap"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

// key does what a key means here: to the command that is typed into, to the search, to the dialog
// with focus, else by the table.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	keys := m.look.Keys
	if m.isHeldBack(k) {
		return nil
	}
	m.message = ""
	if digit := m.guard.HabitualEnter(k, keys); digit != "" && m.screen.Focus == panes.Dialog {
		m.say("Enter was ignored: you already answered with " + digit + ". Press it again to answer this question.")
		return nil
	}
	m.interrupted = m.interrupted && keys.Is(k, "interrupt")
	find := m.screen.Finder
	switch {
	case m.screen.Output.IsTyping():
		return m.typeKey(k)
	case find.Editing:
		return find.Key(k)
	case find.IsInFocus() && keys.Is(k, "back"):
		find.End()
		return nil
	}
	p := m.screen.Focus
	if p == panes.Dialog {
		if m.guard.Repeats(m.now, k) {
			m.say(keymap.Shown(k.String()) + " was ignored: it was pressed before this dialog opened. Pause, then press it again.")
			return nil
		}
		if d := m.screen.Top(); d != nil {
			if cmd, handled := m.dialogKey(d, k); handled {
				return cmd
			}
		}
		p = panes.Nowhere
	}
	a := keys.Action(k.String(), panes.Kinds[p].Scope)
	if a == nil {
		if k.Text != "" {
			m.say(k.Text + " does nothing here. {help} to list the keys.")
		}
		return nil
	}
	if m.screen.Focus != panes.Dialog {
		m.guard.NoteUse(m.now, k, slices.Contains(driving, a.Group) && a.Name != "interrupt") // which quits when pressed twice
	}
	return tea.Batch(m.showCaption(k, m.hints(m.view()).Effect(a)), m.act(a))
}

// driving are the groups of keys that are repeated without looking.
var driving = []string{"move", "run", "decide"}

// isHeldBack reports whether a key is ignored, or held until the run has begun. The ctrl+c that quits
// never is.
func (m *Model) isHeldBack(k tea.KeyPressMsg) bool {
	keys := m.look.Keys
	interrupts := keys.Is(k, "interrupt")
	if m.interrupted && interrupts {
		return false
	}
	ignored, last := m.guard.Ignores(m.now, k, keys)
	switch {
	case last && interrupts:
		m.say("Keys control Playhead again.")
	case last:
		m.message = ""
	}
	return ignored || m.guard.Hold(k, keys)
}

// dialogKey hands a key to a dialog, and reports whether it meant anything to it.
func (m *Model) dialogKey(d dialog.Dialog, k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	does, asked := m.hints(m.view()).ForKey(d, k), questionOf(d)
	if cmd, handled = m.screen.Tell(d, k); !handled {
		return nil, false
	}
	if asked != nil && (!m.screen.IsOpen(d) || questionOf(d) != asked) {
		m.guard.NoteAnswer(k)
	}
	if hints.TakesText(d) {
		m.guard.NoteWriting(m.now)
	}
	m.screen.Reflow()
	return tea.Batch(cmd, m.showCaption(k, does)), true
}

// questionOf is what a dialog asks for now: of a form, one of its values. It is nil for those that are
// no questions.
func questionOf(d dialog.Dialog) any {
	if a, is := d.(dialog.Asker); is {
		return a.Asks()
	}
	return nil
}

// ignoreKeys ignores keys for a moment, and says why.
func (m *Model) ignoreKeys(why string) {
	m.guard.Ignore(m.now)
	m.say(why)
}

// ignoreKeysAfterTyping ignores keys that were meant for a command that was typed into.
func (m *Model) ignoreKeysAfterTyping() tea.Cmd {
	m.guard.IgnoreAfterTyping(m.now)
	m.sayNext(typeahead.Ignored)
	return m.later(typeahead.Quiet, typeahead.Over{})
}

// endIgnoring says that keys mean something again, once they have paused.
func (m *Model) endIgnoring() tea.Cmd {
	if rest := m.guard.Rest(m.now); rest > 0 {
		return m.later(rest, typeahead.Over{})
	}
	if m.message == typeahead.Ignored {
		m.say(typeahead.Back)
	}
	return nil
}

// typeKey sends a key to the running command.
func (m *Model) typeKey(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == keymap.EndTyping {
		m.screen.Output.EndTyping()
		return nil
	}
	m.typeBytes(output.Bytes(k))
	return nil
}

func (m *Model) typeBytes(b []byte) {
	s := m.session
	if len(b) == 0 || s == nil || m.queueInput == nil {
		return
	}
	if !m.queueInput(func() error { return s.Type(b) }) {
		m.say("The command is not reading input.")
	}
}

// paste writes a whole text where a key would write a letter.
func (m *Model) paste(text string) tea.Cmd {
	s := m.screen
	switch d := s.Top(); {
	case s.Output.IsTyping():
		m.typeBytes([]byte(text))
	case s.Finder.Editing:
		return s.Finder.Paste(text)
	case d != nil && s.Focus == panes.Dialog:
		cmd, handled := s.Tell(d, tea.PasteMsg{Content: text})
		if handled {
			s.Reflow()
		}
		return cmd
	}
	return nil
}

// click selects what is under the pointer, or does the key that was hit in the first or the last line.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	layout := m.screen.Layout
	if at.Button != tea.MouseLeft || layout.Shape == panes.Tiny {
		return nil
	}
	m.guard.ForgetAnswer()
	if at.Y != 0 && at.Y != layout.H-1 {
		m.message = ""
		return m.screen.Mouse.Click(at)
	}
	for _, t := range m.targets {
		if at.Y == t.Y && at.X >= t.From && at.X < t.To {
			return m.key(terminal.Press(t.Key))
		}
	}
	return nil
}

// release copies what was selected with the mouse.
func (m *Model) release() tea.Cmd {
	copied, selected := m.screen.Mouse.Release()
	if !selected {
		return nil
	}
	return m.handoff.takeCopied(copied)
}

// showCaption shows a key with what it does to those who look on, for a while.
func (m *Model) showCaption(k tea.KeyPressMsg, does string) tea.Cmd {
	over, shows := m.screen.Stage.Caption(k, does)
	if !shows {
		return nil
	}
	return m.later(present.CaptionTime, over)
}
