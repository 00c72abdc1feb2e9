package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/terminal"
)

// click selects what is under the pointer, or does the key that was hit.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if at.Button != tea.MouseLeft || m.layout.Shape == panes.Tiny {
		return nil
	}
	m.lastDigit = "" // who points at a key means it
	if at.Y == m.layout.H-1 || at.Y == 0 {
		return m.clickLine(at)
	}
	if m.moving = m.layout.BorderAt(at.X, at.Y); m.moving == panes.TreeBorder {
		return nil
	}
	p := m.layout.At(at.X, at.Y)
	if p == panes.Nowhere {
		return nil
	}
	m.message = ""
	again, cmd := m.isDoubleClick(at), m.focusPane(p)
	if box := m.layout.Panes[p]; p != panes.Dialog && at.Y >= box.Y {
		cmd = tea.Batch(cmd, m.tellPane(p, pane.Click{X: at.X - box.X, Y: at.Y - box.Y, Double: again}))
	}
	if c := m.top(); c != nil && p == panes.Dialog {
		box := m.layout.Panes[panes.Dialog]
		did, _ := m.tellDialog(c, dialog.Click{X: at.X - box.X, Y: at.Y - box.Y})
		cmd = tea.Batch(cmd, did)
	}
	if m.moving == panes.NoBorder {
		m.beginSelection(at)
	}
	return cmd
}

// drag is a move of the mouse with the button held: it moves the border that it began
// on, goes through the timeline, or selects text.
func (m *Model) drag(at tea.Mouse) {
	switch m.moving {
	case panes.NoBorder:
		m.dragPane(at)
		m.extendSelection(at)
	case panes.TreeBorder:
		m.moveBorder(panes.TreeBorder, at.X-1)
	default:
		m.moveBorder(m.moving, at.Y)
	}
}

// dragPane tells the pane with focus that the pointer moves over it with the button held.
func (m *Model) dragPane(at tea.Mouse) {
	if p := m.layout.At(at.X, at.Y); at.Button == tea.MouseLeft && p == m.focus {
		m.tellPane(p, pane.Drag{X: at.X - m.layout.Panes[p].X, Y: at.Y - m.layout.Panes[p].Y})
	}
}

// clickLine does the key under the pointer, in the first or the last line.
func (m *Model) clickLine(at tea.Mouse) tea.Cmd {
	for _, s := range m.targets {
		if at.Y == s.Y && at.X >= s.From && at.X < s.To {
			return m.key(terminal.Press(s.Key))
		}
	}
	return nil
}

// wheel scrolls the pane under the pointer, wherever the focus is.
func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	by := 0
	switch at.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelDown:
		by = 3
	default:
		return nil
	}
	p := m.layout.At(at.X, at.Y)
	if p != panes.Dialog {
		return m.scroll(p, by)
	}
	action := "down"
	if by < 0 {
		action = "up"
	}
	keys := m.look.Keys.Keys(action)
	if c := m.top(); c != nil && len(keys) > 0 {
		cmd, _ := m.tellDialog(c, terminal.Press(keys[0]))
		return cmd
	}
	return nil
}
