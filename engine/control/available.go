package control

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// The functions in this file return why an action is unavailable, "" if it is available. The
// sentence gives the reason, then what to do instead.

// These reasons are also given by front ends, for what they do themselves.
const (
	NotStartedReason  = "The run has not started. {answer} to go to the question."
	NoStepReason      = "No step is selected."
	NoStepsReason     = "This document has no steps."
	NoVariablesReason = "No variable has a value yet."

	FilesUnchangedReason = "The document's files have no change that affects the run."
)

// requireBegun returns why an action on a begun run is unavailable. It allows runs that are over.
func requireBegun(r RunView, _ Args) Sentence {
	switch {
	case !r.Plan.Runnable():
		return "The document has errors, so it cannot run."
	case !r.IsBegun:
		return NotStartedReason
	case r.Status.Err != nil:
		return Sentencef("The run cannot continue: %s.", r.Status.Err)
	}
	return ""
}

// requireLive returns why an action on a run that can continue by itself is unavailable.
func requireLive(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch {
	case r.Status.State == engine.Over && r.IsReplay:
		return "The recording is over. {undo} to go back one step."
	case r.Status.State == engine.Over:
		return "The run is over. {rerun} to run a step again, or {jump} to jump to one."
	case r.Status.State == engine.Waiting:
		return "The run is waiting for your answer. {answer} to give it."
	}
	return ""
}

// continueUnavailableReason returns "" also for a run that would pause before its next step: continuing cancels the pause.
func continueUnavailableReason(r RunView, a Args) Sentence {
	if r.Status.PausesNext || r.Status.State == engine.Waiting && r.Status.PausedBy != "" {
		return requireBegun(r, a)
	}
	why := requireLive(r, a)
	if why == "" && r.Status.State == engine.Running && !r.IsStepping {
		return "The run is already running."
	}
	return why
}

func requirePaused(r RunView, a Args) Sentence {
	why := requireLive(r, a)
	if why == "" && r.Status.State != engine.Paused {
		return "The run is not paused. {pause} to pause before the next step."
	}
	return why
}

// pauseUnavailableReason returns "" also for a paused run, because the key that pauses also continues. A run
// that waits pauses once its question is answered.
func pauseUnavailableReason(r RunView, a Args) Sentence {
	if r.Status.State == engine.Waiting {
		return requireBegun(r, a)
	}
	return requireLive(r, a)
}

func runToUnavailableReason(r RunView, a Args) Sentence {
	if why := requireLive(r, a); why != "" {
		return why
	}
	return requireTarget(a)
}

// requireTarget returns why an action that leads to a step is unavailable.
func requireTarget(a Args) Sentence {
	switch {
	case a.Row == nil || a.Row.Step == nil:
		return NoStepReason
	case !a.Row.IsLatestInstance():
		return Sentencef("Step %s is an earlier instance. Select the latest one.", a.Row.Label)
	}
	return ""
}

func requireRunning(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.RunningStep == "" {
		return Sentence(wording.ErrorSentence(engine.ErrNothingRunning))
	}
	return ""
}

func requireQuestion(r RunView, a Args) Sentence {
	if r.Status.Question == nil {
		return Sentence(wording.ErrorSentence(machine.ErrNoQuestion))
	}
	return ""
}

// requireEntered refuses an action on the current step if the run is at no step.
func requireEntered(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Track.CurrentRow == nil {
		return "No step has run yet. {over} to run the first, or {jump} to jump to one."
	}
	return ""
}

// passUnavailableReason returns "" also for a step that has passed, if it is to pass with other values.
func passUnavailableReason(r RunView, a Args) Sentence {
	if len(a.Assignments) > 0 {
		return outcomeUnavailableReason(r, a)
	}
	return newOutcomeUnavailableReason(r, a, plan.Passed)
}

func newOutcomeUnavailableReason(r RunView, a Args, result plan.Result) Sentence {
	if why := outcomeUnavailableReason(r, a); why != "" || !isPausedBeforeRoutes(r) {
		return why
	}
	return sameOutcomeUnavailableReason(r.Track.CurrentRow, result)
}

// isPausedBeforeRoutes reports whether the run is paused after the current step, before a route of it or of a group
// around it is taken.
func isPausedBeforeRoutes(r RunView) bool {
	next := r.Status.NextEvent
	if r.Status.State != engine.Paused || next == nil {
		return false
	}
	_, routes := next.Body.(*machine.Decision)
	return routes
}

func outcomeUnavailableReason(r RunView, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	switch q := r.Status.Question; {
	case q == nil:
		return ""
	case q.Kind == machine.KindApproveCall:
		return "A tool call is waiting for your approval. {answer} to allow or refuse it."
	case q.Field != nil && !slices.Equal(q.Options, []string{"yes", "no"}) || q.Kind == machine.KindReply:
		return "The step asks for text or a choice. {answer} to answer, or {skip} to skip the step."
	}
	return ""
}

// failUnavailableReason returns "" also for a tool call whose result is asked for.
func failUnavailableReason(r RunView, a Args) Sentence {
	if asksForToolResult(r.Status.Question) {
		return ""
	}
	return newOutcomeUnavailableReason(r, a, plan.Failed)
}

// asksForToolResult reports whether a person is asked for the result of a tool.
func asksForToolResult(q *machine.Question) bool {
	return q != nil && q.Kind == machine.KindReply && q.Tool != ""
}

func overrideUnavailableReason(r RunView, a Args) Sentence {
	if why := outcomeUnavailableReason(r, a); why != "" {
		return why
	}
	if !r.IsPausedBetweenSteps() && r.Status.State != engine.Over {
		return Sentence(wording.ErrorSentence(engine.ErrNotBetweenSteps)) + " {rerun} to run a step again."
	}
	return sameOutcomeUnavailableReason(r.Track.CurrentRow, a.Result)
}

// sameOutcomeUnavailableReason returns that a step has an outcome already, "" if it has not. In a document where a model's reply decides
// where a step leads, that would send the run elsewhere.
func sameOutcomeUnavailableReason(at *track.Row, result plan.Result) Sentence {
	if at.Status == track.Passed && result == plan.Passed || at.Status == track.Failed && result == plan.Failed {
		return Sentencef("Step %s has already %s.", at.Label, at.Status)
	}
	return ""
}

func rerunUnavailableReason(r RunView, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	if s := r.ArgumentRow(a); s != r.Track.CurrentRow && s.NewestStepAttempt() == nil {
		return Sentencef("Step %s has not run yet. {jump} to jump to it.", s.Label)
	}
	return ""
}

func skipUnavailableReason(r RunView, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over && !r.Track.EndedAtFailure() {
		return "The run is over, so there is no step to skip. {rerun} to run a step again."
	}
	return ""
}

func jumpUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if a.Row != nil && r.Track.CurrentRow != nil && a.Row == r.PositionRow() && !a.Row.Status.IsOver() && r.Status.State != engine.Over {
		return "The run is already at this step. Select another one."
	}
	return requireTarget(a)
}

func endUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over {
		return "The run is already over."
	}
	return ""
}

func editUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch s := r.ArgumentRow(a); {
	case s == nil:
		return NoStepReason
	case s.EditableActionIndex() < 0:
		return Sentencef("Step %s has nothing to edit.", s.Label)
	}
	return ""
}

func openShellUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch s := r.ShellRow(a); {
	case r.Status.RunningStep != "":
		return Sentencef("%s. {interrupt} to interrupt it, then open a shell.", r.RunningText())
	case r.Status.State == engine.Running:
		return "The run is not paused. {pause} to pause it, then open a shell."
	case s == nil || s.Step == nil:
		return NoStepReason
	case s != r.Upcoming.Row && !s.IsLatestInstance():
		return requireTarget(Args{Row: s})
	case a.RunInTerminal == nil:
		return "There is no terminal for a shell."
	}
	return ""
}

func editRuleUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	s := r.ArgumentRow(a)
	if s == nil || s.Step == nil {
		return NoStepReason
	}
	switch n := len(s.Plan().RulesOf(s.Step)); {
	case n == 0:
		return Sentencef("The document has no rule for step %s, so there is nothing to change.", s.Label)
	case a.RuleIndex < 0 || a.RuleIndex >= n:
		return Sentencef("Step %s has only %s.", s.Label, plan.CountText(n, "rule"))
	}
	return ""
}

// reloadUnavailableReason returns why the choice in the arguments is impossible or, without a choice, why every one is.
func reloadUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	o := r.SavedVersion
	switch {
	case o == nil:
		return FilesUnchangedReason
	case o.Err() != nil:
		return LiteralText(wording.ErrorSentence(o.Err()))
	case a.TargetID != "" && o.Plan.FindStep(a.TargetID) == nil:
		return LiteralText(wording.ErrorSentence(fmt.Errorf("the changed document has no step %q: %s", a.TargetID, near.Suggestion(a.TargetID, o.Plan.StepIDs()))))
	case a.Text == ReloadHere && a.TargetID == "" && o.NoPlaceError != nil:
		return LiteralText(wording.ErrorSentence(o.NoPlaceError))
	case a.Text == ReloadRewind && o.FirstChangedSeq == 0:
		return "None of the changed steps has run, so there is nothing to rewind to."
	case a.Text != "" && r.missingInputName(a) != "":
		name := r.missingInputName(a)
		return Sentencef("The changed document requires the input %s, which has no value. {set} %s=VALUE, then {reload} %s again.", name, name, strings.TrimSpace(a.Text+" "+a.TargetID))
	case a.TargetID != "" && a.Text != ReloadHere:
		return "Only \"reload here\" takes a step: {reload} here STEP."
	}
	return ""
}

// NoChangedFilesReason says that there is no file to show or restore.
var NoChangedFilesReason = Sentence(wording.ErrorSentence(engine.ErrNoChangedFiles))

// missingInputName returns the name of an input that the changed document requires and that nobody has
// given a value, "" if there is none.
func (r RunView) missingInputName(a Args) string {
	for _, in := range r.SavedVersion.MissingInputs {
		if !slices.ContainsFunc(a.Assignments, func(v plan.Assignment) bool { return v.Name == in.Name }) {
			return in.Name
		}
	}
	return ""
}

// restoreUnavailableReason also returns a reason for a file that the run has not changed.
func restoreUnavailableReason(r RunView, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch {
	case r.IsReplay:
		return "This is a recording. Use playhead edits to show the files that its run changed."
	case len(r.Status.ChangedFiles) == 0:
		return NoChangedFilesReason
	case a.Text != "" && a.Text != "all" && !slices.Contains(r.Status.ChangedFiles, a.Text):
		return LiteralText(wording.ErrorSentence(engine.NotChangedError(sanitize.Plain(a.Text))))
	}
	return ""
}

func approvalPolicyUnavailableReason(r RunView, a Args) Sentence {
	if !r.Plan.MayCallTools() {
		return "No model in this document may call tools."
	}
	return requireBegun(r, a)
}

// replySourceUnavailableReason returns why an action cannot affect later replies, "" if it can.
func replySourceUnavailableReason(r RunView, a Args) Sentence {
	if !r.Plan.AsksModels() {
		return "No step of this document asks a model."
	}
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over && !r.Track.EndedAtFailure() {
		return "The run is over, so no reply follows. {rerun} to run a step again."
	}
	return ""
}

func manualReplyUnavailableReason(r RunView, a Args) Sentence {
	q := r.Status.Question
	if r.IsAtToolStep() && requireBegun(r, a) == "" { // a person can give a tool's result, whatever the reply source is
		return ""
	}
	switch why := replySourceUnavailableReason(r, a); {
	case why != "":
		return why
	case r.Status.NextReplyManual, q != nil && q.MayHaveActed: // a model has replied there, or the person did before
		return ""
	case r.Status.ReplySourceName == model.ManualReplySource:
		return "You already give every reply. {source} to choose another reply source."
	case q != nil && q.Kind == machine.KindReply:
		return Sentencef("You are already replying, because the reply source %s cannot reply here.", r.Status.ReplySourceName)
	}
	return ""
}

func takeControlUnavailableReason(r RunView, _ Args) Sentence {
	if r.WatchOnlyReason == "" {
		return "You already control the run."
	}
	return ""
}

func retryNowUnavailableReason(r RunView, _ Args) Sentence {
	if n := r.Status.Notice; n == nil || n.RetryNow == nil || !r.Now.Before(n.RetryAt) {
		return "No call is waiting to be retried."
	}
	return ""
}
