package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/rewrite"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/lines"
	"playhead/tui/preferences"
)

// doOptions are the flags of do.
type doOptions struct {
	setup.ResumeOptions
	runID    string
	knownSeq int
	json     bool
}

func newDoCmd(a *app) *cobra.Command {
	var o doOptions
	cmd := &cobra.Command{
		Use:   "do ACTION [ARGUMENTS]",
		Short: "Act on a run from a script: status, next, pass, fail, answer …",
		Long: `Act on a run, and say what happened and what the run needs next.

  status           print the state of the run
  next             print what the run waits for: the prompt with its
                   variables filled in, and the possible answers
  pass, fail       answer pass or fail to a question, or override the outcome
  answer VALUE     answer the open question
  reply -          reply in a model's place with the text from stdin
  report -         report how a workflow's step ended, with a JSON object
                   from stdin
  skip, rerun, jump STEP, continue, over, pause, set NAME=VALUE, break STEP,
  undo, redo, rewind EVENT, complete, stop, cancel

Actions have the same names as in plain mode (see docs/plain.md). retry is
the same as rerun, and goto the same as jump.

Without --run, the command acts on the only run of this folder that waits or
is paused. If there is none, it acts on the folder's only run that is running
or was interrupted, or else on the only one that was cancelled. If a process
drives the run, that process carries out the action. Otherwise this command
does, and drives the run until it needs a person or is over.

With --seq N (the seq that next --json printed), an action is refused if the
run has newer events. While a process drives the run, the actions pause,
break, complete, stop and cancel are never refused for this reason.

This command can neither allow a tool call nor trust a document: only a
person can, at a terminal.

Exit status: 0 if the action was carried out, 1 if the run ended as stopped
or failed, 2 if the action is not possible.`,
		Example: "playhead run deploy.runbook.md --headless\nplayhead do next --json\nplayhead do pass",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("%s needs an ACTION: status, next, pass, fail … (see %s --help)", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeActionNames,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("run") && o.runID == "" { // for example from an empty shell variable
			return usageError("--run is empty: give the id of a run, or leave it out")
		}
		return a.doAction(cmd.Context(), &o, args[0], args[1:])
	})
	f := cmd.Flags()
	f.StringVar(&o.runID, "run", "", "act on this RUN (use playhead runs to list all runs)")
	f.IntVar(&o.knownSeq, "seq", 0, "refuse most actions if the run has events after event N")
	f.BoolVar(&o.json, "json", false, oneJSONObjectHelp)
	f.StringArrayVar(&o.SecretInputs, "input", nil, secretInputHelp)
	registerConfig(f, &o.Settings)
	_ = cmd.RegisterFlagCompletionFunc("run", completeOneRunID) // only an unknown flag fails
	return cmd
}

// completeActionNames returns the names of actions for completion.
func completeActionNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []string{"status", "next", "retry", "goto", "reply", "report"}
	for _, a := range control.AllActions() {
		names = append(names, a.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// doCommand is one action on one run.
type doCommand struct {
	*app
	options      *doOptions
	actionRunner host.ActionRunner
}

// doAction carries out an action on a run, and prints the result. words are the arguments as typed.
func (a *app) doAction(ctx context.Context, o *doOptions, action string, words []string) error {
	if control.FindActionByAlias(action) == nil && !host.IsStateQuery(action) {
		return usageError("there is no action %q: see playhead do --help", action)
	}
	arguments, err := host.EncodeArguments(a.stdin, action, words)
	if err != nil {
		return err
	}
	if o.runID == "" {
		if o.runID, err = chooseRunInWorkingFolder(runs.RunToActOn); err != nil {
			return err
		}
	}
	d := &doCommand{app: a, options: o}
	s := &d.actionRunner
	if s.History, err = journal.DefaultStore().ReadHistory(o.runID); err != nil {
		return &exitError{exitUsage, err}
	}
	if s.FirstPlan, err = setup.InitialPlan(s.History); err != nil {
		return err
	}
	if setup.StartedThisProcess(s.History) {
		return usageError("run %s started this process: a step cannot act on its own run", s.History.ID())
	}
	s.EditsAsChanges = func() ([]rewrite.FileChange, error) { return runs.ChangesByEdits(s.History.ID(), true) }
	s.ResumeRun, s.PlayheadVersion, s.ShowNote = d.resumeRun, version, func(text string) { a.printNote("%s", text) }
	err = s.Do(ctx, drive.ActionRequest{Action: action, Arguments: arguments, KnownSeq: o.knownSeq})
	if s.EndingSignal != 0 {
		err = signalError(s.EndingSignal)
	}
	return d.printResult(err)
}

// resumeRun prepares the run to continue in this process. It fails if the commands are not allowed.
func (d *doCommand) resumeRun(id string) (_ *setup.Run, err error) {
	o := &d.options.ResumeOptions
	o.Unattended, o.CommandsGetNoInput, o.Reopen, o.Version, o.ShowNote = true, true, true, version, d.actionRunner.ShowNote
	run, err := setup.Open(o, id)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			run.Close()
		}
	}()
	if err := preferences.CheckConfig(&o.Settings); err != nil {
		return nil, err
	}
	if err := run.Resume(o); err != nil {
		return nil, err
	}
	if !run.MayExecuteWithoutTrust() && !d.isTrusted(run.Commands()) {
		return nil, d.refuseUntrusted(run.Commands(), "allow them at a terminal: playhead resume "+run.Config.Run.ID())
	}
	return run, nil
}

// printResult prints what was done, or why it was not, and what the run needs.
func (d *doCommand) printResult(err error) error {
	state := &d.actionRunner.Result.State
	state.Screen = nil
	if err != nil && state.RunID == "" {
		return err
	}
	if host.IsRefusal(err) {
		d.actionRunner.Result.Error = err.Error()
		err = &exitError{status: exitUsage}
	}
	if err != nil && d.actionRunner.Result.Error == "" {
		return err
	}
	if d.options.json {
		d.printJSON()
	} else {
		d.printText()
	}
	if err == nil && (state.Result == plan.Stopped || state.Result == plan.RunFailed) {
		return errorOfExitStatus(exitFailed)
	}
	return err
}

func (d *doCommand) printJSON() {
	for i, e := range d.actionRunner.Result.Events {
		d.actionRunner.Result.Events[i] = wording.WithReasonText(e.WithOutputCut())
	}
	enc := json.NewEncoder(d.jsonWriter())
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d.actionRunner.Result) // the reader may have gone
}

// printText prints what happened and what the run needs.
func (d *doCommand) printText() {
	if d.actionRunner.Result.Error != "" {
		fmt.Fprintf(d.stderr, "playhead: %s\n", sanitize.PlainLines(d.actionRunner.Result.Error))
	}
	if effect := d.actionRunner.Result.Effect; effect != "" {
		d.printNote("%s", effect)
	}
	if text := d.actionRunner.Result.Message; text != "" {
		fmt.Fprintln(d.stdout, sanitize.Plain(text))
	}
	h := d.actionRunner.History
	lines.New(lines.Config{Plan: d.actionRunner.FirstPlan, RunFolder: h.Folder, Out: d.stdout, Width: d.terminalWidth()}).PrintSince(h.Events, d.actionRunner.Result.Events)
	for _, done := range d.actionRunner.Result.EffectsNotUndone {
		fmt.Fprintf(d.stdout, "not undone: %s\n", sanitize.Plain(done))
	}
	if file := d.actionRunner.Result.FileWithEdit; file != "" {
		fmt.Fprintln(d.stdout, strings.TrimSpace(wording.StillContainsText(file)))
	}
	d.actionRunner.Result.State.WriteText(d.stdout, d.actionRunner.Result.Action == "status")
}
