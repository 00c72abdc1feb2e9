package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/request"
)

// FocusPane moves the focus. Because a dialog hides WHY, the key of WHY then focuses the dialog. Only a
// summary is closed instead.
func (s *Screen) FocusPane(p layout.PaneID) tea.Cmd {
	if p == layout.WhyPane && len(s.Dialogs) > 0 && (s.Layout.Shape != layout.OnePaneShape || s.Steps.SelectedRow() == nil) {
		if d, isSummary := s.Dialogs.Top().(*summary.Dialog); isSummary {
			s.Close(d)
		} else {
			p = layout.DialogPlace
		}
	}
	if d := s.Dialogs.Top(); dialog.IsFullScreen(d) && p != layout.DialogPlace {
		s.Close(d)
	}
	s.Focus, s.Presenter.IsPanePinned = p, s.Presenter.IsPanePinned || p != s.Focus
	s.Reflow()
	return nil
}

// CycleFocus gives the focus to the next pane, or to the previous one if by is negative.
func (s *Screen) CycleFocus(by int) tea.Cmd {
	order := slices.Clone(layout.AllPanes)
	if len(s.Dialogs) > 0 {
		order[slices.Index(order, layout.WhyPane)] = layout.DialogPlace // the dialog lies over WHY
	}
	order = slices.DeleteFunc(order, s.Split.Hides)
	at := max(0, slices.Index(order, s.Focus))
	return s.FocusPane(order[(at+by+len(order))%len(order)])
}

// PaneBehind returns the pane on which a key acts that the dialog on top does not use: the one that had the
// focus before, unless another dialog lies between.
func (s *Screen) PaneBehind() layout.PaneID {
	if s.Focus == layout.DialogPlace && len(s.Dialogs) == 1 {
		return s.focusBehindDialogs
	}
	return s.Focus
}

// MoveInFocus moves in the pane with focus, by lines or pages or to an end.
func (s *Screen) MoveInFocus(action string) tea.Cmd {
	return s.SendToPane(s.Focus, pane.Move{Lines: list.ActionMovement(action, max(1, s.Layout.PaneRects[s.Focus].H-1))})
}

// OpenSelected opens the selected item. If a command waits for input, it begins typing into the command, except in the
// pane of the decision.
func (s *Screen) OpenSelected() tea.Cmd {
	if s.Focus == layout.WhyPane {
		return s.SendToPane(s.Focus, pane.Action{Name: "open"})
	}
	if s.IsCommandWaitingForInput() {
		return s.BeginTyping()
	}
	if s.Focus == layout.StepsPane {
		if _, folds := s.Steps.Update(s.currentRun(), pane.Action{Name: "open"}); folds {
			return nil
		}
	}
	return s.FocusPane(layout.OutputPane)
}

// GoBack ends the search, zoom or presentation, or moves the focus to the steps, or selects the run's current
// step: the first that applies.
func (s *Screen) GoBack() tea.Cmd {
	switch {
	case s.Searcher.IsActive():
		s.Searcher.EndSearch()
	case s.currentRun().ShowsEarlierMoment():
		return s.DoRequests(request.ShowCurrentState{})
	case s.IsZoomed:
		return s.ToggleZoom()
	case s.Presenter.IsOn:
		return s.Presenter.goBack()
	case s.Focus != s.Split.HomePane():
		return s.FocusPane(s.Split.HomePane())
	default:
		s.FollowCurrentState()
	}
	return nil
}

// ShowWhySheet switches WHY between the reasons and the values or the history. The history gets the focus, because a
// person opens it to move through it.
func (s *Screen) ShowWhySheet(action string) tea.Cmd {
	hadTimeline := s.Why.ShowsTimeline()
	cmd := s.SendToPane(layout.WhyPane, pane.Action{Name: action})
	s.CloseDialogsOverWhy()
	switch {
	case s.Why.ShowsTimeline(), s.Layout.PaneRects[layout.WhyPane].H <= 0:
		return s.FocusPane(layout.WhyPane)
	case hadTimeline && action == "timeline" && s.Focus == layout.WhyPane:
		return s.FocusPane(s.Split.HomePane())
	}
	s.Reflow()
	return cmd
}

// ShowsRaw reports whether the texts that ToggleRaw switches show raw.
func (s *Screen) ShowsRaw() bool {
	if s.Focus == layout.OutputPane || s.Focus != layout.TextPane && s.Output.ShowsReplyOrResult() {
		return s.Output.IsRaw()
	}
	return s.Text.IsRaw()
}

// ToggleRaw switches texts between raw and rendered: that of the pane with focus, or if that is another
// pane, those of the text and the output.
func (s *Screen) ToggleRaw() tea.Cmd {
	raw := !s.ShowsRaw()
	if s.Focus != layout.OutputPane {
		s.Text.SetRaw(raw)
	}
	if s.Focus != layout.TextPane && s.Output.ShowsReplyOrResult() {
		s.Output.SetRaw(raw)
	}
	return nil
}

// FollowRun lets the selection, and when presenting the pane, follow the run again.
func (s *Screen) FollowRun() {
	s.Steps.FollowRun()
	s.Presenter.IsPanePinned = false
}

// FollowCurrentState shows the current state of the run, selects its current step at once, and follows the run.
func (s *Screen) FollowCurrentState() {
	s.FollowRun()
	s.DoRequests(request.ShowCurrentState{})
}

// showAskingStep selects the step that asks when its question gets the focus, by whatever means: nobody should
// answer a question below the text of another step.
func (s *Screen) showAskingStep() {
	asking, is := s.Dialogs.Top().(*question.Dialog)
	if !is || s.Focus != layout.DialogPlace {
		s.focusedQuestion = nil
		return
	}
	if asking != s.focusedQuestion {
		s.focusedQuestion = asking
		s.FollowCurrentState()
	}
}

// KeyScope returns the scope of the keys in a pane.
func (s *Screen) KeyScope(p layout.PaneID) keymap.Scope {
	if p == layout.WhyPane && s.Why.ShowsTimeline() {
		return keymap.TimelineScope
	}
	return layout.PaneKinds[p].Scope
}

// PaneNoun names a pane in a sentence, by what it shows.
func (s *Screen) PaneNoun(p layout.PaneID) string {
	switch {
	case p == layout.WhyPane && s.Why.ShowsTimeline():
		return "the timeline"
	case p == layout.WhyPane && s.Why.ShowsValues():
		return "the values"
	}
	return layout.PaneKinds[p].Noun
}

// ActionWorksIn reports whether an action works in a pane.
func (s *Screen) ActionWorksIn(a *keymap.KeyAction, p layout.PaneID) bool {
	return a.Scope == keymap.AnyPaneScope || a.Scope&s.KeyScope(p) != 0
}

// DialogLetsKeyThrough reports whether the dialog with the focus, if any, leaves the key of an action to the screen.
func (s *Screen) DialogLetsKeyThrough(a *keymap.KeyAction) bool {
	d := s.Dialogs.Top()
	return s.Focus != layout.DialogPlace || d == nil || dialog.AllowsAction(d, a)
}

// WorkingActions returns the actions that work where the focus is and that a dialog there allows.
func (s *Screen) WorkingActions() []keymap.KeyAction {
	return slices.DeleteFunc(keymap.KeyActions(), func(a keymap.KeyAction) bool {
		return !s.ActionWorksIn(&a, s.Focus) || !s.DialogLetsKeyThrough(&a)
	})
}

// PaneForAction returns the pane in which an action is carried out: the one with focus if the action works
// there, else the first where it works.
func (s *Screen) PaneForAction(a *keymap.KeyAction, focus layout.PaneID) layout.PaneID {
	if s.ActionWorksIn(a, focus) {
		return focus
	}
	for _, p := range layout.AllPanes {
		if s.ActionWorksIn(a, p) {
			return p
		}
	}
	return focus
}

// EditValueKeys returns the keys that lead from here to the edit of a value, each as its action in braces, "" if no
// variable has a value.
func (s *Screen) EditValueKeys() string {
	switch {
	case len(s.currentRun().Track.Variables) == 0:
		return ""
	case !s.Why.ShowsValues():
		return "{values}, then {why}, then {edit}"
	case s.Focus != layout.WhyPane:
		return "{why}, then {edit}"
	}
	return "{edit}"
}
