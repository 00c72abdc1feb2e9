package main

import (
	"context"
	"os"

	"playhead/engine/setup"
	"playhead/parse/plan"
	tty "playhead/tui/terminal"
)

// viewMode is how a run is shown.
type viewMode int

const (
	viewScreen         viewMode = iota // the screen, for a person
	viewPlainForPerson                 // lines, for a person who can be asked
	viewHeadlessLines                  // lines, and nobody can be asked
	viewJSON                           // events as JSON, and nobody can be asked
)

func (v viewMode) isHeadless() bool { return v == viewHeadlessLines || v == viewJSON }

// checkExclusive returns an error for flags that exclude each other.
func (o *viewOptions) checkExclusive() error {
	if o.json && o.plain {
		return usageError("use --json (for programs) or --plain (for people), not both")
	}
	return nil
}

// chooseViewMode decides how to show a run on these streams. If stdin is not a terminal, nobody is there. With
// --plain, however, piped input counts as the lines of a person.
func (a *app) chooseViewMode(o viewOptions) viewMode {
	switch {
	case o.json:
		return viewJSON
	case o.headless, !tty.IsTerminal(a.stdin) && !(o.plain && tty.IsPiped(a.stdin)):
		return viewHeadlessLines
	case o.plain || !tty.IsTerminal(a.stdout) || os.Getenv("TERM") == "dumb":
		return viewPlainForPerson
	default:
		return viewScreen
	}
}

// takesLines reports whether a person in this mode types lines. If only stdout is redirected, the person at the
// keyboard would not see what is asked.
func (a *app) takesLines(mode viewMode) bool {
	return mode == viewPlainForPerson && (tty.IsTerminal(a.stdout) || !tty.IsTerminal(a.stdin))
}

// terminalWidth returns the width of the terminal on stdout, 0 if it is not one.
func (a *app) terminalWidth() int { return tty.Width(a.stdout) }

// mayUseColours reports whether output may be coloured.
func (a *app) mayUseColours(o viewOptions) bool {
	return !o.noColor && tty.IsTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// setProcessOptions sets the options that depend on this process: whether a person can be asked, whether commands
// get input, Playhead's version, and how notes are printed.
func (a *app) setProcessOptions(o *setup.Options, v viewOptions) {
	o.Unattended, o.CommandsGetNoInput, o.Version = a.chooseViewMode(v).isHeadless(), !tty.IsTerminal(a.stdin), version
	o.ShowNote = func(text string) { a.printNote("%s", text) }
}

// runDocument runs a document from its first step.
func (a *app) runDocument(ctx context.Context, o *runOptions, args []string) error {
	if len(args) != 1 {
		return usageError("playhead takes one FILE: remove %q", args[1])
	}
	r, err := a.newRunner(&o.Settings, o.viewOptions, o.finalFile)
	if err != nil {
		return err
	}
	a.setProcessOptions(&o.Options, o.viewOptions)
	if o.LoadOptions, err = o.parseOptions(a.stdin); err != nil {
		return err
	}
	o.CheckFlagsApply = o.loadFlags.checkFlagsApply
	if o.flagSet.Changed(plan.TransitionsFlag) {
		o.MaxTransitions = &o.maxTransitions
	}
	for {
		if r.DrivenRun.Run, err = setup.New(&o.NewOptions, args[0]); err != nil {
			return err
		}
		if err = r.run(ctx); err != errReopenRequested {
			return err
		}
	}
}
