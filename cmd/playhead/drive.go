package main

import (
	"context"
	"os"
	"strings"
	"syscall"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/show"
	"playhead/engine/userprograms"
	"playhead/parse/plan"
	"playhead/tui/lines"
	"playhead/tui/notify"
	"playhead/tui/session"
	tty "playhead/tui/terminal"
)

// runSession runs the session while lines or JSON show it, and prints the notes for a person who leaves the run.
// sig is the signal that ended the session early, 0 if none did.
func (r *runner) runSession(ctx context.Context, s *engine.Session) (end engine.Ending, sig syscall.Signal, err error) {
	ctx, stop := host.CatchSignals(ctx, host.InterruptHandler(s, r.viewMode == viewPlainForPerson))
	done := make(chan struct{})
	go func() {
		defer close(done)
		end, err = s.Run(ctx)
	}()
	r.followSession(s, done, func(c *lines.Config) {
		c.Quit, c.EndQuestion = ctx.Done(), func() (string, func() string) { return r.LeftoversQuestion(end) }
	})
	<-done
	sig = stop()
	r.printExitNotes(end, sig)
	return end, sig, err
}

// followSession shows the session in lines, or as JSON. In lines for a person, configureEnd sets what ends the
// lines and what the person is asked then.
func (r *runner) followSession(s *engine.Session, done <-chan struct{}, configureEnd func(*lines.Config)) {
	if r.viewMode == viewJSON {
		show.WriteEvents(r.jsonWriter(), s.WatchFromStart(), r.EventCountBeforeResume(), done)
		return
	}
	c := lines.Config{
		Plan: r.Config.FirstPlan, Session: session.FromEngine(s), RunFolder: r.Config.Run.Folder,
		Out: r.stdout, IsColoured: r.mayUseColours(r.options), Width: r.terminalWidth(),
	}
	if r.viewMode == viewPlainForPerson {
		c.In = r.lineInput
		c.RingsBell = r.preferences.NotifyMethod == notify.Bell && tty.IsTerminal(r.stdout)
		c.ExtraCommands, c.ReplySources, c.Breakpoints = r.lineCommands(), r.Config.ReplySources, r.Config.Breakpoints
		c.EditsAsChanges = r.editsAsChanges
		c.StoreBreakpoints, c.StaysWhenOver = r.StoreBreakpoints, r.IsOver
		r.configureInput(&c)
		configureEnd(&c)
	}
	lines.New(c).Follow(r.EventCountBeforeResume(), done)
}

// lineCommands returns the commands of the line interface that need more than the session.
func (r *runner) lineCommands() []lines.Command {
	c := r.newRunCommands(r.options, r.Config.FirstPlan, r.Session.Events)
	c.RunFolder = r.Config.Run.Folder
	c.Leftovers = r.Session.Leftovers
	return append(c.Commands(), lines.Command{
		Name: "write-back", Usage: "[yes]", Help: "show your edits as a diff; yes: write them back",
		Do: func(arg string) error {
			p := runs.EditsPrinter{WritesEdits: arg == "yes"}
			if !p.WritesEdits && !strings.HasPrefix(c.Plan.Path, machine.BuiltInPrefix) {
				p.WriteHint = "  :write-back yes writes this into the document"
			}
			return r.showOrWriteEdits(c.RunFolder.ID(), p)
		},
	})
}

// configureInput reads commands as a script, or lets a person at a terminal use their own editor, pager and
// clipboard in lines.
func (r *runner) configureInput(c *lines.Config) {
	if !tty.IsTerminal(r.stdin) {
		c.IsScript = true
		return
	}
	c.InputTerminal, _ = r.stdin.(*os.File)
	r.setUserPrograms(c)
}

// setUserPrograms configures the editor, the pager and the clipboard of a person at a terminal.
func (a *app) setUserPrograms(c *lines.Config) {
	if tty.IsTerminal(a.stdin) && tty.IsTerminal(a.stdout) {
		programs := lines.Programs{In: a.stdin, Out: a.stdout, Err: a.stderr, Clipboard: userprograms.ClipboardWriter()}
		programs.AddTo(c)
	}
}

// newRunCommands returns what the line commands about a run as a whole need. The caller adds the folder and the leftovers.
func (a *app) newRunCommands(o viewOptions, p *plan.Plan, events func() []machine.Event) lines.RunCommands {
	return lines.RunCommands{Plan: p, Events: events, Out: a.stdout, IsColoured: a.mayUseColours(o), Width: a.terminalWidth()}
}
