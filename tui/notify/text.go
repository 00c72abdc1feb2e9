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

// NotificationText returns a notification of what has changed since a status, "" if it does not matter.
// after is the minimum duration of a step or run whose end is notified.
func NotificationText(run *runview.Run, before engine.Status, u engine.Update, after time.Duration) string {
	if text := stateChangeText(run, before, after); text != "" || u.IsRestarted {
		return text
	}
	return longStepText(run, u.Events, after)
}

// stateChangeText returns the notification for a change of the run's state, "" if there is none.
func stateChangeText(run *runview.Run, before engine.Status, after time.Duration) string {
	now, end := run.Status, run.Track.Finished
	switch {
	case now.State == engine.Waiting && (before.Question == nil || before.Question.Action != now.Question.Action):
		return stepName(run, now.Question.Action.StepLabel) + " is waiting for you"
	case now.State == engine.Paused && before.State == engine.Running && now.NextEvent != nil && !run.IsStepping:
		return "paused " + now.NextEvent.PausePreposition() + " " + stepName(run, now.NextEvent.Step)
	case now.State == engine.Over && before.State == engine.Running && end != nil && run.Track.Duration() >= after:
		return run.FileName() + " " + strings.ReplaceAll(string(end.Result), "_", " ")
	}
	return ""
}

// longStepText returns a notification of the last step among the events that took long, "" if none did.
func longStepText(run *runview.Run, events []machine.Event, after time.Duration) (text string) {
	for _, e := range events {
		r := run.Track.RowOfEvent(e)
		end, ended := e.Body.(*machine.StepFinished)
		if !ended || r == nil || !r.IsExecutable() {
			continue
		}
		took := r.AttemptBefore(e.Seq).Duration // the step may run again already
		if took >= after && run.Now.Sub(e.Time) < after {
			text = draw.StepName(r) + ": " + string(end.Result)
			if duration := wording.ColumnDuration(took); duration != "" {
				text += " after " + duration
			}
		}
	}
	return text
}

// stepName returns a step's name for people.
func stepName(run *runview.Run, label string) string {
	if r := run.RowByLabel(label); r != nil {
		return draw.StepName(r)
	}
	return draw.CleanLine(label)
}

// ProgressBar returns the progress of a run for terminals that show it beside their title, nil after the run
// has completed.
func ProgressBar(run *runview.Run) *tea.ProgressBar {
	if !run.IsBegun || run.IsReplay {
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
