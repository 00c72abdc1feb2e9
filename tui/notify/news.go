package notify

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// News returns a notification of what has changed since a status, "" if it does not matter. after is the
// minimum duration of a step or run whose end is notified.
func News(run *runview.Run, was engine.Status, u engine.Update, after time.Duration) string {
	if news := changeOf(run, was, after); news != "" || u.Restarted {
		return news
	}
	return longStep(run, u.Events, after)
}

// changeOf returns the notification for a change of the run's state, "" if there is none.
func changeOf(run *runview.Run, was engine.Status, after time.Duration) string {
	now, end := run.Status, run.Track.Finished
	switch {
	case now.State == engine.Waits && (was.Question == nil || was.Question.Action != now.Question.Action):
		return nameOf(run, now.Question.Action.Step) + " waits for you"
	case now.State == engine.Paused && was.State == engine.Running && now.NextEvent != nil && !run.Stepping:
		return "paused " + now.NextEvent.PauseSide() + " " + nameOf(run, now.NextEvent.Step)
	case now.State == engine.Over && was.State == engine.Running && end != nil && run.Track.Elapsed(run.Now) >= after:
		return run.FileName() + " " + strings.ReplaceAll(string(end.Result), "_", " ")
	}
	return ""
}

// longStep returns a notification of the last step among the events that took long, "" if none did.
func longStep(run *runview.Run, events []machine.Event, after time.Duration) (news string) {
	for _, e := range events {
		r := run.Row(e.Step)
		end, ended := e.Body.(*machine.StepFinished)
		if !ended || r == nil || !r.IsExecutable() {
			continue
		}
		took := r.VisitBefore(e.Seq).Took // the step may run again already
		if took >= after && run.Now.Sub(e.Time) < after {
			news = draw.StepName(r) + ": " + string(end.Result) + " after " + wording.Clock(took)
		}
	}
	return news
}

// nameOf returns a step's name for people.
func nameOf(run *runview.Run, label string) string {
	if r := run.Row(label); r != nil {
		return draw.StepName(r)
	}
	return draw.Clean(label)
}

// Progress returns the progress of a run for terminals that show it beside their title, nil after the run
// has completed.
func Progress(run *runview.Run) *tea.ProgressBar {
	if !run.Begun || run.Replay {
		return nil
	}
	done, total := run.Track.Progress()
	value := 100 * done / max(1, total)
	switch end := run.Track.Finished; {
	case end != nil && (end.Result == plan.RunFailed || end.Result == plan.Stopped):
		return tea.NewProgressBar(tea.ProgressBarError, value)
	case end != nil || run.Status.State == engine.Over:
		return nil
	case run.Status.State != engine.Running:
		return tea.NewProgressBar(tea.ProgressBarWarning, value)
	case total == 0:
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, value)
}
