package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/summary"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/request"
)

// FocusPane moves the focus. A dialog hides WHY, so the key of WHY goes to the dialog. The summary of a run
// that is over gives way.
func (s *Screen) FocusPane(p panes.Pane) tea.Cmd {
	if p == panes.Why && len(s.Dialogs) > 0 && (s.Layout.Shape != panes.Narrow || s.Steps.Selected() == nil) {
		if d, isSummary := s.Top().(*summary.Dialog); isSummary {
			s.Close(d)
		} else {
			p = panes.Dialog
		}
	}
	if d := s.Top(); isFullScreen(d) && p != panes.Dialog {
		s.Close(d)
	}
	s.Focus, s.Presentation.Pinned = p, s.Presentation.Pinned || p != s.Focus
	s.Reflow()
	return nil
}

// CycleFocus gives the focus to the next pane, or the one before it for less than 0.
func (s *Screen) CycleFocus(by int) tea.Cmd {
	order := slices.Clone(panes.All)
	if len(s.Dialogs) > 0 {
		order[len(order)-1] = panes.Dialog // which lies over it
	}
	order = slices.DeleteFunc(order, s.Split.Hides)
	at := max(0, slices.Index(order, s.Focus))
	return s.FocusPane(order[(at+by+len(order))%len(order)])
}

// PaneBehind returns the pane that a key acts on which the dialog on top leaves alone: the one that
// had the focus before it, where no other dialog lies between.
func (s *Screen) PaneBehind() panes.Pane {
	if s.Focus == panes.Dialog && len(s.Dialogs) == 1 {
		return s.backTo
	}
	return s.Focus
}

// Move moves in the pane with focus, by lines or pages or to an end.
func (s *Screen) Move(action string) tea.Cmd {
	return s.Scroll(s.Focus, list.Move(action, max(1, s.Layout.Panes[s.Focus].H-1)))
}

// Enter opens what is selected; where a command waits for input, it types into it.
func (s *Screen) Enter() tea.Cmd {
	if s.IsPrompted() {
		return s.BeginTyping()
	}
	if s.Focus == panes.Steps {
		if _, folds := s.Steps.Update(s.run(), pane.Action{Name: "open"}); folds {
			return nil
		}
	}
	return s.FocusPane(panes.Output)
}

// Back goes back: from a search, from a pane to the steps, from a step that is looked at to the one
// the run is at.
func (s *Screen) Back() tea.Cmd {
	switch {
	case s.Finder.IsActive():
		s.Finder.End()
	case s.run().ShowsEarlierMoment():
		return s.Do(request.ShowNow{})
	case s.Zoom:
		return s.ToggleZoom()
	case s.Presentation.On:
		return s.leavePresentation()
	case s.Focus != s.Split.Home():
		return s.FocusPane(s.Split.Home())
	default:
		s.GoToRun()
	}
	return nil
}

// ShowSheet shows values or the history in WHY, or the reasons again.
func (s *Screen) ShowSheet(action string) tea.Cmd {
	cmd := s.TellPane(panes.Why, pane.Action{Name: action})
	s.CloseIdle()
	if s.Layout.Panes[panes.Why].H <= 0 {
		return s.FocusPane(panes.Why)
	}
	s.Reflow()
	return cmd
}

// ToggleRaw shows texts as they are written, or rendered: those of the pane with focus, and of both
// panes from elsewhere.
func (s *Screen) ToggleRaw() tea.Cmd {
	raw := !s.Text.IsRaw()
	if s.Focus == panes.Output || s.Focus != panes.Text && s.Output.IsCall() {
		raw = !s.Output.IsRaw()
	}
	if s.Focus != panes.Output {
		s.Text.SetRaw(raw)
	}
	if s.Focus != panes.Text && s.Output.IsCall() {
		s.Output.SetRaw(raw)
	}
	return nil
}

// FollowRun has the selection, and on the stage the pane, follow the run again.
func (s *Screen) FollowRun() {
	s.Steps.Follow()
	s.Presentation.Pinned = false
}

// GoToRun selects where the run is, at once, and goes on following it.
func (s *Screen) GoToRun() {
	s.FollowRun()
	s.Steps.Sync(s.run())
}

// TogglePresentation shows the screen to others, or to the person alone again.
func (s *Screen) TogglePresentation() tea.Cmd {
	s.Presentation.Toggle()
	var cmd tea.Cmd
	if s.Presentation.On {
		cmd = s.Do(request.Say{Text: "Presenting. {present} to end it."})
	}
	s.ChoosePane()
	s.Reflow()
	return cmd
}

// ChoosePane turns to the pane that matters to those who look on, unless the person has chosen one.
// Dialogs come to the front by themselves.
func (s *Screen) ChoosePane() {
	run := s.run()
	if s.Presentation.On && !s.Presentation.Pinned && s.Steps.Follows() && !run.ShowsEarlierMoment() && !s.IsWriting() && s.Focus != panes.Dialog {
		s.Focus = present.Pane(run)
		s.Reflow()
	}
}

// leavePresentation goes back to the pane that matters, and from there to the whole screen.
func (s *Screen) leavePresentation() tea.Cmd {
	if s.Steps.Follows() && s.Focus == present.Pane(s.run()) {
		return s.TogglePresentation()
	}
	s.GoToRun()
	s.ChoosePane()
	return nil
}

// WorksIn reports whether an action works in a pane.
func WorksIn(a *keymap.Action, p panes.Pane) bool {
	return a.In == keymap.Anywhere || a.In&panes.Kinds[p].Scope != 0
}

// PlaceOf returns the pane that an action is done in: the one with focus, if it works there.
func PlaceOf(a *keymap.Action, focus panes.Pane) panes.Pane {
	if WorksIn(a, focus) {
		return focus
	}
	for _, p := range panes.All {
		if WorksIn(a, p) {
			return p
		}
	}
	return focus
}
