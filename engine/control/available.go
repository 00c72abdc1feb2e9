package control

import (
	"fmt"
	"slices"

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
	NotStarted = "The run has not started."
	NoStep     = "No step is selected."

	FilesUnchanged = "The document's files have not changed."
)

// requireBegun returns why an action on a begun run is unavailable. It allows runs that are over.
func requireBegun(r Run, _ Args) Sentence {
	switch {
	case !r.Plan.Runnable():
		return "The document has errors, so it cannot run."
	case !r.Begun:
		return NotStarted
	case r.Status.Err != nil:
		return Sentence(fmt.Sprintf("The run cannot continue: %v.", r.Status.Err))
	}
	return ""
}

// requireLive returns why an action on a run that can continue by itself is unavailable.
func requireLive(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch {
	case r.Status.State == engine.Over && r.Replay:
		return "The recording is over. {undo} to go back one step."
	case r.Status.State == engine.Over:
		return "The run is over. {rerun} to run a step again, or {jump} to jump to one."
	case r.Status.State == engine.Waits:
		return "The run waits for your answer. {answer} to answer."
	}
	return ""
}

// cannotContinue allows the action in a run that waits and would pause before its next step: it then
// does not pause.
func cannotContinue(r Run, a Args) Sentence {
	if r.Status.State == engine.Waits && r.Status.PausedBy != "" {
		return requireBegun(r, a)
	}
	why := requireLive(r, a)
	if why == "" && r.Status.State == engine.Running && !r.Stepping {
		return "The run is already running."
	}
	return why
}

func requirePaused(r Run, a Args) Sentence {
	why := requireLive(r, a)
	if why == "" && r.Status.State != engine.Paused {
		return "The run is not paused. {pause} to pause before the next step."
	}
	return why
}

// cannotPause allows the action in a paused run, because the key that pauses also continues. A run
// that waits pauses once its question is answered.
func cannotPause(r Run, a Args) Sentence {
	if r.Status.State == engine.Waits {
		return requireBegun(r, a)
	}
	return requireLive(r, a)
}

func cannotRunTo(r Run, a Args) Sentence {
	if why := requireLive(r, a); why != "" {
		return why
	}
	return requireTarget(a)
}

// requireTarget returns why an action that leads to a step is unavailable.
func requireTarget(a Args) Sentence {
	switch {
	case a.Step == nil || a.Step.Step == nil:
		return NoStep
	case !a.Step.IsLatest():
		return Sentence(fmt.Sprintf("Step %s is an earlier instance. Select the latest one.", a.Step.Label))
	}
	return ""
}

func requireRunning(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.Running == "" {
		return "Nothing is running."
	}
	return ""
}

func requireQuestion(r Run, a Args) Sentence {
	if r.Status.Question == nil {
		return "There is no open question."
	}
	return ""
}

// requireEntered refuses an action on the current step if the run is at no step.
func requireEntered(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Track.Current == nil {
		return "No step has run yet. {over} to run the first, or {jump} to jump to one."
	}
	return ""
}

func cannotDecide(r Run, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	switch q := r.Status.Question; {
	case q == nil:
		return ""
	case q.Kind == machine.KindApproveCall:
		return "A tool call is waiting for your approval. {answer} to allow or refuse it."
	case q.Field != nil && !slices.Equal(q.Options, []string{"yes", "no"}) || q.Kind == machine.KindReply:
		return "The step asks for a text or a choice. {answer} to give it, or {skip} to skip the step."
	}
	return ""
}

// cannotFail allows failing a tool call whose result is asked for.
func cannotFail(r Run, a Args) Sentence {
	if isToolResult(r.Status.Question) {
		return ""
	}
	return cannotDecide(r, a)
}

// isToolResult reports whether a person is asked for the result of a tool.
func isToolResult(q *machine.Question) bool {
	return q != nil && q.Kind == machine.KindReply && q.Tool != ""
}

func cannotOverride(r Run, a Args) Sentence {
	if why := cannotDecide(r, a); why != "" {
		return why
	}
	switch at := r.Track.Current; {
	case !r.IsPausedAfter():
		return "The next step has begun, so the previous outcome cannot change. {rerun} to run a step again."
	case at.Status == track.Passed && a.Result == plan.Passed, at.Status == track.Failed && a.Result == plan.Failed:
		return Sentence(fmt.Sprintf("Step %s has already %s.", at.Label, at.Status))
	}
	return ""
}

func cannotRerun(r Run, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	if s := r.Step(a); s != r.Track.Current && s.LastVisit() == nil {
		return Sentence(fmt.Sprintf("Step %s has not run yet. {jump} to jump to it.", s.Label))
	}
	return ""
}

func cannotSkip(r Run, a Args) Sentence {
	if why := requireEntered(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over && !r.Track.EndedAtFailure() {
		return "The run is over: no step is left to skip."
	}
	return ""
}

func cannotJump(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if a.Step != nil && r.Track.Current != nil && a.Step == r.Position() && !a.Step.Status.IsOver() && r.Status.State != engine.Over {
		return "The run is already at this step. Select another one."
	}
	return requireTarget(a)
}

func cannotEnd(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over {
		return "The run is already over."
	}
	return ""
}

func cannotEdit(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch s := r.Step(a); {
	case s == nil:
		return NoStep
	case s.Editable() < 0:
		return Sentence(fmt.Sprintf("Step %s has nothing to edit.", s.Label))
	}
	return ""
}

func cannotOpenShell(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch s := r.ShellStep(a); {
	case r.Status.Running != "":
		return Sentence(r.RunningText() + ". {interrupt} to interrupt it, then open a shell.")
	case r.Status.State == engine.Running:
		return "The run goes on by itself. {pause} to pause it, then open a shell."
	case s == nil || s.Step == nil:
		return NoStep
	case s != r.Upcoming.At && !s.IsLatest():
		return requireTarget(Args{Step: s})
	case a.Terminal == nil:
		return "There is no terminal for a shell."
	}
	return ""
}

func cannotEditRule(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	s := r.Step(a)
	if s == nil || s.Step == nil {
		return NoStep
	}
	switch n := len(s.Plan().Deciding(s.Step)); {
	case n == 0:
		return Sentence(fmt.Sprintf("Step %s has no rule in the document. The format decides what comes next.", s.Label))
	case a.Clause < 0 || a.Clause >= n:
		return Sentence(fmt.Sprintf("Step %s has %s.", s.Label, plan.Count(n, "rule")))
	}
	return ""
}

// cannotReload checks the choice in the arguments. Without a choice, it checks whether any is
// possible.
func cannotReload(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	o := r.Saved
	switch {
	case o == nil:
		return FilesUnchanged
	case o.Err() != nil:
		return Sentence(wording.Sentence(o.Err()))
	case a.Target != "" && o.Plan.Find(a.Target) == nil:
		return Sentence(fmt.Sprintf("The new document has no step %q: %s.", a.Target, near.Hint(a.Target, o.Plan.IDs())))
	case a.Text == ReloadHere && a.Target == "" && o.NoPlace != nil:
		return Sentence(wording.Sentence(o.NoPlace))
	case a.Text == ReloadRewind && o.FirstChanged == 0:
		return "None of the changed steps has run."
	case a.Text != "" && r.missingInput(a) != "":
		name := r.missingInput(a)
		return Sentence(fmt.Sprintf("The changed document requires the input %s, which has no value. Use set %s=VALUE, then reload again.", name, name))
	case a.Target != "" && a.Text != ReloadHere:
		return "Name a step only with the choice to continue at it."
	}
	return ""
}

// NoChangedFiles says that there is no file to show or restore.
const NoChangedFiles Sentence = "No tool call has left a file changed. Files changed by commands are not recorded."

// missingInput returns the name of an input that the changed document requires and that nobody has
// given a value, "" if there is none.
func (r Run) missingInput(a Args) string {
	for _, in := range r.Saved.Missing {
		if !slices.ContainsFunc(a.Values, func(v plan.Assignment) bool { return v.Name == in.Name }) {
			return in.Name
		}
	}
	return ""
}

// cannotRestore refuses files that the run has not changed.
func cannotRestore(r Run, a Args) Sentence {
	if why := requireBegun(r, a); why != "" {
		return why
	}
	switch {
	case r.Replay:
		return "This is a recording. playhead edits shows the files that its run changed."
	case len(r.Status.ChangedFiles) == 0:
		return NoChangedFiles
	case a.Text != "" && a.Text != "all" && !slices.Contains(r.Status.ChangedFiles, a.Text):
		return Sentence(fmt.Sprintf("The run has not changed a file %s.", sanitize.Plain(a.Text)))
	}
	return ""
}

func cannotApprove(r Run, a Args) Sentence {
	if !r.Plan.MayCallTools() {
		return "No model in this document may call tools."
	}
	return requireBegun(r, a)
}

// cannotAffectReplies returns why an action cannot affect later replies, "" if it can.
func cannotAffectReplies(r Run, a Args) Sentence {
	if !r.Plan.AsksModels() {
		return "No step of this document asks a model."
	}
	if why := requireBegun(r, a); why != "" {
		return why
	}
	if r.Status.State == engine.Over && !r.Track.EndedAtFailure() {
		return "The run is over."
	}
	return ""
}

func cannotReply(r Run, a Args) Sentence {
	q := r.Status.Question
	if r.Track.Current.HasTool() && requireBegun(r, a) == "" { // a person can give a tool's result, whatever the reply source is
		return ""
	}
	switch why := cannotAffectReplies(r, a); {
	case why != "":
		return why
	case r.Status.NextReplyManual, q != nil && q.MayHaveActed: // a model has replied there, or the person did before
		return ""
	case r.Status.Source == model.Manual:
		return "You already give every reply. {source} to choose another source."
	case q != nil && q.Kind == machine.KindReply:
		return Sentence(fmt.Sprintf("%s has no reply here. You are already replying.", r.Status.Source))
	}
	return ""
}

func cannotTakeControl(r Run, _ Args) Sentence {
	if r.Watched == "" {
		return "You already control the run."
	}
	return ""
}

func cannotRetryNow(r Run, _ Args) Sentence {
	if n := r.Status.Notice; n == nil || n.Skip == nil || !r.Now.Before(n.Until) {
		return "No call is waiting to be retried."
	}
	return ""
}
