package tui

import (
	"time"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/longtext"
	"playhead/tui/draw"
	"playhead/tui/hints"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// view returns the run as panes and dialogs read it.
func (m *Model) view() *runview.Run {
	s := m.screen
	return &runview.Run{
		Run: m.run(), Shown: m.timeline.Shown, Selected: s.Steps.Selected(), ShownEvents: m.shownEvents(), Question: m.question.dialog.State(), Secrets: len(m.cfg.Secrets) > 0,
		Index: m.timeline.Index(), Moment: m.moment(), Target: m.stepTarget, Resumed: len(m.cfg.History) > 0, Player: m.conn.play, Joined: m.conn.join != nil,
		AsksModels: m.asksModels, Look: m.look, Presenting: s.Presentation.On, Focus: s.Focus, Room: s.Layout.Panes[panes.Dialog],
		OutputShown:   s.OutputShown,
		ReasoningOpen: showsReasoning(s.Top()),
		IsBlocked:     s.Blocking() != nil,
		TextShown:     !s.Layout.Panes[panes.Text].Empty(),
		Rows:          func() []*track.Row { return s.Steps.Rows(m.timeline.Shown) },
		Unavailable:   m.unavailableNamed, Hints: func(names ...string) []draw.Hint { return m.hints(m.view()).Of(names...) },
	}
}

// showsReasoning reports whether a dialog shows the reasoning of a reply.
func showsReasoning(d dialog.Dialog) bool {
	text, is := d.(*longtext.Dialog)
	return is && text.Action == "reasoning"
}

// run returns the current run, for the table of actions on it.
func (m *Model) run() control.Run {
	watched, takeable := m.conn.watched()
	return control.Run{
		Plan: m.timeline.Live.Plan, Track: m.timeline.Live, Events: m.timeline.Events, Status: m.conn.status, Upcoming: m.screen.Steps.Upcoming().Upcoming, Breaks: m.breaks, Saved: m.saved,
		Sources: m.cfg.Sources, Now: m.now, Begun: m.conn.session != nil, Stepping: m.stepping, Replay: m.conn.replays(),
		Watched: watched, Takeable: takeable,
	}
}

// hints returns what the last line can show now.
func (m *Model) hints(run *runview.Run) hints.Hints {
	return hints.Hints{Run: run, Screen: m.screen, Question: m.question.dialog, Unavailable: m.unavailable}
}

// shownEvents returns the events of the run up to the moment that the screen shows.
func (m *Model) shownEvents() []machine.Event {
	if m.conn.session == nil {
		return m.cfg.History
	}
	return m.timeline.Until()
}

// moment returns the time of the moment that shows. At an earlier moment, clocks stand still.
func (m *Model) moment() time.Time {
	if m.timeline.ShowsEarlierMoment() {
		return m.timeline.Shown.Last
	}
	if m.conn.replays() {
		return m.conn.play.Now()
	}
	return m.now
}
