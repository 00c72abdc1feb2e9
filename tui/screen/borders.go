package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/panes"
	"playhead/tui/request"
)

// Borders moves the borders between the panes and hides panes.
type Borders struct{ screen *Screen }

// How far one key press moves a border.
const (
	columnsAtOnce = 2
	linesAtOnce   = 1
)

// MoveAside moves the border beside the steps to the right, or to the left if by is negative.
func (b Borders) MoveAside(by int) tea.Cmd {
	b.move(panes.StepsBorder, b.screen.Layout.Left+by*columnsAtOnce)
	return nil
}

// MoveDown moves the border above the output down, or up if by is negative. If WHY has the focus, it moves
// the border above WHY.
func (b Borders) MoveDown(by int) tea.Cmd {
	l := b.screen.Layout
	which := l.RowBorder(b.screen.Focus)
	b.move(which, l.Line(which)+by*linesAtOnce)
	return nil
}

// move moves a border to a column or line, within its limits.
func (b Borders) move(which panes.Border, to int) {
	b.divide(b.screen.Layout.MoveBorder(b.screen.Split, which, to))
}

// divide lays out the screen with another split, without keeping the present borders.
func (b Borders) divide(split panes.Split) {
	s := b.screen
	s.Split, s.Layout = split, panes.Layout{W: s.Layout.W, H: s.Layout.H, Term: s.Layout.Term}
	s.Reflow()
}

// Hide hides the pane with focus. The key of the pane, or an action that shows something in it, shows it
// again.
func (b Borders) Hide() tea.Cmd {
	s := b.screen
	gone := s.Focus
	s.Split = s.Split.WithHidden(gone, true)
	s.CycleFocus(1)
	return s.Do(request.Say{Text: "The pane is hidden. {" + panes.Kinds[gone].Name + "} to show it, or {usual-layout} to reset all panes."})
}

// Reset restores the default split.
func (b Borders) Reset() tea.Cmd {
	b.screen.Zoom = false
	b.divide(panes.Split{})
	return nil
}

// unavailable returns why no border can be moved and no pane hidden, "" if it is possible. In the sentence,
// {name} stands for the key of that action. The functions below return sentences of the same form.
func (b Borders) unavailable() string {
	switch {
	case b.screen.Zoom:
		return "One pane is zoomed. {zoom} to show all panes."
	case b.screen.Layout.Shape == panes.Narrow:
		return "The window is too small to divide."
	}
	return ""
}

// CannotMoveAside returns why the border beside the steps cannot be moved.
func (b Borders) CannotMoveAside() string {
	if why := b.unavailable(); why != "" {
		return why
	}
	if b.screen.Layout.Left == 0 {
		return "The steps pane is hidden. {steps} to show it."
	}
	return ""
}

// CannotMoveDown returns why the border that MoveDown moves cannot be moved.
func (b Borders) CannotMoveDown() string {
	if why := b.unavailable(); why != "" {
		return why
	}
	l := b.screen.Layout
	which, text, why := l.RowBorder(b.screen.Focus), l.Panes[panes.Text], l.Panes[panes.Why]
	if which == panes.TextBorder && text.H <= 0 || which == panes.WhyBorder && (why.H <= 0 || why.Y == 2) {
		return "There is no border to move here."
	}
	return ""
}

// CannotHide returns why the pane with focus cannot be hidden.
func (b Borders) CannotHide() string {
	switch why := b.unavailable(); {
	case why != "":
		return why
	case b.screen.Focus == panes.Dialog:
		return "A dialog cannot be hidden."
	case len(b.screen.Split.WithHidden(b.screen.Focus, true).Hidden) == len(panes.All):
		return "This is the only pane."
	}
	return ""
}
