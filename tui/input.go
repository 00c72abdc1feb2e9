package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
)

// key does what a key means here: nothing in a lull, else to the command that is typed into, to the dialog
// with focus, to the search, else by the table.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.ignores(k) || m.typedAhead.hold(k, m.look.Keys.Is(k, "cancel")) {
		return nil
	}
	m.message = ""
	if m.isHabitualEnter(k) {
		return nil
	}
	m.interrupted = m.interrupted && m.look.Keys.Is(k, "cancel")
	switch {
	case m.output.IsTyping():
		return m.typeKey(k)
	case m.search.Editing:
		return m.searchKey(k)
	case m.isSearching() && m.look.Keys.Is(k, "back"):
		m.endSearch()
		return nil
	}
	p := m.focus
	if p == panes.Dialog {
		if c := m.top(); c != nil {
			does, asked := m.hintOf(c, k), questionOf(c)
			if cmd, done := m.tellDialog(c, k); done {
				m.noteDigit(k, c, asked)
				m.reflow()
				return tea.Batch(cmd, m.showCaption(k, does))
			}
		}
		p = panes.Nowhere
	}
	a := m.look.Keys.Action(k.String(), scopeOf(p))
	if a == nil {
		if k.Text != "" {
			m.say(k.Text + " does nothing here. {help} lists the keys.")
		}
		return nil
	}
	return tea.Batch(m.showCaption(k, m.effect(a)), m.act(a))
}

// typeKey sends a key to the running command.
func (m *Model) typeKey(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == keymap.EndTyping {
		m.output.EndTyping()
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
		m.say("The command does not read what is typed.")
	}
}

// paste writes a whole text where a key would write a letter.
func (m *Model) paste(text string) tea.Cmd {
	switch {
	case m.output.IsTyping():
		m.typeBytes([]byte(text))
	case m.search.Editing:
		m.search.Query += draw.Clean(text)
		return m.lookAnew()
	case m.top() != nil && m.focus == panes.Dialog:
		cmd, taken := m.tellDialog(m.top(), tea.PasteMsg{Content: text})
		if taken {
			m.reflow()
		}
		return cmd
	}
	return nil
}

// isPrompted reports whether a person may type into the pane's command, which waits for it.
func (m *Model) isPrompted() bool { return m.output.Prompts(m.view()) }

// beginTyping sends what is typed to the running command from now on.
func (m *Model) beginTyping() tea.Cmd {
	m.output.BeginTyping()
	return m.focusPane(panes.Output)
}
