package control

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// table has all actions, in the groups of the help.
var table = slices.Concat(stepActions(), decisionActions(), changeActions(), rewindActions(), replyActions(), controlActions())

// stepActions returns the actions that make the run continue or pause.
func stepActions() []Action {
	return []Action{
		{Name: "continue", Moves: true, Playable: true, Help: "continue until you are needed", unavailable: cannotContinue, do: mode(engine.Continue)},
		{Name: "over", Moves: true, Playable: true, Help: "run one step, over included documents", unavailable: requirePaused, do: mode(engine.StepOver)},
		{Name: "into", Moves: true, Help: "run one step, into included documents", unavailable: requirePaused, do: mode(engine.StepInto)},
		{Name: "out", Moves: true, Help: "run to the end of the group", unavailable: requirePaused, do: mode(engine.StepOut)},
		{Name: "run-to", Moves: true, Playable: true, Params: []Param{{Kind: Step}}, Help: "run to a step", unavailable: cannotRunTo,
			do: func(s Session, r Run, a Args) error { return s.Go(engine.Continue, a.Step.Label) }},
		{Name: "pause", Playable: true, AnyTime: true, Help: "pause before the next step", unavailable: cannotPause,
			do: func(s Session, _ Run, _ Args) error { return s.Pause() }},
		{Name: "break", AnyTime: true, Params: []Param{{Kind: Breakpoint}}, Details: []string{"all"}, Help: "set a breakpoint, or clear it", do: toggleBreak},
		{Name: "interrupt", Moves: true, Help: "interrupt what is running", unavailable: requireRunning,
			do: func(s Session, _ Run, _ Args) error { return s.Cancel() }},
	}
}

// decisionActions returns the actions that set a step's outcome or choose where the run goes.
func decisionActions() []Action {
	return []Action{
		{Name: "answer", Moves: true, Params: []Param{{Kind: Text, Name: "VALUE"}}, Details: []string{"values", "reason", "fields"}, Help: "answer the open question", unavailable: requireQuestion, do: answer},
		{Name: "pass", Moves: true, Params: []Param{reason}, Details: []string{"values"}, Help: "answer pass, or pass the step", unavailable: cannotDecide, effect: overrideEffect(plan.Passed), do: decide(plan.Passed)},
		{Name: "fail", Moves: true, Params: []Param{reason}, Details: []string{"values"}, Help: "answer fail, or fail the step", unavailable: cannotFail, effect: overrideEffect(plan.Failed), do: decide(plan.Failed)},
		{Name: "override", Moves: true, Params: []Param{{Kind: Result}, reason}, Details: []string{"values"},
			Help: "override the outcome of the last step", unavailable: cannotOverride, effect: overrideBeforeEffect,
			do: func(s Session, _ Run, a Args) error { return s.Override(a.Result, a.Reason, a.Values...) }},
		{Name: "rerun", Moves: true, Params: []Param{{Kind: Step, Optional: true}, reason}, Help: "run a step again", unavailable: cannotRerun, effect: rerunEffect, do: rerunStep},
		{Name: "skip", Moves: true, Params: []Param{reason}, Help: "skip the step, without an outcome", unavailable: cannotSkip, effect: leavingEffect("Skip"),
			do: func(s Session, _ Run, a Args) error { return s.Skip(a.Reason) }},
		{Name: "jump", Moves: true, Playable: true, Params: []Param{{Kind: Step}, reason}, Help: "jump to a step", unavailable: cannotJump, effect: jumpEffect, do: jump},
		{Name: "complete", Moves: true, AnyTime: true, Params: []Param{message}, Help: "end the run as completed", unavailable: cannotEnd, effect: endEffect("Complete"), do: end(plan.Completed)},
		{Name: "stop", Moves: true, AnyTime: true, Params: []Param{message}, Help: "end the run as stopped", unavailable: cannotEnd, effect: endEffect("Stop"), do: end(plan.Stopped)},
		{Name: "cancel", Moves: true, AnyTime: true, Help: "end the run as cancelled", unavailable: cannotEnd, effect: endEffect("Cancel"), do: end(plan.Cancelled)},
	}
}

// changeActions returns the actions that change what the run works with.
func changeActions() []Action {
	return []Action{
		{Name: "set", Params: []Param{{Kind: Assignment}}, Help: "set a variable", unavailable: requireBegun,
			do: func(s Session, _ Run, a Args) error { return s.Set(a.Name, a.Text) }},
		{Name: "edit", OnTerminal: true, Params: []Param{{Kind: Step, Optional: true}, {Kind: Text, Name: "TEXT", Optional: true}}, Details: []string{"action"}, Help: "change what a step does in this run",
			unavailable: cannotEdit, do: edit},
		{Name: "edit-rule", OnTerminal: true, Params: []Param{{Kind: Step}, {Kind: Clause}, {Kind: Text}}, Help: "change a rule, such as a route",
			unavailable: cannotEditRule, effect: editRuleEffect, do: editRule},
		{Name: "insert-step", OnTerminal: true, Params: []Param{sides, {Kind: Step}, {Kind: Text}}, Help: "insert a step: its title or text",
			unavailable: cannotEditSteps(false), effect: editStepsEffect, do: editSteps(plan.InsertStep)},
		{Name: "duplicate-step", Params: []Param{{Kind: Step}}, Help: "insert a copy of a step after it",
			unavailable: cannotEditSteps(false), effect: editStepsEffect, do: editSteps(plan.DuplicateStep)},
		{Name: "remove-step", Params: []Param{{Kind: Step}}, Help: "remove a step that has not run",
			unavailable: cannotEditSteps(true), effect: editStepsEffect, do: editSteps(plan.RemoveStep)},
		{Name: "move-step", Params: []Param{{Kind: Step}, sides, {Kind: OtherStep}}, Help: "move a step that has not run",
			unavailable: cannotEditSteps(true), effect: editStepsEffect, do: editSteps(plan.MoveStep)},
		{Name: "shell", Params: []Param{{Kind: Step, Optional: true}}, Help: "open a shell where the commands of a step run",
			unavailable: cannotOpenShell, do: openShell},
		{Name: "reload", Params: []Param{{Kind: Word, Name: strings.Join(reloads, "|"), Options: reloads}, {Kind: NewStep, Optional: true}},
			Details: []string{"values"},
			Help:    "continue with the changed document", unavailable: cannotReload, effect: reloadEffect, do: reload},
		{Name: "restore", Params: []Param{{Kind: Text, Name: "PATH|all"}}, Help: "restore a file to its content before the run", unavailable: cannotRestore,
			do: func(s Session, _ Run, a Args) error { return s.Restore(a.Text) }},
		{Name: "approvals", OnTerminal: true, Params: []Param{{Kind: Word, Name: "each|once|none", Options: []string{machine.ApproveEach, machine.ApproveOnce, machine.ApproveNone}}},
			Help: "set when tool calls need your approval", unavailable: cannotApprove,
			do: func(s Session, _ Run, a Args) error { return s.Approve(a.Text) }},
	}
}

// rewindActions returns the actions that go back in the run, or forward again.
func rewindActions() []Action {
	return []Action{
		{Name: "undo", Moves: true, Playable: true, Help: "undo your last action", unavailable: requireBegun, effect: undoEffect(false),
			do: func(s Session, _ Run, _ Args) error { return s.Undo() }},
		{Name: "redo", Moves: true, Playable: true, Help: "redo what was undone", unavailable: requireBegun, effect: undoEffect(true),
			do: func(s Session, _ Run, _ Args) error { return s.Redo() }},
		{Name: "rewind", Moves: true, Playable: true, Params: []Param{{Kind: Event}}, Help: "rewind to an event", unavailable: requireBegun, effect: rewindEffect,
			do: func(s Session, _ Run, a Args) error { return s.Rewind(a.Event) }},
		{Name: "instead", Moves: true, Params: []Param{{Kind: Event}, {Kind: Assignment}}, Details: []string{"change"}, Help: "rewind and change a value, an outcome or a reply",
			unavailable: requireBegun, effect: rewindEffect,
			do: setOrChange},
	}
}

// replyActions returns the actions about where replies come from.
func replyActions() []Action {
	return []Action{
		{Name: "source", Params: []Param{{Kind: Source}}, Help: "choose where replies come from", unavailable: cannotAffectReplies,
			do: func(s Session, _ Run, a Args) error { return s.Choose(a.Text) }},
		{Name: "manual-reply", Help: "reply for the model, or stop that", unavailable: cannotReply,
			do: func(s Session, r Run, _ Args) error { return s.TakeOver(!r.Status.NextReplyManual) }},
		{Name: "now", Help: "retry a postponed call now", unavailable: cannotRetryNow,
			do: func(_ Session, r Run, _ Args) error { r.Status.Notice.Skip(); return nil }},
	}
}

// controlActions returns the actions about whose screen controls the run.
func controlActions() []Action {
	return []Action{
		{Name: "take-control", AnyTime: true, Help: "take back control of the run", unavailable: cannotTakeControl,
			do: func(s Session, _ Run, _ Args) error { return s.TakeControl() }},
	}
}

// mode returns the function that continues the run in a mode.
func mode(m engine.Mode) func(Session, Run, Args) error {
	return func(s Session, _ Run, _ Args) error { return s.Go(m, "") }
}

func end(result plan.RunResult) func(Session, Run, Args) error {
	return func(s Session, _ Run, a Args) error { return s.End(result, a.Text) }
}

func jump(s Session, r Run, a Args) error {
	if r.Replay {
		return s.Jump(a.Step.Label, "")
	}
	return s.Jump(a.Step.Target(), a.Reason)
}

func answer(s Session, _ Run, a Args) error {
	if a.Answer != nil {
		return s.Answer(*a.Answer)
	}
	return s.Answer(machine.Answer{Value: a.Text, By: machine.ByPerson, Note: a.Reason, Set: a.Values})
}

// decide answers the open question, or sets the outcome of the current step.
func decide(result plan.Result) func(Session, Run, Args) error {
	return func(s Session, r Run, a Args) error {
		if q := r.Status.Question; q != nil && !isToolResult(q) {
			a.Text = Side(q, result)
			return answer(s, r, a)
		}
		return s.OverrideCurrent(result, a.Reason, a.Values...)
	}
}

// Side returns the option of the question that means pass or fail, such as yes or no.
func Side(q *machine.Question, result plan.Result) string {
	own := map[plan.Result]string{plan.Passed: "yes", plan.Failed: "no"}[result]
	if slices.Contains(q.Options, own) {
		return own
	}
	return string(result)
}

// setOrChange sets a variable, unless the arguments have another change.
func setOrChange(s Session, _ Run, a Args) error {
	if a.Change == (machine.Change{}) {
		a.Change = machine.Change{Variable: a.Name, Value: a.Text}
	}
	return s.RewindAndChange(a.Event, a.Change)
}

// rerunStep makes another attempt of the current step. For an earlier step, it rewinds to before that
// step and runs it, with the edits made since.
func rerunStep(s Session, r Run, a Args) error {
	row := r.Step(a)
	if row == r.Track.Current {
		return s.Retry(a.Reason)
	}
	return s.RerunFrom(r.Events[r.eventIndex(row.LastVisit().Seq)-1].Seq, engine.StepOver)
}

// toggleBreak sets a breakpoint in place of the step's other one. If the new one has no condition
// and the step has a breakpoint, toggleBreak clears it.
func toggleBreak(s Session, r Run, a Args) error {
	if a.Breaks != nil {
		return s.Break(a.Breaks)
	}
	return s.Break(r.ToggleBreakpoint(a.Break))
}

// ToggleBreakpoint returns the breakpoints with one of them set or cleared.
func (r Run) ToggleBreakpoint(b engine.Breakpoint) []engine.Breakpoint {
	all := slices.DeleteFunc(slices.Clone(r.Breaks), func(other engine.Breakpoint) bool { return other.Step == b.Step })
	if len(all) < len(r.Breaks) && b.Conditions() == "" {
		return all
	}
	return append(all, b)
}

// openShell opens a shell at a step in the terminal.
func openShell(s Session, r Run, a Args) error {
	cmd, err := s.OpenShell(r.ShellStep(a).Target())
	if err != nil {
		return err
	}
	return a.Terminal(cmd)
}

// ShellStep returns the step at which a shell is opened: the one in the arguments, else the one
// that the run is at, nil if there is none.
func (r Run) ShellStep(a Args) *track.Row {
	if a.Step != nil {
		return a.Step
	}
	return r.Position()
}

// edit replaces the text of one of the step's actions. It needs a text.
func edit(s Session, r Run, a Args) error {
	step := r.Step(a)
	switch a.Text {
	case "":
		return &Refusal{Sentence(fmt.Sprintf("The edit of step %s has no text.", step.Label))}
	case step.ActionText(a.Action):
		return &Refusal{Sentence(fmt.Sprintf("Step %s is unchanged: the edit equals the document.", step.Label))}
	}
	return s.Edit(step.Target(), a.Action, a.Text)
}
