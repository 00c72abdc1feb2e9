package tui

import tea "charm.land/bubbletea/v2"

// border is a line between panes that can be moved.
type border int

const (
	noBorder   border = iota
	treeBorder        // right of the steps
	textBorder        // above the output
	whyBorder         // above WHY
)

// How far a key moves a border.
const (
	columnsAtOnce = 2
	linesAtOnce   = 1
)

// aside moves the border beside the steps.
func moveAside(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.moveBorder(treeBorder, m.layout.left+by*columnsAtOnce)
		return nil
	}
}

// moveDown moves the border above the output, or, from WHY, the one above that.
func moveDown(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		b := m.level()
		m.moveBorder(b, m.place(b)+by*linesAtOnce)
		return nil
	}
}

// level is the border between lines that the keys move.
func (m *Model) level() border {
	if m.focus == whyPane || m.layout.panes[outputPane].h <= 0 {
		return whyBorder
	}
	return textBorder
}

// place is the line that a border is on.
func (m *Model) place(b border) int {
	if b == textBorder {
		return m.layout.panes[outputPane].y - 1
	}
	return m.layout.panes[whyPane].y - 1
}

// moveBorder puts a border at a column or a line, as far as there is room.
func (m *Model) moveBorder(b border, to int) {
	body := m.layout.h - 2
	switch b {
	case treeBorder:
		m.split.Tree = thousandths(min(max(to, leastTree), m.layout.w-3-leastRight), m.layout.w)
	case textBorder:
		floor := m.layout.panes[outputPane]
		m.split.Text = thousandths(min(max(to-2, leastText), floor.y+floor.h-2-leastOutput), body)
	case whyBorder:
		end, above := m.layout.h-1, m.layout.panes[outputPane].y
		if above == 0 {
			above = m.layout.panes[detailPane].y
		}
		m.split.Why = thousandths(min(max(end-to-1, leastWhy), end-above-leastOutput), body)
	}
	m.reflow()
}

// borderAt is the border under a place on the screen.
func (m *Model) borderAt(x, y int) border {
	l := m.layout
	switch why, output := l.panes[whyPane], l.panes[outputPane]; {
	case l.shape == narrow || l.shape == tiny || y < 1 || y >= l.h-1:
	case l.left > 0 && x == l.left+1:
		return treeBorder
	case x <= l.left:
	case output.h > 0 && l.panes[detailPane].h > 0 && y == output.y-1:
		return textBorder
	case why.h > 0 && y == why.y-1 && y > 1:
		return whyBorder
	}
	return noBorder
}

// hide puts the pane with focus away. Its number, or what shows something in it, brings
// it back.
func (m *Model) hide() tea.Cmd {
	gone := m.focus
	m.split = m.split.hiding(gone, true)
	turn(1)(m)
	m.say(m.look.keys.said("Hidden: {" + paneNames[gone] + "} shows it again, {usual-layout} all panes as usual."))
	return nil
}

// asUsual divides the screen as if nobody had changed that.
func (m *Model) asUsual() tea.Cmd {
	m.split, m.zoom = Split{}, false
	m.reflow()
	return nil
}

func notSplit(m *Model) string {
	switch {
	case m.zoom:
		return "divides the screen, and one pane has it all: {zoom} ends that"
	case m.layout.shape == narrow:
		return "divides the screen, and one pane has it all: the window is small"
	}
	return ""
}

func notAside(m *Model) string {
	if why := notSplit(m); why != "" {
		return why
	}
	if m.layout.left == 0 {
		return "moves the border beside the steps: {steps} shows them"
	}
	return ""
}

func notLevel(m *Model) string {
	if why := notSplit(m); why != "" {
		return why
	}
	l := m.layout
	if b := m.level(); b == textBorder && l.panes[detailPane].h <= 0 || b == whyBorder && (l.panes[whyPane].h <= 0 || l.panes[whyPane].y == 2) {
		return "moves the border between the panes on the right, and there is none to move"
	}
	return ""
}

func notHideable(m *Model) string {
	switch why := notSplit(m); {
	case why != "":
		return why
	case m.focus == cardPane:
		return "hides a pane: this is none"
	case len(m.split.hiding(m.focus, true).Hidden) > 3:
		return "hides a pane, and this is the only one"
	}
	return ""
}
