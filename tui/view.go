package tui

import (
	"slices"
	"time"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/longtext"
	"playhead/tui/dialog/start"
	"playhead/tui/dialog/summary"
	"playhead/tui/draw"
	"playhead/tui/hints"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// runView returns the run as panes and dialogs read it.
func (m *Model) runView() *runview.Run {
	s := m.screen
	questionState := m.question.dialog.State()
	questionState.HasUnsentText = questionState.HasUnsentText || hasUnsentInputs(s.Dialogs)
	return &runview.Run{
		RunView: m.controlRunView(), ShownTrack: m.timeline.ShownTrack, SelectedRow: s.Steps.SelectedRow(), ShownEvents: m.shownEvents(), QuestionState: questionState, HasSecrets: len(m.cfg.SecretNames) > 0,
		ShownEventIndex: m.timeline.ShownEventIndex(), ShownTime: m.shownTime(), TargetStep: m.targetStep, IsResumed: len(m.cfg.ResumedEvents) > 0, Player: m.conn.player, IsDrivenByOtherProcess: m.conn.remoteRun != nil,
		AsksModels: m.asksModels, DrawContext: m.drawContext, IsPresenting: s.Presenter.IsOn, Focus: s.Focus, DialogArea: s.Layout.PaneRects[layout.DialogPlace],
		ShowsWholeFinalOutput: s.ShowsWholeFinalOutput,
		IsReasoningOpen:       showsReasoning(s.Dialogs.Top()),
		IsBlockedByDialog:     s.Dialogs.RunBlocker() != nil,
		IsTextPaneShown:       !s.Layout.PaneRects[layout.TextPane].IsEmpty(),
		AreReasonsShown:       !s.Layout.PaneRects[layout.WhyPane].IsEmpty() && !s.Why.ShowsValuesOrTimeline(),
		IsSummaryDialogShown:  !s.Layout.PaneRects[layout.DialogPlace].IsEmpty() && isSummary(s.Dialogs.Top()),
		SelectableRows:        func() []*track.Row { return s.Steps.ExpandAllRows(m.timeline.ShownTrack) },
		UnavailableReason:     m.unavailableReasonByName, AvailableHints: func(names ...string) []draw.Hint { return m.hints(m.runView()).AvailableHints(names...) },
	}
}

// hasUnsentInputs reports whether a person has written inputs before the run that are not sent.
func hasUnsentInputs(open dialog.Stack) bool {
	return slices.ContainsFunc(open, func(d dialog.Dialog) bool {
		inputs, is := d.(*start.InputsDialog)
		return is && inputs.HasUnsentText()
	})
}

// showsReasoning reports whether a dialog shows the reasoning of a reply.
func showsReasoning(d dialog.Dialog) bool {
	text, is := d.(*longtext.Dialog)
	return is && text.OpeningAction == "reasoning"
}

func isSummary(d dialog.Dialog) bool {
	_, is := d.(*summary.Dialog)
	return is
}

// controlRunView returns the current run, for the table of actions on it.
func (m *Model) controlRunView() control.RunView {
	watched, takeable := m.conn.watchOnlyReason()
	return control.RunView{
		Plan: m.timeline.LiveTrack.Plan, Track: m.timeline.LiveTrack, Events: m.timeline.Events, Status: m.conn.status, Upcoming: m.screen.Steps.UpcomingInstance().UpcomingInstance, Breakpoints: m.breakpoints, SavedVersion: m.savedVersion,
		ReplySources: m.cfg.ReplySources, Now: m.now, IsBegun: m.conn.session != nil, IsStepping: m.isStepping, IsReplay: m.conn.isReplay(),
		WatchOnlyReason: watched, CanTakeControl: takeable,
	}
}

// hints returns what the last line can show now.
func (m *Model) hints(run *runview.Run) hints.Hints {
	return hints.Hints{Run: run, Screen: m.screen, Question: m.question.dialog, Forecast: &m.overrideForecast, UnavailableReason: m.unavailableReason}
}

// shownEvents returns the events of the run up to the moment that the screen shows.
func (m *Model) shownEvents() []machine.Event {
	if m.conn.session == nil {
		return m.cfg.ResumedEvents
	}
	return m.timeline.ShownEvents()
}

// shownTime returns the time of the moment that shows. At an earlier moment, clocks stand still.
func (m *Model) shownTime() time.Time {
	if m.timeline.ShowsEarlierMoment() {
		return m.timeline.ShownTrack.LastEventTime
	}
	if m.conn.isReplay() {
		return m.conn.player.Now()
	}
	return m.now
}
