package main

import (
	"context"
	"os"

	"playhead/engine/setup"
	tty "playhead/tui/terminal"
)

// view is how a run is shown.
type view int

const (
	viewScreen view = iota // a person at the screen
	viewPlain              // a person and lines
	viewLines              // lines, and nobody there
	viewJSON               // events, and nobody there
)

func (v view) headless() bool { return v == viewLines || v == viewJSON }

// check refuses ways to show a run that exclude each other.
func (o *viewOptions) check() error {
	if o.json && o.plain {
		return usageError("use --json (for programs) or --plain (for people), not both")
	}
	return nil
}

// view decides how to show a run on these streams. Where stdin is no terminal nobody is there,
// unless --plain says that what is piped in are a person's lines.
func (a *app) view(o viewOptions) view {
	switch {
	case o.json:
		return viewJSON
	case o.headless, !tty.Is(a.in) && !(o.plain && tty.IsPiped(a.in)):
		return viewLines
	case o.plain || !tty.Is(a.out) || os.Getenv("TERM") == "dumb":
		return viewPlain
	default:
		return viewScreen
	}
}

// width returns the width of the terminal on stdout, 0 if it is not one.
func (a *app) width() int { return tty.Width(a.out) }

// colours reports whether output may be coloured.
func (a *app) colours(o viewOptions) bool {
	return !o.noColor && tty.Is(a.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// setAttendance sets who is there when a run is shown like that.
func (a *app) setAttendance(o *setup.Options, v viewOptions) {
	o.Unattended, o.NoInput, o.Version = a.view(v).headless(), !tty.Is(a.in), version
	o.Note = func(text string) { a.note("%s", text) }
}

// runCommand runs a document from its first step.
func (a *app) runCommand(ctx context.Context, o *runOptions, args []string) error {
	if len(args) != 1 {
		return usageError("only one FILE can be run: remove %q", args[1])
	}
	r, err := a.runner(&o.Settings, o.viewOptions, o.final)
	if err != nil {
		return err
	}
	r.endLeftovers = o.endLeftovers
	a.setAttendance(&o.Options, o.viewOptions)
	if o.Load, err = o.options(a.in); err != nil {
		return err
	}
	o.Fits = o.loadFlags.check
	for {
		if r.Run.Run, err = setup.New(&o.NewOptions, args[0]); err != nil {
			return err
		}
		if err = r.run(ctx); err != errReopen {
			return err
		}
	}
}
