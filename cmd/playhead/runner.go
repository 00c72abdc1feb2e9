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
	host.Run
	view        view
	options     viewOptions
	preferences preferences.Preferences
	final       runs.FinalFile
	lineInput   *bufio.Reader // what a person types

	endLeftovers bool // leftover processes end with the run
}

// runner reads the settings, and rejects invalid settings and flags before anything is loaded. The caller
// sets its Run.
func (a *app) runner(s *setup.Settings, o viewOptions, final runs.FinalFile) (*runner, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	prefs, err := preferences.Read(s, o.theme)
	if err != nil {
		return nil, err
	}
	if err := final.Check(); err != nil {
		return nil, err
	}
	return &runner{app: a, view: a.view(o), options: o, preferences: prefs, final: final, lineInput: bufio.NewReader(a.in)}, nil
}

// run runs the document, on the screen or in lines.
func (r *runner) run(ctx context.Context) error {
	defer r.Close()
	if !r.view.headless() {
		if err := r.LoadBreakpoints(); err != nil {
			return err
		}
	}
	if r.view == viewScreen && r.isShowable() {
		return r.screen(ctx)
	}
	for _, note := range r.Notes {
		r.note("%s", note)
	}
	if !r.Config.Plan.Runnable() {
		show.WriteProblems(r.err, r.Config.Plan)
		return exitWith(exitUsage)
	}
	if r.view.headless() {
		if err := r.checkFirst(ctx); err != nil {
			return err
		}
		if err := setup.RequireInputs(r.Missing); err != nil {
			return err
		}
	}
	if err := r.askTrust(); err != nil {
		return err
	}
	if err := r.prompt(r.lineInput).Source(r.Run.Run); err != nil {
		return err
	}
	if err := r.prompt(r.lineInput).Inputs(r.Run.Run); err != nil {
		return err
	}
	if !r.view.headless() {
		if err := r.checkFirst(ctx); err != nil {
			return err
		}
	}
	return r.lines(ctx)
}

// isShowable reports whether the screen can show the document. A document with errors has its text; a
// missing one has nothing.
func (r *runner) isShowable() bool {
	return r.Config.Plan.Runnable() || len(r.Config.Plan.Source) > 0 || len(r.Config.Plan.Files) > 0
}

// askTrust asks for trust, or refuses, before anything is executed.
func (r *runner) askTrust() error {
	commands := r.Commands()
	switch {
	case r.IsAllowed() || r.trusted(commands):
		return nil
	case r.view.headless() || !tty.Is(r.in):
		return r.refuse(commands) // what comes out of a pipe has read nothing
	}
	prompted, err := r.prompt(r.lineInput).Trust(commands, r.Config.Run != nil)
	r.Config.Options.Prompted = prompted
	return err
}

// begin makes the session.
func (r *runner) begin() (*engine.Session, error) {
	return r.Begin(version, func(text string) { r.note("%s", text) })
}

// lines runs the session in a view without a screen.
func (r *runner) lines(ctx context.Context) error {
	session, err := r.begin()
	if err != nil {
		return err
	}
	ending, sig, err := r.drive(ctx, session)
	switch {
	case err != nil:
		return err
	case sig != 0:
		return exitWith(statusOfSignal(sig))
	case ending.Result == "": // the person's input has ended
		return exitWith(exitAwaiting)
	}
	if err := r.saveFinal(); err != nil {
		return err
	}
	return exitWith(statusOfResult(ending.Result))
}

// saveFinal saves the final output of the run that the session drives.
func (r *runner) saveFinal() error {
	return r.save(r.Config.Plan, r.Config.Run.ID(), r.Session.Events())
}

// save saves the final output of a run, if that is asked for.
func (r *runner) save(p *plan.Plan, id string, events []machine.Event) error {
	text, err := r.final.Save(p, id, events)
	if text != "" {
		r.note("%s", text)
	}
	return err
}

// prompt returns the Prompt that asks a person in lines before the run.
func (a *app) prompt(in io.Reader) *prompt.Prompt {
	return &prompt.Prompt{In: in, Out: a.out, Echo: !tty.Is(a.in), Hide: func() (restore func()) {
		return prompt.HideTyping(a.in, func(sig syscall.Signal) { os.Exit(statusOfSignal(sig)) })
	}, Note: a.note}
}

// refuse lists what the document would execute, and returns the error that names --trust.
func (a *app) refuse(d setup.Commands) error {
	d.WriteList(a.err)
	return usageError("%s was not allowed to run these commands: read them, then use --trust", d.Plan.Path)
}

// trusted reports whether a document may run its commands. If the stored trust cannot be read, it may not.
func (a *app) trusted(d setup.Commands) bool {
	ok, err := d.IsTrusted()
	if err != nil {
		a.printError(err)
	}
	return ok
}
