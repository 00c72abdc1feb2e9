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
	"playhead/engine/userprograms"
	"playhead/tui"
	"playhead/tui/panes"
	"playhead/tui/preferences"
)

// errReopen says that the person asked to open the document again, which has changed before it ran.
var errReopen = errors.New("the document is to be opened again")

// screen opens the screen on a document, which may have errors: then it can be
// looked at.
func (r *runner) screen(ctx context.Context) error {
	document, err := r.OriginalDocument()
	if err != nil {
		return err
	}
	c := r.screenConfig(runs.NewCoverage(document, r.Config.Plan))
	c.Trusted = r.IsAllowed() || r.trusted(r.Commands())
	if c.Trusted && !c.Ask { // else the inputs can be changed where something else is asked
		c.AskInputs = c.AskInputs || r.HasAssumedInputs()
	}
	ctx, stop := host.CatchSignals(ctx, nil)
	result, err := r.onScreen(ctx, c)
	if result.Reopen {
		stop()
		return errReopen
	}
	if !result.Started && err == nil && r.Config.Plan.Runnable() { // an error says why itself
		r.noteNothingRan(c.Trusted || r.trusted(r.Commands()))
	}
	return r.leaveScreen(result, stop(), err)
}

// noteNothingRan prints that the person left the screen before anything ran.
func (r *runner) noteNothingRan(trusted bool) {
	text := "nothing was run"
	if !trusted {
		text += ": this document is not trusted. Answer y to trust it, or use --trust to run it without being asked"
	}
	r.note("%s", text)
}

// screenConfig returns what the screen shows, and what a person can do there.
func (r *runner) screenConfig(coverage *runs.Coverage) tui.Config {
	c := r.screenOf(r.options, r.preferences)
	c.Inputs = r.Inputs()
	c.AskInputs = len(r.Missing) > 0
	c.Plan, c.Breakpoints, c.History = r.Config.Plan, r.Config.Breaks, machine.Trail(r.Config.History)
	c.Leftovers = func() []shell.Leftover { return r.Session.Leftovers() }
	c.Secrets = r.Config.Options.Secrets
	c.Commands, c.Remember = tui.CommandsOf(r.Commands().All(), r.Config.Plan.Path), r.Commands().Trust
	c.Notify, c.NotifyAfter = r.preferences.Notify, r.preferences.NotifyAfter
	c.Notice = strings.Join(r.Notes, "; ")
	if r.Config.Run == nil { // a resumed run says itself that its document changed
		c.Files = setup.Files(r.Config.Plan)
	}
	c.KeepBreaks, c.Known, c.Exports = r.KeepBreakpoints, coverage.Others, runs.Exports(r.Config.Plan, func() string { return r.Config.Run.ID() })
	c.Sources, c.Ask, c.ServerProblem = r.Config.Sources, r.AsksSource, r.ServerProblem
	c.Original = r.OriginalFile
	c.Start = r.start
	if r.AsksSource || r.ChecksFirst() {
		c.Check = r.checkOnScreen
	}
	c.Fork = func(seq int) (string, error) {
		return journal.Default().Fork(r.Config.Run.ID(), seq, time.Now())
	}
	c.OthersOf(func() journal.Folder { return r.Config.Run.Folder })
	c.Drafts = func() ([]rewrite.Change, error) { return runs.Changes(r.Config.Run.ID()) }
	return c
}

// screenOf returns the configuration of a person's screen, with nothing on it.
func (a *app) screenOf(o viewOptions, p preferences.Preferences) tui.Config {
	home, _ := os.UserHomeDir() // empty where it is not known
	return tui.Config{
		NoColor: !a.colours(o), Themes: p.Themes, Palettes: p.Palettes, Keys: p.Keys, Present: o.present, Home: home, Editor: p.Editor,
	}
}

// leaveScreen prints how the person left the run, and returns an error with the exit status for
// that.
func (r *runner) leaveScreen(result tui.Result, sig syscall.Signal, err error) error {
	if result.Started {
		r.noteExit(result.Ending, sig)
		fmt.Fprintln(r.out, r.ExitMessage(result.Ending))
	}
	switch {
	case err != nil:
		return err
	case sig != 0:
		return exitWith(statusOfSignal(sig))
	case !result.Started:
		return exitWith(exitUsage)
	case result.Ending.Result == "":
		return exitWith(exitInterrupted) // the person left it in the middle
	}
	if err := r.saveFinal(); err != nil {
		return err
	}
	return exitWith(statusOfResult(result.Ending.Result))
}

// start makes the session as the person said.
func (r *runner) start(said tui.Choices) (*engine.Session, error) {
	if err := r.prepare(said); err != nil {
		return nil, err
	}
	return r.begin()
}

// prepare sets what the person said.
func (r *runner) prepare(said tui.Choices) error {
	if said.Inputs != nil {
		r.GiveAll(said.Inputs)
	}
	r.Config.Options.Prompted = r.Config.Options.Prompted || said.Prompted
	if said.Step {
		r.Config.Mode = engine.Hold
	}
	if said.Source != "" {
		return r.ChooseSource(said.Source)
	}
	return nil
}

// onScreen runs the screen, divided as it was left the last time, whatever the document.
func (a *app) onScreen(ctx context.Context, cfg tui.Config) (tui.Result, error) {
	file := filepath.Join(xdg.StateHome, "playhead", "layout.json")
	split, err := panes.LoadSplit(file)
	if err != nil {
		note := fmt.Sprintf("Using the default layout: %s cannot be read (%v)", file, err)
		cfg.Notice = strings.TrimPrefix(cfg.Notice+"; "+note, "; ")
	}
	cfg.Split, cfg.Clipboard = split, userprograms.Clipboard()
	result, err := tui.Run(ctx, cfg)
	if !result.Split.Same(split) {
		if err := result.Split.Save(file); err != nil {
			fmt.Fprintf(a.err, "the layout could not be saved: %v\n", err)
		}
	}
	return result, err
}
