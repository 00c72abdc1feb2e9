package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/bar"
	"playhead/tui/cells"
	"playhead/tui/panes"
	"playhead/tui/present"
)

// toggleStage shows the screen to others, or to the person alone again.
func (m *Model) toggleStage() tea.Cmd {
	m.stage.Toggle()
	if m.stage.On {
		m.say("Presenting: {present} ends it.")
	}
	m.choosePane()
	m.reflow()
	return nil
}

// choosePane turns to the pane that matters, unless the person has chosen one. Dialogs come to
// the front by themselves.
func (m *Model) choosePane() {
	if m.stage.On && !m.stage.Pinned && m.steps.Follows() && !m.timeline.IsPast() && !m.isWriting() && m.focus != panes.Dialog {
		m.focus = present.Pane(m.view())
		m.reflow()
	}
}

// leaveStage goes back to the pane that matters, and from there to the whole screen.
func (m *Model) leaveStage() tea.Cmd {
	if m.steps.Follows() && m.focus == present.Pane(m.view()) {
		return m.toggleStage()
	}
	m.goToRun()
	m.choosePane()
	return nil
}

// goToRun selects where the run is, at once, and goes on following it.
func (m *Model) goToRun() {
	m.followRun()
	m.syncTree()
}

// followRun has the selection, and on the stage the pane, follow the run again.
func (m *Model) followRun() {
	m.steps.Follow()
	m.stage.Pinned = false
}

// drawStage is the whole frame.
func (m *Model) drawStage() string {
	l, box := m.look, m.layout.Panes[m.focus]
	head, body := m.paneView(m.focus)
	body = m.selection.show(l, m.focus, body)
	lines := make([]string, m.layout.H)
	put := func(y int, s string) { lines[y] = cells.Spaces(box.X) + s }
	put(box.Y/2, l.Spread(l.Accent.Over(head.Left), head.Right, box.W))
	for i, line := range body[:min(len(body), box.H)] {
		put(box.Y+i, line)
	}
	if m.focus == panes.Text && m.timeline.Shown.Current != nil {
		put(m.layout.H-max(2, m.layout.H-box.Y-box.H-1), l.Muted.Paint(l.Cut(m.why.Summary(), box.W)))
	}
	lines[0], lines[len(lines)-1] = bar.StageHeader(m.view(), m.layout.W, !m.isIntroducing()), m.stageFooter()
	for i, line := range lines {
		lines[i] = l.Fit(m.stage.Discreet(line), m.layout.W)
	}
	return strings.Join(lines, "\n")
}

// stageFooter is what there is to say or, at a dialog, its keys; right the key that was
// pressed.
func (m *Model) stageFooter() string {
	l := m.look
	right := m.stage.CaptionLine(l)
	room := m.layout.W - 4 - l.Width(right) - 2
	left := ""
	switch {
	case m.message != "":
		left = l.Warn.Paint(l.Cut(m.message, room))
	case m.focus == panes.Dialog, m.isWriting():
		left = m.keysNow(room)
	}
	return "  " + l.Spread(left, right, m.layout.W-4)
}

// showCaption shows a key with what it does to those who look on, for a while.
func (m *Model) showCaption(k tea.KeyPressMsg, does string) tea.Cmd {
	over, shows := m.stage.Caption(k, does)
	if !shows {
		return nil
	}
	return m.later(present.CaptionTime, over)
}
