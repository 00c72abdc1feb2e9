package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/engine/show"
	"playhead/parse/plan"
)

// runner shows one run and ends with its exit status.
type runner struct {
	*app
	view    view
	options viewOptions
	looks   looks
	config  engine.Config
	memory  memory        // what the run remembers of that for later
	tools   *toolset      // the tool servers it may use; nil: it needs none
	saver   *saver        // of the final output; nil: nobody asked for it
	allowed bool          // --trust was said, for this run or this life of it
	missing []plan.Input  // inputs without a value
	notes   []string      // what a person should know before it runs
	ask     bool          // where replies come from is for a person to choose
	lacks   string        // what a server that is configured lacks to be asked; empty: none is
	typed   *bufio.Reader // what a person types
	session *engine.Session

	endLeftovers bool // what steps left running ends with the run

	keepBreaks func([]engine.Breakpoint) error // for the document's next runs
	stay       bool                            // the run is over, and looked at
}

// runner reads the settings, and refuses what they and the flags say wrong, before
// anything is loaded. What it runs is its config.
func (a *app) runner(s *settings, o viewOptions, out artifactOptions) (*runner, error) {
	if err := o.fit(); err != nil {
		return nil, err
	}
	looks, err := s.open(o.theme)
	if err != nil {
		return nil, err
	}
	saver, err := a.saver(out)
	if err != nil {
		return nil, err
	}
	return &runner{app: a, view: a.view(o), options: o, looks: looks, saver: saver, typed: bufio.NewReader(a.in)}, nil
}

// line is what a person types next.
func (r *runner) line() (string, error) { return r.echoed(readLine(r.typed)) }

// echoed prints a line that was typed where no terminal has shown it.
func (a *app) echoed(line string, err error) (string, error) {
	if line != "" && !isTerminal(a.in) {
		fmt.Fprintln(a.out, sanitize.Plain(strings.TrimSpace(line)))
	}
	return line, err
}

// run runs the document, on the screen or in lines. trust says that it may run its
// commands without being asked for.
func (r *runner) run(ctx context.Context, trust bool) error {
	defer r.close()
	r.allowed = trust
	if run := r.config.Run; run != nil {
		trust = trust || wasAllowed(run.Folder, r.deeds())
	}
	trust = trust || r.config.Options.Prompted
	if !r.view.headless() {
		if err := r.remember(); err != nil {
			return err
		}
	}
	if r.view == viewScreen && r.legible() {
		return r.screen(ctx, trust)
	}
	for _, note := range r.notes {
		r.note("%s", note)
	}
	if !r.config.Plan.Runnable() {
		show.WriteDiagnostics(r.err, r.config.Plan.Diagnostics)
		return silently(exitUsage)
	}
	if r.view.headless() {
		if err := wanting(r.missing); err != nil {
			return err
		}
	}
	if !trust {
		if err := r.mayRun(); err != nil {
			return err
		}
	}
	if err := r.askSource(); err != nil {
		return err
	}
	if err := r.askInputs(); err != nil {
		return err
	}
	return r.lines(ctx)
}

// legible reports whether the document has anything to look at: one with errors has its text, one
// that is not there has nothing.
func (r *runner) legible() bool {
	return r.config.Plan.Runnable() || len(r.config.Plan.Source) > 0 || len(r.config.Plan.Files) > 0
}

// remember takes over the breakpoints that a person has set for the document.
func (r *runner) remember() error {
	kept, err := marksOf(r.config.Plan)
	if err != nil {
		return err
	}
	before, err := kept.load()
	r.config.Breaks, r.keepBreaks = append(r.config.Breaks, before...), kept.keep
	return err
}

// deeds are what the run would execute.
func (r *runner) deeds() deeds { return deeds{r.config.Plan, r.tools.starts()} }

// close ends the tool servers and gives the run free, if there is one.
func (r *runner) close() {
	r.tools.close()
	if r.config.Run != nil {
		_ = r.config.Run.Close() // whatever is wrong with the journal was said
	}
}

// mayRun asks for trust, or refuses, before anything is executed.
func (r *runner) mayRun() error {
	switch ok := r.trusted(r.deeds()); {
	case ok:
		return nil
	case r.view.headless() || !isTerminal(r.in):
		return r.refuse(r.deeds()) // what comes out of a pipe has read nothing
	}
	prompted, err := r.askTrust(r.deeds(), r.typed, r.config.Run != nil)
	r.config.Options.Prompted = prompted
	return err
}

// create makes the folder of a new run, with copies of the documents.
func create(c engine.Config) (*journal.Run, error) {
	p := *c.Plan
	var err error
	if p.Path, err = fileOf(p.Path); err != nil {
		return nil, err
	}
	return journal.Default().Create(&p, c.Dir)
}

// begin makes the session, and the run if it is a new one.
func (r *runner) begin() (*engine.Session, error) {
	r.config.Headless, r.config.NoInput = r.view.headless(), !isTerminal(r.in)
	if r.config.Run == nil {
		run, err := create(r.config)
		if err != nil {
			return nil, err
		}
		r.config.Run = run
	}
	if r.allowed {
		if err := keepAllowed(r.config.Run.Folder, r.deeds()); err != nil {
			return nil, err
		}
	}
	r.tools.ready(r.config)
	r.config.KeepSource = r.keepSource
	session, err := engine.New(r.config)
	if err != nil {
		return nil, err
	}
	r.session = session
	return session, r.memory.keep(r.config.Run)
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
		return silently(statusOfSignal(sig))
	case ending.Result == "": // the person's input has ended
		return silently(exitAwaiting)
	}
	if err := r.save(); err != nil {
		return err
	}
	return silently(statusOfResult(ending.Result))
}

// save saves the final output, if that is asked for.
func (r *runner) save() error {
	return r.saver.save(r.config.Plan, r.config.Run.ID(), r.session.Events())
}
