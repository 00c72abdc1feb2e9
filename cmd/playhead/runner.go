package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"syscall"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse/plan"
	"playhead/tui/preferences"
	"playhead/tui/prompt"
	tty "playhead/tui/terminal"
)

// runner shows one run and ends with its exit status.
type runner struct {
	*app
	host.DrivenRun
	viewMode    viewMode
	options     viewOptions
	preferences preferences.Preferences
	finalFile   runs.FinalOutputFile
	lineInput   *bufio.Reader // what a person types
}

// newRunner reads the settings, and rejects invalid settings and flags before anything is loaded. The caller
// sets its Run.
func (a *app) newRunner(s *setup.Settings, o viewOptions, final runs.FinalOutputFile) (*runner, error) {
	if err := o.checkExclusive(); err != nil {
		return nil, err
	}
	prefs, err := preferences.Read(s, o.themeName)
	if err != nil {
		return nil, err
	}
	if err := final.Check(); err != nil {
		return nil, err
	}
	return &runner{app: a, viewMode: a.chooseViewMode(o), options: o, preferences: prefs, finalFile: final, lineInput: bufio.NewReader(a.stdin)}, nil
}

// run runs the document, on the screen or in lines.
func (r *runner) run(ctx context.Context) error {
	defer r.Close()
	if !r.viewMode.isHeadless() {
		if err := r.LoadBreakpoints(); err != nil {
			return err
		}
	}
	if r.viewMode == viewScreen && (r.CurrentPlan.Runnable() || r.CurrentPlan.HasText()) {
		return r.runOnScreen(ctx)
	}
	for _, note := range r.Notes {
		r.printNote("%s", note)
	}
	if !r.CurrentPlan.Runnable() {
		show.WriteDocumentDiagnostics(r.stderr, r.CurrentPlan)
		return errorOfExitStatus(exitUsage)
	}
	if r.viewMode.isHeadless() {
		if err := r.preflightInLines(ctx); err != nil {
			return err
		}
		if err := setup.RequireInputs(r.MissingInputs); err != nil {
			return err
		}
	}
	if err := r.askTrust(); err != nil {
		return err
	}
	if err := r.newPrompt(r.lineInput).AskReplySourceAndInputs(r.DrivenRun.Run); err != nil {
		return err
	}
	if !r.viewMode.isHeadless() {
		if err := r.preflightInLines(ctx); err != nil {
			return err
		}
	}
	return r.runInLines(ctx)
}

// askTrust asks for trust, or refuses, before anything is executed.
func (r *runner) askTrust() error {
	commands := r.Commands()
	switch {
	case r.MayExecuteWithoutTrust() || r.isTrusted(commands):
		return nil
	case r.viewMode.isHeadless() || !tty.IsTerminal(r.stdin):
		return r.refuseUntrusted(commands, trustFlagRemedy) // piped input cannot confirm that anyone has read them
	}
	prompted, err := r.newPrompt(r.lineInput).AskTrust(commands, r.Config.Run != nil)
	r.Config.Options.Prompted = prompted
	return err
}

// newSession makes the session.
func (r *runner) newSession() (*engine.Session, error) {
	return r.Begin(version, func(text string) { r.printNote("%s", text) })
}

// runInLines runs the session in a view without a screen.
func (r *runner) runInLines(ctx context.Context) error {
	session, err := r.newSession()
	if err != nil {
		return err
	}
	ending, sig, err := r.runSession(ctx, session)
	switch {
	case err != nil:
		return err
	case sig != 0:
		return signalError(sig)
	case ending.Result == "": // the person's input has ended
		return errorOfExitStatus(exitAwaiting)
	}
	if err := r.saveFinalOutput(); err != nil {
		return err
	}
	return errorOfExitStatus(exitStatusOfResult(ending.Result))
}

// saveFinalOutput saves the final output of the run that the session drives.
func (r *runner) saveFinalOutput() error {
	return r.saveFinalOutputOf(r.Config.FirstPlan, r.Config.Run.ID(), r.Session.Events())
}

// saveFinalOutputOf saves the final output of a run, if --artifact asks for that.
func (r *runner) saveFinalOutputOf(p *plan.Plan, id string, events []machine.Event) error {
	text, err := r.finalFile.Save(p, id, events)
	if text != "" {
		r.printNote("%s", text)
	}
	return err
}

// newPrompt returns the Prompt that asks a person in lines before the run.
func (a *app) newPrompt(in io.Reader) *prompt.Prompt {
	return &prompt.Prompt{In: in, Out: a.stdout, EchoesLines: !tty.IsTerminal(a.stdin), HideInput: func() (restore func()) {
		return prompt.HideTyping(a.stdin, func(sig syscall.Signal) { os.Exit(exitStatusOfSignal(sig)) })
	}, PrintNote: a.printNote}
}

// trustFlagRemedy says how to allow a document's commands, in errors of subcommands that have --trust.
const trustFlagRemedy = "use --trust"

// refuseUntrusted lists what the document would execute, and returns the error that says how to allow it.
func (a *app) refuseUntrusted(d setup.Commands, remedy string) error {
	d.WriteCommands(a.stderr)
	return usageError("%s is not trusted to run these commands: read them, then %s", d.Plan.Path, remedy)
}

// isTrusted reports whether a document may run its commands. If the stored trust cannot be read, it may not.
func (a *app) isTrusted(d setup.Commands) bool {
	ok, err := d.IsTrusted()
	if err != nil {
		a.printError(err)
	}
	return ok
}
