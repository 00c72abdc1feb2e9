package control

import (
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// actionTable has all actions, in the groups of the help.
var actionTable = slices.Concat(stepActions(), decisionActions(), changeActions(), rewindActions(), replyActions(), controlActions())

// stepActions returns the actions that make the run continue or pause.
func stepActions() []Action {
	return []Action{
		{Name: "continue", MovesRun: true, WorksInReplay: true, Help: "continue until you are needed", unavailableReason: continueUnavailableReason, resultOf: resultOfContinue, perform: continueInMode(engine.Continue)},
		{Name: "over", MovesRun: true, WorksInReplay: true, Help: "run one step; an included document counts as one", unavailableReason: requirePaused, perform: continueInMode(engine.StepOver)},
		{Name: "into", MovesRun: true, Help: "run one step; enter an included document", unavailableReason: requirePaused, perform: continueInMode(engine.StepInto)},
		{Name: "out", MovesRun: true, Help: "run to the group's end", unavailableReason: requirePaused, perform: continueInMode(engine.StepOut)},
		{Name: "run-to", MovesRun: true, WorksInReplay: true, Params: []Param{{Kind: StepParam}}, Help: "run to a step", unavailableReason: runToUnavailableReason,
			perform: func(s Session, r RunView, a Args) error { return s.Continue(engine.Continue, a.Row.Label) }},
		{Name: "pause", WorksInReplay: true, AllowedWhenStale: true, Help: "pause before the next step", unavailableReason: pauseUnavailableReason, resultOf: resultOfPause,
			perform: func(s Session, _ RunView, _ Args) error { return s.Pause() }},
		{Name: "break", AllowedWhenStale: true, Params: []Param{{Kind: BreakpointParam}}, ProgramOnlyKeys: []string{"all"}, Help: "set or clear a breakpoint", resultOf: resultOfBreak, perform: toggleBreakpoint},
		{Name: "interrupt", MovesRun: true, Help: "interrupt what is running", unavailableReason: requireRunning,
			perform: func(s Session, _ RunView, _ Args) error { return s.Interrupt() }},
	}
}

// decisionActions returns the actions that set a step's outcome or choose where the run goes.
func decisionActions() []Action {
	return []Action{
		{Name: "answer", MovesRun: true, Params: []Param{{Kind: TextParam, HelpName: "VALUE"}}, ProgramOnlyKeys: []string{"values", "reason", "fields"}, Help: "answer the open question", unavailableReason: requireQuestion, perform: giveAnswer},
		{Name: "pass", MovesRun: true, Params: []Param{optionalNoteParam}, ProgramOnlyKeys: []string{"values"}, Help: "answer or override with pass", unavailableReason: passUnavailableReason, effectOf: overrideEffect(plan.Passed), perform: answerOrOverride(plan.Passed)},
		{Name: "fail", MovesRun: true, Params: []Param{optionalNoteParam}, ProgramOnlyKeys: []string{"values"}, Help: "answer or override with fail", unavailableReason: failUnavailableReason, effectOf: overrideEffect(plan.Failed), perform: answerOrOverride(plan.Failed)},
		{Name: "override", MovesRun: true, Params: []Param{{Kind: ResultParam}, optionalNoteParam}, ProgramOnlyKeys: []string{"values"},
			Help: "override the outcome of the step that ended last", unavailableReason: overrideUnavailableReason, effectOf: overridePreviousEffect,
			perform: func(s Session, _ RunView, a Args) error {
				return s.OverridePrevious(a.Result, a.Note, a.Assignments...)
			}},
		{Name: "rerun", MovesRun: true, Params: []Param{{Kind: StepParam, IsOptional: true}, optionalNoteParam}, Help: "run a step again", unavailableReason: rerunUnavailableReason, effectOf: rerunEffect, perform: rerunStep},
		{Name: "skip", MovesRun: true, Params: []Param{optionalNoteParam}, Help: "skip the step", unavailableReason: skipUnavailableReason, effectOf: skipEffect,
			perform: func(s Session, _ RunView, a Args) error { return s.Skip(a.Note) }},
		{Name: "jump", MovesRun: true, WorksInReplay: true, Params: []Param{{Kind: StepParam}, optionalNoteParam}, Help: "jump to a step", unavailableReason: jumpUnavailableReason, effectOf: jumpEffect, perform: jumpToStep},
		{Name: "complete", MovesRun: true, AllowedWhenStale: true, Params: []Param{optionalMessageParam}, Help: "end the run as completed", unavailableReason: endUnavailableReason, effectOf: endRunEffect("Complete"), perform: endRun(plan.Completed)},
		{Name: "stop", MovesRun: true, AllowedWhenStale: true, Params: []Param{optionalMessageParam}, Help: "end the run as stopped", unavailableReason: endUnavailableReason, effectOf: endRunEffect("Stop"), perform: endRun(plan.Stopped)},
		{Name: "cancel", MovesRun: true, AllowedWhenStale: true, Help: "end the run as cancelled", unavailableReason: endUnavailableReason, effectOf: endRunEffect("Cancel"), perform: endRun(plan.Cancelled)},
	}
}

// changeActions returns the actions that change what the run works with.
func changeActions() []Action {
	return []Action{
		{Name: "set", Params: []Param{{Kind: AssignmentParam}}, Help: "set a variable", unavailableReason: requireBegun,
			perform: func(s Session, _ RunView, a Args) error { return s.SetVariable(a.Name, a.Text) }},
		{Name: "edit", RequiresTerminal: true, Params: []Param{{Kind: StepParam, IsOptional: true}, {Kind: TextParam, HelpName: "TEXT", IsOptional: true}}, ProgramOnlyKeys: []string{"action"}, Help: "change what a step does in this run",
			unavailableReason: editUnavailableReason, resultOf: resultOfEdit, perform: editAction},
		{Name: "edit-rule", RequiresTerminal: true, Params: []Param{{Kind: StepParam}, {Kind: RuleParam}, {Kind: TextParam}}, Help: "change a rule, such as a route",
			unavailableReason: editRuleUnavailableReason, effectOf: editRuleEffect, resultOf: resultOfEditRule, perform: editRule},
		{Name: "insert-step", RequiresTerminal: true, Params: []Param{beforeAfterParam, {Kind: StepParam}, {Kind: TextParam}}, Help: "insert a step; TEXT begins with its title",
			unavailableReason: editStepsCheck(false), effectOf: editStepsEffect(plan.InsertStep), resultOf: resultOfEditSteps, perform: editSteps(plan.InsertStep)},
		{Name: "duplicate-step", Params: []Param{{Kind: StepParam}}, Help: "insert a copy of a step after it",
			unavailableReason: editStepsCheck(false), effectOf: editStepsEffect(plan.DuplicateStep), resultOf: resultOfEditSteps, perform: editSteps(plan.DuplicateStep)},
		{Name: "remove-step", Params: []Param{{Kind: StepParam}}, Help: "remove a step that has not run",
			unavailableReason: editStepsCheck(true), effectOf: editStepsEffect(plan.RemoveStep), resultOf: resultOfEditSteps, perform: editSteps(plan.RemoveStep)},
		{Name: "move-step", Params: []Param{{Kind: StepParam}, beforeAfterParam, {Kind: OtherStepParam}}, Help: "move a step that has not run",
			unavailableReason: editStepsCheck(true), effectOf: editStepsEffect(plan.MoveStep), resultOf: resultOfEditSteps, perform: editSteps(plan.MoveStep)},
		{Name: "shell", Params: []Param{{Kind: StepParam, IsOptional: true}}, Help: "open a shell with a step's folder and environment",
			unavailableReason: openShellUnavailableReason, perform: openShell},
		{Name: "reload", Params: []Param{{Kind: ChoiceParam, HelpName: strings.Join(reloadChoices, "|"), Options: reloadChoices}, {Kind: NewStepParam, IsOptional: true}},
			ProgramOnlyKeys: []string{"values"},
			Help:            "continue with the changed document", unavailableReason: reloadUnavailableReason, effectOf: reloadEffect, perform: reloadDocument},
		{Name: "restore", Params: []Param{{Kind: TextParam, HelpName: "PATH|all"}}, Help: "restore a file to its content before the run", unavailableReason: restoreUnavailableReason,
			perform: func(s Session, _ RunView, a Args) error { return s.RestoreFiles(a.Text) }},
		{Name: "approvals", RequiresTerminal: true, Params: []Param{{Kind: ChoiceParam, HelpName: "each|once|none", Options: []string{machine.ApproveEach, machine.ApproveOnce, machine.ApproveNone}}},
			Help: "choose how often tool calls need your approval", unavailableReason: approvalPolicyUnavailableReason,
			perform: func(s Session, _ RunView, a Args) error { return s.SetApprovalPolicy(a.Text) }},
	}
}

// rewindActions returns the actions that go back in the run, or forward again.
func rewindActions() []Action {
	return []Action{
		{Name: "undo", MovesRun: true, WorksInReplay: true, Help: "undo the last action", unavailableReason: requireBegun, effectOf: undoEffect,
			perform: func(s Session, _ RunView, _ Args) error { return s.Undo() }},
		{Name: "redo", MovesRun: true, WorksInReplay: true, Help: "redo the last undone action", unavailableReason: requireBegun,
			perform: func(s Session, _ RunView, _ Args) error { return s.Redo() }},
		{Name: "rewind", MovesRun: true, WorksInReplay: true, Params: []Param{{Kind: EventParam}}, Help: "rewind to an event", unavailableReason: requireBegun, effectOf: rewindEffect,
			perform: func(s Session, _ RunView, a Args) error { return s.Rewind(a.EventSeq) }},
		{Name: "instead", MovesRun: true, Params: []Param{{Kind: EventParam}, {Kind: AssignmentParam}}, ProgramOnlyKeys: []string{"change"}, Help: "rewind and change a value, an outcome or a reply",
			unavailableReason: requireBegun, effectOf: rewindEffect,
			perform: rewindAndChange},
	}
}

// replyActions returns the actions about where replies come from.
func replyActions() []Action {
	return []Action{
		{Name: "source", Params: []Param{{Kind: ReplySourceParam}}, Help: "choose a reply source", unavailableReason: replySourceUnavailableReason,
			perform: func(s Session, _ RunView, a Args) error { return s.ChooseReplySource(a.Text) }},
		{Name: "manual-reply", Help: "reply yourself (toggle)", unavailableReason: manualReplyUnavailableReason,
			perform: func(s Session, r RunView, _ Args) error { return s.TakeOverReply(!r.Status.NextReplyManual) }},
		{Name: "now", Help: "retry the call now", unavailableReason: retryNowUnavailableReason,
			perform: func(_ Session, r RunView, _ Args) error { r.Status.Notice.RetryNow(); return nil }},
	}
}

// controlActions returns the actions about whose screen controls the run.
func controlActions() []Action {
	return []Action{
		{Name: "take-control", AllowedWhenStale: true, Help: "take control of the run", unavailableReason: takeControlUnavailableReason,
			perform: func(s Session, _ RunView, _ Args) error { return s.TakeControl() }},
	}
}

// continueInMode returns the function that continues the run in a mode.
func continueInMode(m engine.Mode) func(Session, RunView, Args) error {
	return func(s Session, _ RunView, _ Args) error { return s.Continue(m, "") }
}

// resultOfPause says that the pause comes later, because what is running continues to its end.
func resultOfPause(r RunView, _ Args) Sentence {
	if r.Status.State == engine.Paused {
		return ""
	}
	return "The run pauses before the next step. {continue} to cancel the pause."
}

// resultOfContinue says that a pause which the run was told to make is cancelled.
func resultOfContinue(r RunView, _ Args) Sentence {
	if !r.Status.PausesNext {
		return ""
	}
	return "The run no longer pauses before the next step."
}

func endRun(result plan.RunResult) func(Session, RunView, Args) error {
	return func(s Session, _ RunView, a Args) error { return s.EndRun(result, a.Text) }
}

func jumpToStep(s Session, r RunView, a Args) error {
	if r.IsReplay {
		return s.Jump(a.Row.Label, "")
	}
	return s.Jump(a.Row.JumpTarget(), a.Note)
}

func giveAnswer(s Session, _ RunView, a Args) error {
	if a.Answer != nil {
		return s.Answer(*a.Answer)
	}
	return s.Answer(machine.Answer{Value: a.Text, By: machine.ByPerson, Note: a.Note, Assignments: a.Assignments})
}

// answerOrOverride answers the open question, or sets the outcome of the current step.
func answerOrOverride(result plan.Result) func(Session, RunView, Args) error {
	return func(s Session, r RunView, a Args) error {
		if q := r.Status.Question; q != nil && !asksForToolResult(q) {
			a.Text = answerForResult(q, result)
			return giveAnswer(s, r, a)
		}
		return s.OverrideCurrent(result, a.Note, a.Assignments...)
	}
}

// answerForResult returns the answer that means pass or fail: yes or no if the question offers it, else the result.
func answerForResult(q *machine.Question, result plan.Result) string {
	own := map[plan.Result]string{plan.Passed: "yes", plan.Failed: "no"}[result]
	if slices.Contains(q.Options, own) {
		return own
	}
	return string(result)
}

// rewindAndChange sets a variable, unless the arguments have another change.
func rewindAndChange(s Session, _ RunView, a Args) error {
	if a.WhatIfChange == (machine.WhatIfChange{}) {
		a.WhatIfChange = machine.WhatIfChange{Variable: a.Name, Value: a.Text}
	}
	return s.RewindAndChange(a.EventSeq, a.WhatIfChange)
}

// rerunStep makes another attempt of the current step. For an earlier step, it rewinds to before that
// step and runs it, with the edits made since.
func rerunStep(s Session, r RunView, a Args) error {
	row := r.ArgumentRow(a)
	if row == r.Track.CurrentRow {
		return s.Retry(a.Note)
	}
	return s.RerunFrom(r.Events[r.eventIndex(row.NewestStepAttempt().EntrySeq)-1].Seq, engine.StepOver)
}

// toggleBreakpoint sets a breakpoint in place of the one at the same step. A new one without a condition
// clears that one instead.
func toggleBreakpoint(s Session, r RunView, a Args) error {
	if a.Breakpoints != nil {
		return s.SetBreakpoints(a.Breakpoints)
	}
	return s.SetBreakpoints(r.BreakpointsAfterToggle(a.Breakpoint))
}

// BreakpointsAfterToggle returns the breakpoints after toggleBreakpoint has set or cleared b.
func (r RunView) BreakpointsAfterToggle(b engine.Breakpoint) []engine.Breakpoint {
	all := slices.DeleteFunc(slices.Clone(r.Breakpoints), func(other engine.Breakpoint) bool { return other.Step == b.Step })
	isSet := slices.ContainsFunc(r.Breakpoints, func(other engine.Breakpoint) bool { return other.String() == b.String() && !other.IsDisabled })
	switch {
	case len(all) < len(r.Breakpoints) && b.ClauseText() == "":
		return all
	case isSet: // one of --break is not kept for later runs, and stays so
		return r.Breakpoints
	}
	return append(all, b)
}

// resultOfBreak says what became of a breakpoint, unless the arguments replace all of them.
func resultOfBreak(r RunView, a Args) Sentence {
	atStep := slices.DeleteFunc(slices.Clone(r.Breakpoints), func(b engine.Breakpoint) bool { return b.Step != a.Breakpoint.Step })
	switch {
	case a.Breakpoints != nil:
		return ""
	case len(atStep) > 0 && a.Breakpoint.ClauseText() == "":
		return clearedText(atStep)
	case r.HasBreakpoint(a.Breakpoint):
		return BreakpointExistsText(a.Breakpoint) + " {break} " + LiteralText(engine.QuoteStep(a.Breakpoint.Step)) + " to clear it."
	}
	set := "Breakpoint set: " + LiteralText(a.Breakpoint.String()) + "."
	if len(atStep) > 0 {
		set += " It " + LiteralText(ReplacesText(atStep)) + "."
	}
	return set
}

// clearedText says that the breakpoints of a step are cleared.
func clearedText(cleared []engine.Breakpoint) Sentence {
	text := LiteralText(breakpointList(cleared)) + "."
	if len(cleared) > 1 {
		return "Breakpoints cleared: " + text
	}
	return "Breakpoint cleared: " + text
}

// ReplacesText says which breakpoints are replaced by another one at their step.
func ReplacesText(replaced []engine.Breakpoint) string { return "replaces " + breakpointList(replaced) }

func breakpointList(all []engine.Breakpoint) string {
	var names []string
	for _, b := range all {
		names = append(names, b.String())
	}
	return strings.Join(names, ", ")
}

// HasBreakpoint reports whether an equal breakpoint is set.
func (r RunView) HasBreakpoint(b engine.Breakpoint) bool {
	return slices.ContainsFunc(r.Breakpoints, func(other engine.Breakpoint) bool { return other.String() == b.String() })
}

// BreakpointExistsText says that an equal breakpoint is set, so that nothing changes.
func BreakpointExistsText(b engine.Breakpoint) Sentence {
	return "Breakpoint " + LiteralText(b.String()) + " is already set."
}

// openShell opens a shell at a step in the terminal.
func openShell(s Session, r RunView, a Args) error {
	cmd, err := s.OpenShell(r.ShellRow(a).JumpTarget())
	if err != nil {
		return err
	}
	return a.RunInTerminal(cmd)
}

// ShellRow returns the step at which a shell is opened: the one in the arguments, else the one
// that the run is at, nil if there is none.
func (r RunView) ShellRow(a Args) *track.Row {
	if a.Row != nil {
		return a.Row
	}
	return r.PositionRow()
}

// editAction replaces the text of one of the step's actions. An empty text removes its edit.
func editAction(s Session, r RunView, a Args) error {
	step := r.ArgumentRow(a)
	switch _, isEdited := step.EditedTexts[a.ActionIndex]; {
	case a.Text == "" && !isEdited:
		return &RefusedError{Sentencef("Step %s is unchanged: you entered no text, and there is no edit to remove.", step.Label)}
	case a.Text == step.ActionText(a.ActionIndex):
		return &RefusedError{Sentencef("Step %s is unchanged: it already has this text.", step.Label)}
	}
	return s.EditAction(step.JumpTarget(), a.ActionIndex, a.Text)
}

// isOfBuiltInDocument reports whether the run is of a document that is built in, into which no edit can be written.
func (r RunView) isOfBuiltInDocument() bool {
	return slices.ContainsFunc(r.Events, func(e machine.Event) bool {
		b, is := e.Body.(*machine.RunStarted)
		return is && b.IsBuiltIn()
	})
}

// writeBackHint returns the sentence about writing an edit into the document, "" if that is not possible.
func (r RunView) writeBackHint(what string) Sentence {
	if r.isOfBuiltInDocument() {
		return ""
	}
	return Sentencef(" {write-back} to write %s into the document.", what)
}

// resultOfEdit says which text the step uses next.
func resultOfEdit(r RunView, a Args) Sentence {
	step := r.ArgumentRow(a)
	text := Sentencef("Step %s uses the edit the next time it begins.", step.Label)
	text += r.writeBackHint("it")
	if a.Text == "" {
		text = Sentencef("The edit is removed: step %s uses the document's text the next time it begins.", step.Label)
	}
	if rerunUnavailableReason(r, Args{Row: step}) == "" {
		text += " {rerun} to run the step again."
	}
	return text
}
