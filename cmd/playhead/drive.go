package main

import (
	"context"
	"os"
	"syscall"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/machine"
	"playhead/engine/show"
	"playhead/engine/userprograms"
	"playhead/parse/plan"
	"playhead/tui/lines"
	"playhead/tui/session"
	tty "playhead/tui/terminal"
)

// drive runs the session while a view follows it. sig is the signal that made the
// process leave a run in the middle.
func (r *runner) drive(ctx context.Context, s *engine.Session) (end engine.Ending, sig syscall.Signal, err error) {
	ctx, stop := host.CatchSignals(ctx, host.Interrupter(s, r.view == viewPlain))
	done := make(chan struct{})
	go func() {
		defer close(done)
		end, err = s.Run(ctx)
	}()
	r.follow(s, done, func(c *lines.Config) {
		c.Quit, c.Last = ctx.Done(), func() (string, func() string) { return r.leftoversQuestion(end) }
	})
	<-done
	sig = stop()
	r.noteExit(end, sig)
	return end, sig, err
}

// follow shows the session in lines, or as JSON. atEnd sets what a person is asked when it has ended.
func (r *runner) follow(s *engine.Session, done <-chan struct{}, atEnd func(*lines.Config)) {
	if r.view == viewJSON {
		show.WriteEvents(r.json(), s.Watch(), r.EventCountBeforeResume(), done)
		return
	}
	c := lines.Config{
		Plan: r.Config.Plan, Session: session.Live(s), Folder: r.Config.Run.Folder,
		Out: r.out, Colour: r.colours(r.options), Width: r.width(),
	}
	if r.view == viewPlain {
		c.In = r.lineInput
		c.Bell = r.preferences.Bell && tty.Is(r.out)
		c.Commands, c.Sources, c.Breakpoints = r.commands(), r.Config.Sources, r.Config.Breaks
		c.KeepBreaks, c.Stay = r.KeepBreakpoints, r.IsOver
		r.addPrograms(&c)
		atEnd(&c)
	}
	lines.New(c).Follow(r.EventCountBeforeResume(), done)
}

// commands returns the commands of the line interface that need more than the session.
func (r *runner) commands() []lines.Command {
	c := r.runCommands(r.options, r.Config.Plan, r.Session.Events)
	if r.Config.Run != nil {
		c.Folder = r.Config.Run.Folder
	}
	return append(c.List(), lines.Command{
		Name: "end-leftovers", Takes: "[yes]", Help: "list leftover processes, or end them",
		Do: func(arg string) error { return r.listOrEndLeftovers(arg == "yes") },
	}, lines.Command{
		Name: "write-back", Takes: "[yes]", Help: "edits as changes of the document, or write them",
		Do: func(arg string) error { return r.edits(c.Folder.ID(), arg == "yes") },
	})
}

// addPrograms gives a person in lines their own programs, if they are at a terminal.
func (r *runner) addPrograms(c *lines.Config) {
	if !tty.Is(r.in) {
		c.Script = true
		return
	}
	c.Typing, _ = r.in.(*os.File)
	r.programs(c)
}

// programs lets texts be written, shown and copied with what a person at a terminal has.
func (a *app) programs(c *lines.Config) {
	if tty.Is(a.in) && tty.Is(a.out) {
		programs := lines.Programs{In: a.in, Out: a.out, Err: a.err, Clipboard: userprograms.Clipboard()}
		programs.Use(c)
	}
}

// runCommands look at a run as a whole.
func (a *app) runCommands(o viewOptions, p *plan.Plan, events func() []machine.Event) lines.RunCommands {
	return lines.RunCommands{Plan: p, Events: events, Out: a.out, Colour: a.colours(o), Width: a.width()}
}
