package output

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
)

// placeholderLines returns the lines that show instead of output.
func (p *Pane) placeholderLines(dc *draw.Context, w int) []string {
	reason := p.emptyReason()
	text := dc.Keys.FillInKeys(control.Sentence(reason))
	if strings.Contains(reason, "{now}") { // the person has to decide
		return dc.Wrap(text, w)
	}
	return dc.PaintLines(dc.Muted, text, w)
}

// emptyReason returns why there is no output, and what to do.
func (p *Pane) emptyReason() string {
	switch r := p.row; {
	case r == nil:
		return steps.NoStepsMessage
	case r.IncludedDocument != nil || !r.IsExecutable() || len(r.Children) > 0 && (p.action == nil || p.action.Kind == "include"):
		return "A group has no output of its own. Select one of its substeps."
	case !r.Plan().Runnable():
		return "The document has errors, so it cannot run."
	case p.isLogMissing:
		return wording.MissingLogText(p.logFile)
	case p.logFile != "" && !p.canOpenLogs:
		return "The output is available after the run resumes."
	case p.viewport.logWindow.err != nil:
		return draw.CleanLine(wording.ErrorSentence(fmt.Errorf("the log cannot be read: %w", p.viewport.logWindow.err)))
	case p.asksAboutInterruption() && p.showsReply():
		return "No part of the reply arrived. {answer} to go to the question."
	case p.asksAboutInterruption():
		return "Interrupted before any output. {answer} to go to the question."
	case p.showsReply() || p.openQuestionKind == machine.KindReply:
		return p.noReplyText()
	case p.showsToolResult():
		return p.noResultText()
	case p.IsRunning() && p.runState == engine.Over:
		return "The recording ends before any output."
	case p.IsRunning():
		return "Running. Nothing printed yet."
	case r.Status == track.Waiting && PrintsNothing(r):
		return "Nothing is executed here: this step asks a person." + p.questionKeyHint()
	case r.Status == track.Waiting && p.action == nil:
		return "Nothing is executed here: a person decides." + p.questionKeyHint()
	case p.action != nil && p.action.Kind == "command":
		return "The command printed nothing."
	case r.Status == track.Skipped:
		return "This step was skipped, so nothing ran."
	case r.Status.IsOver() && onlyAsksPerson(r):
		return "This step asks a person, and prints nothing."
	case r.Status.IsOver() && p.action == nil && (r.Overridden || wording.DecidingAnswerText(r) != ""):
		return "Nothing was executed: a person gave the outcome."
	case r.Status.IsOver():
		return "This step ended before anything ran."
	default:
		return "Not run yet" + p.runKeyHint()
	}
}

// PrintsNothing reports whether none of a row's actions prints anything.
func PrintsNothing(r *track.Row) bool {
	if r.Step == nil {
		return true
	}
	for _, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Decide, plan.Ask, plan.Include, plan.JudgeOnly:
		default:
			return false
		}
	}
	return true
}

// onlyAsksPerson reports whether a row asks a person and executes nothing.
func onlyAsksPerson(r *track.Row) bool {
	return PrintsNothing(r) && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		switch a.Work.(type) {
		case plan.Decide, plan.Ask:
			return true
		}
		return false
	})
}

// runKeyHint returns the end of a sentence: the key that runs this step, or that goes to the open question.
func (s *shownAction) runKeyHint() string {
	switch {
	case s.row.Status == track.Running, s.isReplay: // the run is here already, or executes nothing
		return "."
	case s.runState == engine.Paused:
		if s.isNextStep {
			return ". {over} to run this step."
		}
		return ". {run-to} to run to this step."
	case s.runState == engine.Waiting:
		return ". {answer} to go to the open question."
	}
	return "."
}

// questionKeyHint returns a sentence with the key that goes to the question, "" if none is open. At an earlier
// moment and in a replay, none is.
func (s *shownAction) questionKeyHint() string {
	if s.openQuestionKind == "" {
		return ""
	}
	return " {answer} to go to the question."
}

// noReplyText returns why there is no text of a reply.
func (s *shownAction) noReplyText() string {
	switch {
	case s.openQuestionKind == machine.KindReply:
		what := "reply"
		if !s.showsReply() { // a tool is called
			what = "result"
		}
		return "A person writes the " + what + ". {answer} to go to the question."
	case len(s.action.WantedCalls) > 0:
		return "The reply has no text, only " + plan.CountText(len(s.action.WantedCalls), "tool call") + "."
	case s.openQuestionKind != "" && !s.action.IsDone:
		return "The model is called after you answer. {answer} to go to the question."
	case !s.action.IsDone && s.callNotice != "":
		return s.callNotice
	case !s.action.IsDone:
		return "The model was called. Waiting for the reply to begin."
	case s.action.Error != "":
		return s.withFailureCause("There is no reply")
	default:
		return "The reply is empty."
	}
}

// noResultText returns why there is no text of a tool's result.
func (s *shownAction) noResultText() string {
	switch {
	case s.openQuestionKind != "" && !s.action.IsDone:
		return "The tool is called after you answer. {answer} to go to the question."
	case !s.action.IsDone && s.callNotice != "":
		return strings.TrimSuffix(s.callNotice, ".") + ". {interrupt} to interrupt."
	case !s.action.IsDone:
		return "The tool was called. Waiting for the result. {interrupt} to interrupt."
	case s.action.Error != "":
		return s.withFailureCause("There is no result")
	default:
		return "The result is empty."
	}
}

// withFailureCause returns a sentence that ends with why the action failed, unless the screen says that
// already.
func (s *shownAction) withFailureCause(text string) string {
	if s.isCauseShownElsewhere {
		return text + "."
	}
	return text + ": " + draw.CleanLine(s.action.Error)
}
