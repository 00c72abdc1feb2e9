package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/help"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/request"
)

// moving moves in the pane with focus, by lines or pages or to an end.
func moving(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return m.scroll(m.focus, list.Move(action, max(1, m.layout.Panes[m.focus].H-1)))
	}
}

// scroll moves the lines of a pane, or what is selected in it.
func (m *Model) scroll(p panes.Pane, by int) tea.Cmd { return m.tellPane(p, pane.Move{By: by}) }

// tellPane hands a message to a pane, and does what that requests.
func (m *Model) tellPane(p panes.Pane, msg tea.Msg) tea.Cmd {
	shown := m.pane(p)
	if shown == nil {
		return nil
	}
	requests, _ := shown.Update(m.view(), msg)
	return m.carryOut(nil, requests)
}

// inFocus does an action in the pane with focus.
func inFocus(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.tellPane(m.focus, pane.Action{Name: action}) }
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
	if p == panes.Why && len(m.dialogs) > 0 && (m.layout.Shape != panes.Narrow || m.steps.Selected() == nil) {
		p = panes.Dialog
	}
	if c := m.top(); isFullScreen(c) && p != panes.Dialog {
		m.close(c)
	}
	m.focus, m.stage.Pinned = p, m.stage.Pinned || p != m.focus
	m.reflow()
	return nil
}

// enter opens what is selected; where a command waits for input, it types into it.
func (m *Model) enter() tea.Cmd {
	if m.isPrompted() {
		return m.beginTyping()
	}
	if m.focus == panes.Tree {
		if _, folds := m.steps.Update(m.view(), pane.Action{Name: "open"}); folds {
			return nil
		}
	}
	return m.focusPane(panes.Output)
}

// escape goes back: from a search, from a pane to the steps, from a step that is
// looked at to the one the run is at.
func (m *Model) escape() tea.Cmd {
	switch {
	case m.search.IsActive():
		m.endSearch()
	case m.timeline.IsPast():
		m.fulfil(request.ShowNow{})
		return nil
	case m.zoom:
		m.toggleZoom()
	case m.stage.On:
		return m.leaveStage()
	case m.focus != m.split.Home():
		return m.focusPane(m.split.Home())
	default:
		m.goToRun()
	}
	return nil
}

// showSheet shows values or the history in WHY, or the reasons again.
func showSheet(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		cmd := m.tellPane(panes.Why, pane.Action{Name: action})
		m.closeIdleDialogs()
		if m.layout.Panes[panes.Why].H <= 0 {
			return m.focusPane(panes.Why)
		}
		m.reflow()
		return cmd
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

// toggleRaw shows texts as they are written, or rendered: those of the pane with
// focus, and of both panes from elsewhere.
func (m *Model) toggleRaw() tea.Cmd {
	raw := !m.text.IsRaw()
	if m.focus == panes.Output || m.focus != panes.Text && m.output.IsCall() {
		raw = !m.output.IsRaw()
	}
	if m.focus != panes.Output {
		m.text.SetRaw(raw)
	}
	if m.focus != panes.Text && m.output.IsCall() {
		m.output.SetRaw(raw)
	}
	return nil
}
