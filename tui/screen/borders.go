package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/layout"
	"playhead/tui/request"
)

// Borders moves the borders between the panes and hides panes.
type Borders struct{ screen *Screen }

// How far one key press moves a border.
const (
	columnsPerKey = 2
	linesPerKey   = 1
)

// MoveStepsBorder moves the border beside the steps to the right, or to the left if by is negative.
func (b Borders) MoveStepsBorder(by int) tea.Cmd {
	b.moveBorder(layout.StepsBorder, b.screen.Layout.StepsWidth+by*columnsPerKey)
	return nil
}

// MoveHorizontalBorder moves the border above the output down, or up if by is negative. If WHY has the focus, it moves
// the border above WHY.
func (b Borders) MoveHorizontalBorder(by int) tea.Cmd {
	l := b.screen.Layout
	which := l.HorizontalBorder(b.screen.Focus)
	b.moveBorder(which, l.BorderLine(which)+by*linesPerKey)
	return nil
}

// moveBorder moves a border to a column or line, within its limits.
func (b Borders) moveBorder(which layout.Border, to int) {
	b.applySplit(b.screen.Layout.MoveBorder(b.screen.Split, which, to))
}

// applySplit lays out the screen with another split, without keeping the present borders.
func (b Borders) applySplit(split layout.Split) {
	s := b.screen
	s.Split, s.Layout = split, layout.Layout{W: s.Layout.W, H: s.Layout.H, TerminalRect: s.Layout.TerminalRect}
	s.Reflow()
}

// HidePane hides the pane with focus. The key of the pane, or an action that shows something in it, shows it
// again.
func (b Borders) HidePane() tea.Cmd {
	s := b.screen
	pane := s.Focus
	s.Split = s.Split.WithHidden(pane)
	s.CycleFocus(1)
	return s.DoRequests(request.Say{Text: "The pane is hidden. {" + layout.PaneKinds[pane].Name + "} to show it, or {usual-layout} to reset all panes."})
}

// ResetSplit restores the default split.
func (b Borders) ResetSplit() tea.Cmd {
	b.screen.IsZoomed = false
	b.applySplit(layout.Split{})
	return nil
}

// unavailableReason returns why no border can be moved and no pane hidden, "" if it is possible. In the sentence, as in
// those of the functions below, {name} stands for the key of an action.
func (b Borders) unavailableReason() string {
	switch {
	case b.screen.IsZoomed:
		return "One pane is zoomed. {zoom} to show all panes."
	case b.screen.Presenter.IsOn:
		return "You are presenting one pane. {present} to stop presenting."
	case len(b.screen.Split.HiddenPanes) == len(layout.AllPanes)-1:
		return "This is the only pane."
	case b.screen.Layout.Shape == layout.OnePaneShape:
		return "The window has room for only one pane."
	}
	return ""
}

// StepsBorderUnavailableReason returns why the border beside the steps cannot be moved.
func (b Borders) StepsBorderUnavailableReason() string {
	if why := b.unavailableReason(); why != "" {
		return why
	}
	if b.screen.Layout.StepsWidth == 0 {
		return "The steps pane is hidden. {steps} to show it."
	}
	return ""
}

// HorizontalBorderUnavailableReason returns why the border above the output or WHY cannot be moved.
func (b Borders) HorizontalBorderUnavailableReason() string {
	if why := b.unavailableReason(); why != "" {
		return why
	}
	l := b.screen.Layout
	which, textRect, whyRect := l.HorizontalBorder(b.screen.Focus), l.PaneRects[layout.TextPane], l.PaneRects[layout.WhyPane]
	if which == layout.TextBorder && textRect.H <= 0 || which == layout.WhyBorder && (whyRect.H <= 0 || whyRect.Y == 2) { // at 2, WHY is alone in its column
		return "There is no border to move here."
	}
	return ""
}

// HidingUnavailableReason returns why the pane with focus cannot be hidden.
func (b Borders) HidingUnavailableReason() string {
	switch why := b.unavailableReason(); {
	case why != "":
		return why
	case b.screen.Focus == layout.DialogPlace:
		return "A dialog cannot be hidden."
	}
	return ""
}
