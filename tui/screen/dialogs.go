package screen

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/help"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/request"
)

// ShowsQuestion reports whether the dialog of the run's question is on the screen.
func (s *Screen) ShowsQuestion() bool {
	_, is := s.Dialogs.Top().(*question.Dialog)
	return is && !s.Layout.PaneRects[layout.DialogPlace].IsEmpty()
}

// QuestionDialog returns the dialog of the run's question, even below another dialog, nil if none is open.
func (s *Screen) QuestionDialog() *question.Dialog {
	for _, d := range s.Dialogs {
		if q, is := d.(*question.Dialog); is {
			return q
		}
	}
	return nil
}

// Open opens a dialog on top and gives it the focus.
func (s *Screen) Open(d dialog.Dialog) {
	s.Dialogs.Push(d)
	if s.Focus != layout.DialogPlace {
		s.focusBehindDialogs = s.Focus
	}
	s.Focus = layout.DialogPlace
	s.Reflow()
}

// QueueBelow opens a dialog below the open ones and without the focus, so that it does not receive the keys
// that the person types next.
func (s *Screen) QueueBelow(d dialog.Dialog) {
	s.Dialogs.PushBelow(d)
	s.Reflow()
}

// Close closes a dialog, on top or not.
func (s *Screen) Close(d dialog.Dialog) {
	s.Dialogs.Remove(d)
	if len(s.Dialogs) == 0 && s.Focus == layout.DialogPlace {
		s.Focus = s.focusBehindDialogs
		if s.Focus == layout.OutputPane && !s.expectsOutput() {
			s.Focus = s.Split.HomePane()
		}
		s.Presenter.FollowRelevantPane()
	}
	s.Reflow()
}

// CloseMenusOpenedByKey closes the menus that a key has opened: what they offer is of the moment before.
func (s *Screen) CloseMenusOpenedByKey() {
	for _, d := range slices.Clone(s.Dialogs) {
		if menu, is := d.(*choose.Dialog); is && menu.OpeningAction != "" {
			s.Close(menu)
		}
	}
}

// CloseDialogsOverWhy closes the dialogs that hide WHY and can wait.
func (s *Screen) CloseDialogsOverWhy() {
	for d := s.Dialogs.Top(); d != nil; d = s.Dialogs.Top() {
		switch d.(type) {
		case *question.Dialog, *summary.Dialog, *help.Dialog:
			s.Close(d)
		default:
			return
		}
	}
}

// SendToAllDialogs sends a message to all open dialogs, and reports whether one has changed.
func (s *Screen) SendToAllDialogs(msg tea.Msg) (tea.Cmd, bool) {
	var cmds []tea.Cmd
	changed := false
	for _, d := range slices.Clone(s.Dialogs) {
		cmd, handled := s.SendToDialog(d, msg)
		cmds = append(cmds, cmd)
		if handled {
			changed = true
			s.Reflow()
		}
	}
	return tea.Batch(cmds...), changed
}

// SendToDialog sends a message to a dialog, and carries out what it requests.
func (s *Screen) SendToDialog(d dialog.Dialog, msg tea.Msg) (cmd tea.Cmd, handled bool) {
	requests, handled := d.Update(s.currentRun(), msg)
	return s.DoRequestsOf(d, requests), handled
}

// DoRequests carries out requests, in order.
func (s *Screen) DoRequests(requests ...tea.Msg) tea.Cmd { return s.DoRequestsOf(nil, requests) }

// DoRequestsOf carries out the requests of a dialog, in order. from is nil if they come from elsewhere.
func (s *Screen) DoRequestsOf(from dialog.Dialog, requests []tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(requests))
	for i, r := range requests {
		switch r := r.(type) {
		case dialog.Close:
			s.Close(cmp.Or(r.Dialog, from))
		case dialog.Open:
			s.Open(r.Dialog)
		case request.SelectStep:
			s.selectStep(r.Row)
		case request.SelectAfterReload:
			s.Steps.SelectAfterReload(r.Label)
		case request.FocusPanes:
			s.Focus = s.Split.HomePane()
			s.Reflow()
		case request.FollowRun:
			s.FollowRun()
		default:
			cmds[i] = s.handleRequest(r)
		}
	}
	return tea.Batch(cmds...)
}

// selectStep selects a step. If the screen shows another moment now, it selects the row with the same
// label.
func (s *Screen) selectStep(r *track.Row) {
	shown := s.currentRun().ShownTrack
	if !slices.Contains(s.Steps.ExpandAllRows(shown), r) {
		r = shown.RowByLabel(r.Label)
	}
	if r != nil {
		s.Steps.SelectRow(shown, r)
		s.syncTextAndWhy() // the action of the same key may ask a pane about the step
	}
}

// PaneForPageKeys returns the pane that the page keys scroll while a dialog with focus shows completely: the
// output or the text, if it is cut. At a reply it is the text, which has the prompt, however long the written reply is. While
// the question itself is cut, the page keys scroll the question.
func (s *Screen) PaneForPageKeys() layout.PaneID {
	d := s.Dialogs.Top()
	q, asks := d.(*question.Dialog)
	asksForReply := asks && q.AsksForReply()
	isCut := s.isCut(layout.DialogPlace) && !(asksForReply && dialog.IsEnteringText(d)) || asks && q.IsPromptCut()
	if d == nil || s.Focus != layout.DialogPlace || dialog.IsFullScreen(d) || isCut {
		return layout.NoPane
	}
	order := []layout.PaneID{layout.OutputPane, layout.TextPane}
	line, is := d.(dialog.LineEntry)
	isLine := is && line.IsEnteringLine()
	if asksForReply {
		order = order[1:]
	} else if dialog.IsEnteringText(d) && !isLine { // there the page keys move in the typed text
		return layout.NoPane
	}
	for _, p := range order {
		if s.isCut(p) {
			return p
		}
	}
	return layout.NoPane
}

// ScrollPaneForPageKeys scrolls the paged pane by a page, at least three lines.
func (s *Screen) ScrollPaneForPageKeys(action string) tea.Cmd {
	p := s.PaneForPageKeys()
	h := s.Layout.PaneRects[p].H
	if p == layout.TextPane && s.Presenter.IsOn {
		h = s.Presenter.textAboveQuestionHeight()
	}
	return s.SendToPane(p, pane.Move{Lines: list.ActionMovement(action, max(3, h-1))})
}
