package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/engine/shell"
	"playhead/engine/trust"
	"playhead/engine/userprograms"
	"playhead/tui"
	"playhead/tui/layout"
	"playhead/tui/preferences"
)

// errReopenRequested reports that the person wants to open the document again, because it changed before the
// run.
var errReopenRequested = errors.New("the document must be reopened")

// runOnScreen opens the screen. A document with errors can be viewed, but not run.
func (r *runner) runOnScreen(ctx context.Context) error {
	document, err := r.OriginalDocumentPath()
	if err != nil {
		return err
	}
	c := r.screenConfig(runs.NewCoverageCache(document))
	c.IsTrusted = r.MayExecuteWithoutTrust() || r.isTrusted(r.Commands())
	if c.IsTrusted { // otherwise the inputs can be changed from the question for trust
		c.AskInputs = c.AskInputs || r.HasDefaultedInputs()
	}
	ctx, stop := host.CatchSignals(ctx, nil)
	result, err := r.runWithSavedLayout(ctx, c)
	if result.ShouldReopen {
		stop()
		return errReopenRequested
	}
	if !result.WasStarted && err == nil && r.CurrentPlan.Runnable() { // an error says why itself
		r.printNothingRan(c.IsTrusted || r.isTrusted(r.Commands()))
	}
	return r.reportScreenResult(result, stop(), err)
}

// printNothingRan prints that the person left the screen before anything ran.
func (r *runner) printNothingRan(trusted bool) {
	text := "nothing was run"
	if !trusted {
		text = trust.RefusedText
	}
	r.printNote("%s", text)
}

// screenConfig returns what the screen shows, and what a person can do there.
func (r *runner) screenConfig(coverage *runs.CoverageCache) tui.Config {
	c := r.baseScreenConfig(r.options, r.preferences)
	c.Inputs = r.SettableInputs()
	c.AskInputs = r.HasUnsetInputs()
	c.Plan, c.Breakpoints, c.ResumedEvents = r.Config.FirstPlan, r.Config.Breakpoints, machine.BranchWithRewinds(r.Config.History)
	c.FindLeftoverProcesses = func() []shell.Leftover { return r.Session.Leftovers() }
	c.SecretNames = r.Config.Options.SecretNames
	c.CommandsToTrust, c.CommandsHaveChanged, c.RememberTrust = tui.CommandsOf(r.Commands().All(), r.CurrentPlan.Path), r.Commands().HaveChanged(), r.Commands().Trust
	c.Notifier, c.NotifyAfter = r.preferences.Notifier, r.preferences.NotifyAfter
	c.Notice = strings.Join(r.Notes, "; ")
	if r.Config.Run == nil { // a resumed run says itself that its document changed
		c.WatchedFiles = setup.DocumentAndIncludedFiles(r.CurrentPlan)
	}
	c.StoreBreakpoints, c.FindRoutesOfOtherRuns, c.RunExports = r.StoreBreakpoints, coverage.ReadRoutesOfOtherRuns, runs.Exports(r.Config.FirstPlan, func() string { return r.Config.Run.ID() })
	c.ReplySources, c.AskReplySource, c.ServerProblem = r.Config.ReplySources, r.AsksReplySource, r.ServerProblem
	c.OriginalPath = r.OriginalFilePath
	c.NewSession = r.newSessionWithChoices
	if r.AsksReplySource || r.NeedsPreflight() {
		c.CheckNeeds = r.preflightOnScreen
	}
	c.ForkRun = func(seq int) (string, error) {
		return journal.DefaultStore().Fork(r.Config.Run.ID(), seq, time.Now())
	}
	c.AllowComparing(func() journal.Folder { return r.Config.Run.Folder })
	c.EditsAsChanges = r.editsAsChanges
	return c
}

// editsAsChanges returns the run's edits as changes of its documents.
func (r *runner) editsAsChanges() ([]rewrite.FileChange, error) {
	return runs.ChangesByEdits(r.Config.Run.ID(), true)
}

// baseScreenConfig returns the part of the screen configuration that does not depend on the run.
func (a *app) baseScreenConfig(o viewOptions, p preferences.Preferences) tui.Config {
	home, _ := os.UserHomeDir() // empty where it is not known
	return tui.Config{
		NoColor: !a.mayUseColours(o), ThemePair: p.ThemePair, LoadPalettes: p.LoadPalettes, Keys: p.Keys, StartsPresenting: o.startsPresenting, HomeFolder: home, EditorCommand: p.EditorCommand,
	}
}

// reportScreenResult prints how the person left the run, and returns an error with the exit status for that.
func (r *runner) reportScreenResult(result tui.Result, sig syscall.Signal, err error) error {
	if result.WasStarted {
		r.printExitNotes(result.Ending, sig)
		fmt.Fprintln(r.stdout, r.ExitMessage(result.Ending))
	}
	switch {
	case err != nil:
		return err
	case sig != 0:
		return signalError(sig)
	case !result.WasStarted:
		return errorOfExitStatus(exitUsage)
	case result.Ending.Result == "":
		return errorOfExitStatus(exitInterrupted) // the person left it in the middle
	}
	if err := r.saveFinalOutput(); err != nil {
		return err
	}
	return errorOfExitStatus(exitStatusOfResult(result.Ending.Result))
}

// newSessionWithChoices returns the session with the person's choices.
func (r *runner) newSessionWithChoices(choices tui.Choices) (*engine.Session, error) {
	if err := r.applyChoices(choices); err != nil {
		return nil, err
	}
	return r.newSession()
}

// applyChoices applies the person's choices to the run.
func (r *runner) applyChoices(choices tui.Choices) error {
	if choices.InputValues != nil {
		r.ReplaceSettableInputs(choices.InputValues)
	}
	r.Config.Breakpoints = choices.Breakpoints
	r.Config.Options.Prompted = r.Config.Options.Prompted || choices.ExecutesNothing
	if choices.PauseFirst {
		r.Config.Mode = engine.PauseNext
	}
	if choices.ReplySourceName != "" {
		return r.ChooseReplySource(choices.ReplySourceName)
	}
	return nil
}

// showUntilSignal shows the screen of a run that this process does not drive. Its error has the exit status of
// the signal, and why the screen failed.
func (a *app) showUntilSignal(ctx context.Context, c tui.Config) error {
	var failure error
	err := untilSignal(ctx, func(ctx context.Context) error {
		_, failure = a.runWithSavedLayout(ctx, c)
		return nil
	})
	return errors.Join(failure, err)
}

// runWithSavedLayout runs the screen with the layout that was saved last, and saves the layout if it has changed.
func (a *app) runWithSavedLayout(ctx context.Context, cfg tui.Config) (tui.Result, error) {
	file := filepath.Join(xdg.StateHome, "playhead", "layout.json")
	split, err := layout.LoadSplit(file)
	if err != nil {
		note := fmt.Sprintf("Using the default layout: %s cannot be read (%v)", file, err)
		cfg.Notice = strings.TrimPrefix(cfg.Notice+"; "+note, "; ")
	}
	cfg.Split, cfg.CopyToClipboard = split, userprograms.ClipboardWriter()
	result, err := tui.Run(ctx, cfg)
	if !result.Split.Equal(split) {
		if err := result.Split.Save(file); err != nil {
			a.printNote("the layout could not be saved: %v", err)
		}
	}
	return result, err
}
