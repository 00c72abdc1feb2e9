package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/help"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/list"
	"playhead/tui/pane/steps"
	"playhead/tui/panes"
)

// step moves by lines in the pane with focus.
func step(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.scroll(m.focus, by) }
}

// page moves by a pane's height.
func page(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.scroll(m.focus, by*max(1, m.layout.Panes[m.focus].H-1)) }
}

// end moves to the start or the end.
func end(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if m.focus == panes.Output && by > 0 {
			m.output.follow = true
			m.output.stale = true
			return nil
		}
		return m.scroll(m.focus, by*list.Far)
	}
}

// scroll moves the lines of a pane, or the selection of the tree.
func (m *Model) scroll(p panes.Pane, by int) tea.Cmd {
	h := m.layout.Panes[p].H
	switch p {
	case panes.Tree:
		m.tree.MoveBy(by)
		return nil
	case panes.Text:
		m.detail.scroll(by, h)
	case panes.Output:
		m.output.scroll(by, h)
		return nil
	case panes.Why:
		m.why.scroll(m.live, m.events, by)
		m.lookBack()
	}
	return nil
}

// sideways folds and unfolds, or pans the output.
func sideways(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		switch m.focus {
		case panes.Tree:
			m.tree.Fold(m.track, by < 0)
			return nil
		case panes.Output:
			if m.output.wrap {
				m.say("Lines are wrapped: {wrap} stops that.")
				return nil
			}
			m.output.pan(by * 8)
		}
		return nil
	}
}

// turn gives the focus to the next pane.
func turn(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		order := []panes.Pane{panes.Tree, panes.Text, panes.Output, panes.Why}
		if len(m.dialogs) > 0 {
			order[3] = panes.Dialog
		}
		order = slices.DeleteFunc(order, m.split.Hides)
		at := 0
		for i, p := range order {
			if p == m.focus {
				at = i
			}
		}
		return m.focusPane(order[(at+by+len(order))%len(order)])
	}
}

func focusOn(p panes.Pane) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.focusPane(p) }
}

// focusPane moves the focus. A dialog hides WHY: that key goes to the dialog then.
func (m *Model) focusPane(p panes.Pane) tea.Cmd {
	if p == panes.Why && len(m.dialogs) > 0 && (m.layout.Shape != panes.Narrow || m.tree.Selected() == nil) {
		p = panes.Dialog
	}
	if c := m.top(); covers(c) && p != panes.Dialog {
		m.close(c)
	}
	m.focus, m.stage.pinned = p, m.stage.pinned || p != m.focus
	m.reflow()
	return nil
}

// enter opens what is selected; where a command waits for input, it types into it.
func (m *Model) enter() tea.Cmd {
	r := m.tree.Selected()
	if m.prompted() {
		return m.beginTyping()
	}
	if m.focus == panes.Tree && r != nil && steps.HasChildren(r) {
		m.tree.Toggle(m.track)
		return nil
	}
	return m.focusPane(panes.Output)
}

// escape goes back: from a search, from a pane to the steps, from a step that is
// looked at to the one the run is at.
func (m *Model) escape() tea.Cmd {
	switch {
	case m.search.IsActive():
		m.forget()
	case m.past():
		m.backToNow()
		return nil
	case m.zoom:
		m.toggleZoom()
	case m.stage.on:
		return m.leaveStage()
	case m.focus != m.split.Home():
		return m.focusPane(m.split.Home())
	default:
		m.toRun()
	}
	return nil
}

func sheetOf(s sheet) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.why.turn(s)
		m.lookBack()
		m.closeIdleDialogs()
		if m.layout.Panes[panes.Why].H <= 0 {
			return m.focusPane(panes.Why)
		}
		m.reflow()
		return nil
	}
}

// closeIdleDialogs puts away the dialogs that hide WHY and can wait.
func (m *Model) closeIdleDialogs() {
	for c := m.top(); c != nil; c = m.top() {
		switch c.(type) {
		case *question.Dialog, *summary.Dialog, *help.Dialog:
			m.close(c)
		default:
			return
		}
	}
}

func (m *Model) toggleZoom() tea.Cmd {
	m.zoom = !m.zoom
	m.reflow()
	return nil
}

func (m *Model) toggleWrap() tea.Cmd {
	m.output.wrap = !m.output.wrap
	m.output.left = 0
	m.output.stale = true
	return nil
}
