package output

import (
	"fmt"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// shownAction is what the pane shows: an action of a row, in a state of the run.
type shownAction struct {
	row                   *track.Row
	action                *track.Action // nil: none
	openQuestionKind      string        // the kind of question that is open about the action, or at the row; "": none
	runState              engine.State  // of the run
	isNextStep            bool          // the paused run is about to enter the row
	isReplay              bool          // a recording shows, which executes nothing
	callNotice            string        // the state of a call that has no output yet
	isCauseShownElsewhere bool          // another part of the screen says why the action failed
}

// newShownAction returns an action of a row in the present state of the run. Both may be nil.
func newShownAction(run *runview.Run, r *track.Row, a *track.Action) shownAction {
	st := run.ShownStatus()
	s := shownAction{row: r, action: a, runState: st.State, isReplay: run.IsReplay, callNotice: callNoticeText(st, run.Now), isCauseShownElsewhere: isCauseShownElsewhere(run, r, a)}
	s.isNextStep = st.State == engine.Paused && r != nil && st.NextEvent != nil && st.NextEvent.Step == r.Label
	if isQuestionAbout(st, r) && !s.isSettled() {
		s.openQuestionKind = st.Question.Kind
	}
	return s
}

// isSettled reports whether an action shows that ended with nothing for a person to decide about it. An open question is
// then about a later one.
func (s *shownAction) isSettled() bool {
	a := s.action
	return a != nil && a.IsExecuted() && a.IsDone && (a.Outcome == nil || a.Outcome.Result != plan.Undecided)
}

// isQuestionAbout reports whether a question is about a row.
func isQuestionAbout(st engine.Status, r *track.Row) bool {
	return r != nil && st.Question != nil && st.Question.Action.StepLabel == r.Label
}

// isCauseShownElsewhere reports whether the summary of the run or WHY says why an action of a row failed.
func isCauseShownElsewhere(run *runview.Run, r *track.Row, a *track.Action) bool {
	if a == nil || a.Error == "" || r.Status != track.Failed {
		return false
	}
	explains := run.AreReasonsShown && r == run.SelectedRow || run.IsSummaryDialogShown && r == wording.DecisiveFailureRow(run.Track)
	return explains && strings.Contains(wording.FailureText(r), draw.CleanLine(a.Error))
}

// callNoticeText returns the state of a call that has no text yet: the model thinks, or the call waits to be
// retried. It returns "" if nothing is known.
func callNoticeText(st engine.Status, now time.Time) string {
	switch n := st.Notice; {
	case n != nil && n.RetryAt.IsZero():
		return draw.CleanLine(n.Text)
	case n != nil && now.Before(n.RetryAt):
		return draw.CleanLine(n.Text) + " " + draw.Countdown(n.RetryAt, now) + ". {now} to retry now, or {interrupt} to interrupt."
	case n != nil:
		return draw.CleanLine(n.Text) + " begins now."
	case st.ReasoningWords > 0:
		return "thinking… " + plan.CountText(st.ReasoningWords, "word")
	}
	return ""
}

// showsReply reports whether the pane shows the reply of a model, or of a person or file in its place.
func (s *shownAction) showsReply() bool { return s.action != nil && s.action.Kind == "model" }

// showsToolResult reports whether the pane shows the result of a tool.
func (s *shownAction) showsToolResult() bool { return s.action != nil && s.action.Kind == "tool" }

// ShowsReplyOrResult reports whether the pane shows the reply of a model or the result of a tool.
func (s *shownAction) ShowsReplyOrResult() bool { return s.showsReply() || s.showsToolResult() }

// ShownActionOf returns the action of a row whose output shows, nil if another row's shows.
func (s *shownAction) ShownActionOf(r *track.Row) *track.Action {
	if r != s.row {
		return nil
	}
	return s.action
}

// IsRunning reports whether the pane's action is being executed: a command, or a call of a model or a tool.
func (s *shownAction) IsRunning() bool {
	return s.action != nil && !s.action.IsDone && s.row.Status == track.Running
}

// asksAboutInterruption reports whether the open question is about the action because it was interrupted. The same kind
// of question is asked about a call that could not begin, which has an error.
func (s *shownAction) asksAboutInterruption() bool {
	return s.openQuestionKind == machine.KindResume && (s.action == nil || s.action.Error == "")
}

// reasoningText returns what the model thought before the reply that shows, "" if nothing was recorded.
func (s *shownAction) reasoningText() string {
	if s.action == nil {
		return ""
	}
	return s.action.Reasoning
}

// ShowsReplyText reports whether a text is the reply that the pane shows. The outcome of a named call, such as a
// check, carries the text that it is about.
func (s *shownAction) ShowsReplyText(text string) bool {
	return s.showsReply() && s.action.CallName == "" && s.action.Outcome != nil && s.action.Outcome.Text == text
}

// actionEndText returns the end of the action: an error, a signal, an exit status or an outcome.
func (s *shownAction) actionEndText(dc *draw.Context) string {
	a := s.action
	switch {
	case a.Error != "":
		return dc.Fail.Paint(draw.CleanLine(a.Error))
	case a.Signal != "":
		return dc.Fail.Paint("signal " + draw.CleanLine(a.Signal))
	case a.WasCutOff:
		return dc.Fail.Paint("interrupted")
	case a.ExitCode != nil && *a.ExitCode != 0:
		return dc.Fail.Paint(fmt.Sprintf("exit %d", *a.ExitCode))
	case a.ExitCode != nil:
		return dc.Pass.Paint("exit 0")
	case a.Outcome != nil:
		return dc.Muted.Paint(string(a.Outcome.Result))
	}
	return dc.Muted.Paint("ended")
}
