package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/screen"
	"playhead/tui/session"
	"playhead/tui/timeline"
)

// otherRunsActions compares the run with other runs of the document, and forks it.
type otherRunsActions struct {
	cfg      *Config
	screen   *screen.Screen
	lastLine *lastLineMessage
	timeline *timeline.Timeline
}

func (o otherRunsActions) compareUnavailableReason() string {
	return o.notStartedReason(o.cfg.ListOtherRuns != nil)
}

func (o otherRunsActions) forkUnavailableReason() string {
	return o.notStartedReason(o.cfg.ForkRun != nil)
}

func (o otherRunsActions) notStartedReason(possible bool) string {
	if !possible || len(o.timeline.Events) == 0 {
		return control.NotStartedReason
	}
	return ""
}

func (o otherRunsActions) listRuns() tea.Cmd { return comparison.ListRuns(o.cfg.ListOtherRuns) }

// compareWith compares the run with another one.
func (o otherRunsActions) compareWith(run string) tea.Cmd {
	o.lastLine.say("Reading run " + run + " …")
	return comparison.CompareRuns(o.timeline.ShownEvents(), run, o.cfg.CompareWith)
}

func (o otherRunsActions) showComparison(msg comparison.ComparisonMade) tea.Cmd {
	if msg.Err != nil {
		o.lastLine.say(wording.ErrorSentence(msg.Err))
		return nil
	}
	o.lastLine.clear()
	o.screen.CloseDialogsOverWhy()
	d, read := comparison.New(msg.Comparison)
	o.screen.Open(d)
	return read
}

// runForkedMsg has the id of a new fork.
type runForkedMsg struct{ runID string }

// confirmFork asks for confirmation, then forks the run after the selected event, or after the newest one.
func (o otherRunsActions) confirmFork() tea.Cmd {
	event, t, fork := o.timeline.Events[o.timeline.ShownEventIndex()], o.timeline.LiveTrack, o.cfg.ForkRun
	do := func() tea.Msg {
		run, err := fork(event.Seq)
		if err != nil {
			return session.CallFailed{Err: err}
		}
		return runForkedMsg{run}
	}
	return o.screen.DoRequests(dialog.Open{Dialog: &confirm.Dialog{
		Name:        "Fork the run at " + draw.CleanLine(t.MomentPlace(event)) + "?",
		Text:        "The new run gets a copy of all events up to " + draw.CleanLine(t.MomentText(event)) + ". This run stays as it is.",
		YesRequests: []tea.Msg{request.Background{Cmd: do}},
	}})
}
