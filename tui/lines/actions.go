package lines

import (
	"cmp"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// screenOnlyActions are the actions of engine/control that are not commands here. The change of a what-if is
// made with ":what-if yes".
var screenOnlyActions = []string{"instead", "take-control"}

// actionCommands returns a command for each action of engine/control, with "allow" after "reload" and "breaks"
// after "break".
func (ui *LineUI) actionCommands() []Command {
	var out []Command
	for _, a := range control.AllActions() {
		if slices.Contains(screenOnlyActions, a.Name) {
			continue
		}
		c := Command{Name: a.Name, Usage: a.ParamsUsage(), Help: a.Help, movesRun: a.MovesRun}
		c.Do = func(line string) error { return ui.parseAndPerform(&a, line) }
		if own := ui.findCustomAction(a.Name); own != nil {
			c.Usage, c.Do = own.usage, func(line string) error { return own.do(&a, line) }
		}
		if a.Name == "break" {
			c.details = breakpointHelp
		}
		out = append(out, c)
		if a.Name == "reload" {
			out = append(out, Command{Name: "allow", Help: "allow the new or changed commands of the document", Do: ui.versionCommands.allowCommands})
		}
		if a.Name == "break" {
			out = append(out, Command{Name: "breaks", Help: "list the breakpoints", Do: ui.listBreakpoints})
		}
	}
	return out
}

// breakpointHelp lists what can be written as a breakpoint.
var breakpointHelp = slices.Concat([][2]string{
	{engine.AnyFailureText, "after any step that failed"},
	{"STEP", "before each attempt; STEP may be followed by these, in this order:"},
}, engine.BreakpointClauseHelp)

// customAction replaces how a command performs its action: it can open an editor, or list the possible
// arguments.
type customAction struct {
	usage string
	do    func(a *control.Action, line string) error
}

func (ui *LineUI) findCustomAction(action string) *customAction {
	switch action {
	case "break":
		return &customAction{"[STEP[:after|:fail][ …]]", ui.toggleBreakpoint}
	case "answer":
		return &customAction{"[VALUE]", ui.answerQuestion}
	case "edit":
		return &customAction{"[STEP [TEXT]]", ui.editStep}
	case "set":
		return &customAction{"NAME=VALUE", ui.setVariable}
	case "insert-step":
		return &customAction{"before|after STEP TEXT", ui.insertStep}
	case "edit-rule":
		return &customAction{"[STEP [N [TEXT]]|yes]", ui.versionCommands.editRule}
	case "reload":
		return &customAction{"[here [STEP]|rewind|restart]", ui.versionCommands.showOrReload}
	case "shell":
		return &customAction{"[STEP]", ui.openShell}
	case "approvals":
		return &customAction{"[each|once|none]", ui.printOrSetApproval}
	case "source":
		return &customAction{"[NAME]", ui.listOrChooseSource}
	}
	return nil
}

// parseAndPerform performs an action with the arguments that a line gives.
func (ui *LineUI) parseAndPerform(a *control.Action, line string) error {
	args, err := a.ParseLine(ui.currentRun(), line)
	if err != nil {
		return explainRefusal(err)
	}
	return ui.perform(a, args)
}

// perform prints what the action will change, performs it and prints what follows.
func (ui *LineUI) perform(a *control.Action, args control.Args) error {
	run := ui.currentRun()
	args.Assignments = ui.correctedValues
	if why := a.UnavailableReason(run, args); why != "" {
		return errors.New(why.ReplacePlaceholders(instructionToType))
	}
	fileWithEdit := ""
	next, err := ui.nextUndoOrRedo(a.Name)
	if err == nil && next.Event.Seq > 0 {
		args.EventSeq = next.Event.Seq
		if a.Name == "undo" {
			fileWithEdit = rewrite.FileWithEdit(next.Event, ui.editsAsChanges)
		}
	}
	ui.printEffect(a.Effect(run, args))
	err = a.Do(ui.session, run, args)
	if broken := (*engine.InvalidVersionError)(nil); errors.As(err, &broken) {
		return ui.printRefusal(broken.Problems)
	}
	if err != nil {
		return explainRefusal(err)
	}
	ui.printActionResult(a, run, args)
	if next.Event.Seq > 0 {
		ui.printLine("  %s", sanitize.Plain(control.UndoneText(a.Name, next, fileWithEdit).ReplacePlaceholders(instructionToType)))
	}
	return nil
}

// nextUndoOrRedo returns what undo or redo would do, the zero UndoStep for other actions.
func (ui *LineUI) nextUndoOrRedo(action string) (machine.UndoStep, error) {
	switch action {
	case "undo":
		return ui.session.NextUndo()
	case "redo":
		return ui.session.NextRedo()
	}
	return machine.UndoStep{}, nil
}

// printEffect prints what an action will do if the screen would ask for confirmation, or if it is easily missed.
// Lines do not ask, because undo reverts the action.
func (ui *LineUI) printEffect(e control.Effect) {
	if text := e.TextToSay(); text != "" {
		ui.printLine("  %s", sanitize.Plain(text.ReplacePlaceholders(instructionToType)))
	}
	ui.printEffectsNotUndone(e.EffectsNotUndone)
}

// printActionResult prints the result of an action if no event shows it.
func (ui *LineUI) printActionResult(a *control.Action, run control.RunView, args control.Args) {
	if text := a.ResultText(run, args); text != "" {
		ui.printLine("  %s", sanitize.Plain(text.ReplacePlaceholders(func(action string) string {
			if action == "rerun" && args.Row != nil { // it means this step, not where the run is
				action += " " + engine.QuoteStep(args.Row.Label)
			}
			return instructionToType(action)
		})))
		ui.hasAskedQuestion = false // a run that waits still does
	}
	switch a.Name {
	case "continue", "over", "into", "out", "run-to":
		ui.isContinuing = run.Status.State == engine.Paused
	case "set":
		ui.printLine("  %s", wording.VariableSetText(args.Name, slices.Contains(run.Track.VariableNames(), args.Name)))
	case "manual-reply":
		ui.printLine("  %s", run.ManualReplyText())
	}
}

// currentRun returns the run as engine/control sees it.
func (ui *LineUI) currentRun() control.RunView {
	run := ui.runState.controlRunView()
	run.Breakpoints, run.ReplySources, run.Now = ui.breakpoints, ui.replySources, time.Now()
	run.SavedVersion = ui.versionCommands.savedVersion
	run.IsBegun, run.IsStepping, run.IsReplay = ui.session != nil || ui.playback != nil, ui.isContinuing, ui.playback != nil
	return run
}

// instructionToType returns the instruction to type the command of an action.
func instructionToType(action string) string {
	if action == "answer" {
		return "use the prompt"
	}
	return "type " + commandPrefix + action
}

// explainRefusal returns an error of engine/control with the commands of the line interface in its
// text.
func explainRefusal(err error) error {
	if refusal, is := errors.AsType[*control.RefusedError](err); is {
		return errors.New(refusal.Reason.ReplacePlaceholders(instructionToType))
	}
	return err
}

// answerQuestion answers the open question, or lets the person write the answer in their editor.
func (ui *LineUI) answerQuestion(a *control.Action, line string) error {
	if q := ui.status.Question; line != "" && q != nil && q.Kind != machine.KindReply {
		return ui.parseAndPerform(a, line)
	}
	return ui.writeAnswerInEditor(line)
}

// setVariable sets a variable, or a reported value that passing the step will store.
func (ui *LineUI) setVariable(a *control.Action, line string) error {
	args, err := a.ParseLine(ui.currentRun(), line)
	if err == nil && ui.isReportedValue(args.Name) {
		return ui.replaceReportedValue(args.Name, args.Text)
	}
	if err != nil {
		return explainRefusal(err)
	}
	return ui.perform(a, args)
}

// editStep changes what a step does in this run. If the line has no text, it opens the person's editor.
func (ui *LineUI) editStep(a *control.Action, line string) error {
	args, err := a.ParseLine(ui.currentRun(), line)
	if err != nil {
		return explainRefusal(err)
	}
	run := ui.currentRun()
	if why := a.UnavailableReason(run, args); why != "" {
		return errors.New(why.ReplacePlaceholders(instructionToType))
	}
	if args.Text == "" {
		if ui.editText == nil {
			return errors.New("there is no terminal for an editor: type :edit STEP TEXT instead")
		}
		if args.Text, err = ui.editText(run.ArgumentRow(args).ActionText(args.ActionIndex)); err != nil {
			return err
		}
	}
	return ui.perform(a, args)
}

// insertStep inserts a step. Its text is written in one line, with \n between its lines.
func (ui *LineUI) insertStep(a *control.Action, line string) error {
	args, err := a.ParseLine(ui.currentRun(), line)
	if err != nil {
		return explainRefusal(err)
	}
	args.Text = strings.ReplaceAll(args.Text, `\n`, "\n")
	return ui.perform(a, args)
}

// openShell opens a shell at a step. The shell has the terminal until it exits.
func (ui *LineUI) openShell(a *control.Action, line string) error {
	run := ui.currentRun()
	args, err := a.ParseLine(run, line)
	if err != nil {
		return explainRefusal(err)
	}
	if ui.runShell != nil {
		args.RunInTerminal = func(cmd *exec.Cmd) error { return ui.runShell(wording.ShellHeading(run.ShellRow(args)), cmd) }
	}
	return ui.perform(a, args)
}

// printOrSetApproval prints when a person is asked before tool calls, or sets it.
func (ui *LineUI) printOrSetApproval(a *control.Action, line string) error {
	if line != "" {
		return ui.parseAndPerform(a, line)
	}
	policy := cmp.Or(ui.track.ApprovalPolicy, machine.ApproveOnce)
	ui.printLine("  The approval policy is %s. Approval needed: %s.", policy, wording.ApprovalPolicyText(policy))
	return nil
}

// listOrChooseSource lists the reply sources, or chooses one.
func (ui *LineUI) listOrChooseSource(a *control.Action, line string) error {
	if line != "" {
		return ui.parseAndPerform(a, line)
	}
	for _, o := range model.WithManualReplySource(ui.replySources) {
		mark := " "
		if o.Name == ui.status.ReplySourceName {
			mark = "*"
		}
		ui.printLine("%s %s  %s", mark, sanitize.Plain(o.Name), sanitize.Plain(o.Description))
	}
	return nil
}

// toggleBreakpoint sets or clears a breakpoint for this run and for later runs of the document. The default
// is the step that the run is at.
func (ui *LineUI) toggleBreakpoint(a *control.Action, line string) error {
	run := ui.currentRun()
	if row := run.PositionRow(); line == "" && row != nil {
		line = engine.QuoteStep(row.BreakpointName())
	}
	args, err := a.ParseLine(run, line)
	if err != nil {
		return explainRefusal(err)
	}
	if err := ui.perform(a, args); err != nil {
		return err
	}
	ui.breakpoints = run.BreakpointsAfterToggle(args.Breakpoint)
	if ui.storeBreakpoints == nil {
		return nil
	}
	return ui.storeBreakpoints(ui.track.Plan, ui.breakpoints)
}

func (ui *LineUI) listBreakpoints(string) error {
	if len(ui.breakpoints) == 0 {
		ui.printLine("  There are no breakpoints. :break STEP sets one.")
	}
	for _, b := range ui.breakpoints {
		hits := ""
		if n := ui.status.HitCounts[b.String()]; n > 0 {
			hits = ", hit " + plan.CountText(n, "time")
		}
		ui.printLine("  %s%s", sanitize.Plain(b.String()), hits)
	}
	return nil
}
