package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/panes"
	"playhead/tui/terminal"
)

// clickTarget is a place on the first or the last line that does what a key does: the cells from
// one up to, but not including, another.
type clickTarget struct {
	y, from, to int
	key         string
}

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
	again, cmd := m.doubled(at), m.focusPane(p)
	if box := m.layout.Panes[panes.Tree]; p == panes.Tree && at.Y >= box.Y {
		if cmd = m.clickRow(at.X-box.X, at.Y-box.Y, again); again {
			return cmd
		}
	}
	if box := m.layout.Panes[panes.Output]; p == panes.Output && at.Y >= box.Y {
		m.output.clicked(at.Y - box.Y)
	}
	if c := m.top(); c != nil && p == panes.Dialog {
		box := m.layout.Panes[panes.Dialog]
		did, _ := m.tell(c, dialog.Click{X: at.X - box.X, Y: at.Y - box.Y})
		cmd = tea.Batch(cmd, did)
	}
	m.scrub(at)
	if m.moving == panes.NoBorder {
		m.grab(at)
	}
	return cmd
}

// drag is a move of the mouse with the button held: it moves the border that it began
// on, goes through the timeline, or selects text.
func (m *Model) drag(at tea.Mouse) {
	switch m.moving {
	case panes.NoBorder:
		m.scrub(at)
		m.extend(at)
	case panes.TreeBorder:
		m.moveBorder(panes.TreeBorder, at.X-1)
	default:
		m.moveBorder(m.moving, at.Y)
	}
}

// scrub looks back to the event under the pointer: a click in the timeline, or a move
// with the button held.
func (m *Model) scrub(at tea.Mouse) {
	box := m.layout.Panes[panes.Why]
	i := m.why.top + at.Y - box.Y
	if at.Button != tea.MouseLeft || m.focus != panes.Why || m.why.sheet != history ||
		m.layout.At(at.X, at.Y) != panes.Why || at.Y < box.Y || i >= len(m.events) {
		return
	}
	m.why.goTo(i, len(m.events))
	m.lookBack()
}

// clickLine does the key under the pointer, in the first or the last line.
func (m *Model) clickLine(at tea.Mouse) tea.Cmd {
	for _, s := range m.targets {
		if at.Y == s.y && at.X >= s.from && at.X < s.to {
			return m.key(terminal.Press(s.key))
		}
	}
	return nil
}

// clickRow selects a row; on its knob it folds. A double click opens it.
func (m *Model) clickRow(x, y int, again bool) tea.Cmd {
	isRow, onKnob := m.tree.Click(x, y)
	switch {
	case !isRow:
	case onKnob:
		m.tree.Toggle(m.track)
	case again:
		return m.enter()
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
		cmd, _ := m.tell(c, terminal.Press(keys[0]))
		return cmd
	}
	return nil
}
