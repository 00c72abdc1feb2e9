package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/panes"
)

// How far a key moves a border.
const (
	columnsAtOnce = 2
	linesAtOnce   = 1
)

// aside moves the border beside the steps.
func moveAside(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.moveBorder(panes.TreeBorder, m.layout.Left+by*columnsAtOnce)
		return nil
	}
}

// moveDown moves the border above the output, or, from WHY, the one above that.
func moveDown(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		b := m.layout.Level(m.focus)
		m.moveBorder(b, m.layout.Line(b)+by*linesAtOnce)
		return nil
	}
}

// moveBorder puts a border at a column or a line, as far as there is room.
func (m *Model) moveBorder(b panes.Border, to int) {
	m.split = m.layout.Moved(m.split, b, to)
	m.reflow()
}

// hide puts the pane with focus away. Its number, or what shows something in it, brings
// it back.
func (m *Model) hide() tea.Cmd {
	gone := m.focus
	m.split = m.split.Hiding(gone, true)
	turn(1)(m)
	m.say(m.look.Keys.Text("Hidden: {" + panes.Names[gone] + "} shows it again, {usual-layout} all panes as usual."))
	return nil
}

// asUsual divides the screen as if nobody had changed that.
func (m *Model) asUsual() tea.Cmd {
	m.split, m.zoom = panes.Split{}, false
	m.reflow()
	return nil
}

func canSplit(m *Model) string {
	switch {
	case m.zoom:
		return "divides the screen, and one pane has it all: {zoom} ends that"
	case m.layout.Shape == panes.Narrow:
		return "divides the screen, and one pane has it all: the window is small"
	}
	return ""
}

func canMoveAside(m *Model) string {
	if why := canSplit(m); why != "" {
		return why
	}
	if m.layout.Left == 0 {
		return "moves the border beside the steps: {steps} shows them"
	}
	return ""
}

func canMoveDown(m *Model) string {
	if why := canSplit(m); why != "" {
		return why
	}
	l := m.layout
	if b := l.Level(m.focus); b == panes.TextBorder && l.Panes[panes.Text].H <= 0 || b == panes.WhyBorder && (l.Panes[panes.Why].H <= 0 || l.Panes[panes.Why].Y == 2) {
		return "moves the border between the panes on the right, and there is none to move"
	}
	return ""
}

func canHide(m *Model) string {
	switch why := canSplit(m); {
	case why != "":
		return why
	case m.focus == panes.Dialog:
		return "hides a pane: this is none"
	case len(m.split.Hiding(m.focus, true).Hidden) > 3:
		return "hides a pane, and this is the only one"
	}
	return ""
}
