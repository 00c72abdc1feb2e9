package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/model"
	"playhead/engine/setup"
	"playhead/engine/trust"
	"playhead/parse"
	"playhead/parse/plan"
)

// An ownRun is a run that this process drives, for all programs and screens that join it.
type ownRun struct {
	session *engine.Session
	opened  bool // it is paused only because it has just been opened
	done    chan struct{}
}

// start begins a run of a document of the folder. The agent gives the replies of models.
func (s *Server) start(document string, inputs map[string]any, prompted bool) (*link, error) {
	o := &setup.NewOptions{
		Prompted: prompted, MaxTransitions: setup.TransitionsOfFormat,
		Load: parse.Options{Flags: map[string][]string{}}, Fits: func(*plan.Plan) error { return nil },
	}
	o.Options = s.options()
	o.Source = model.Manual
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		switch {
		case strings.Contains(name, "=") || name == "":
			return nil, fail(validation, fmt.Sprintf("%q is not the name of an input", name), "check_document lists the inputs of the document.")
		case inputs[name] == nil: // which is no value
			continue
		}
		o.Inputs = append(o.Inputs, name+"="+plan.TextOf(inputs[name]))
	}
	run, err := setup.New(o, document)
	if err != nil {
		return nil, err
	}
	if err := checkRunnable(run); err != nil {
		return nil, err
	}
	own, err := s.drive(run, &o.Options)
	if err != nil {
		return nil, err
	}
	history, err := journal.ReadFolder(run.Config.Run.Folder)
	if err != nil {
		own.close()
		return nil, err
	}
	l, err := s.add(history)
	if err != nil {
		own.close()
		return nil, err
	}
	l.ownRun, l.notes = own, run.Notes
	return l, s.connect(l)
}

// resume continues a run that no process drives.
func (s *Server) resume(l *link) error {
	o := &setup.ResumeOptions{Options: s.options(), Reopen: true}
	run, err := setup.Open(o, l.id())
	if err != nil {
		return err
	}
	if err = run.Resume(o); err != nil {
		run.Close()
		return err
	}
	l.notes = run.Notes
	l.ownRun, err = s.drive(run, &o.Options)
	return err
}

// checkRunnable refuses a document with errors, and inputs without a value.
func checkRunnable(run *setup.Run) error {
	p := run.Config.Plan
	if !p.Runnable() {
		var worst *failure
		for _, d := range p.Diagnostics {
			if d.Severity == plan.Error && worst == nil {
				worst = fail(cmp.Or(d.ErrorType, validation), cmp.Or(d.ErrorText, d.String()), cmp.Or(d.Suggestion, "Call check_document: it lists all mistakes."))
			}
		}
		if worst.Type == valueMissing {
			worst.Suggestion = "Pass the value in inputs, or output the variable in an earlier step of the document."
		}
		return worst
	}
	if len(run.Missing) > 0 {
		var names []string
		for _, in := range run.Missing {
			names = append(names, in.Name)
		}
		return fail(valueMissing, "inputs have no value: "+strings.Join(names, ", "), "Pass their values in inputs; check_document says what they are.")
	}
	return nil
}

// options set a run up without asking anybody. They start no tool server, because the agent brings its own
// tools.
func (s *Server) options() setup.Options {
	o := setup.Options{Unattended: true, NoInput: true, Version: s.cfg.Version, Note: func(string) {}}
	o.Settings = s.cfg.Settings
	return o
}

// drive drives a run from here on.
func (s *Server) drive(run *setup.Run, o *setup.Options) (*ownRun, error) {
	o.Unattended = false // from here on the agent is there
	r := &host.Run{Run: run}
	if g := (guard{run}); !g.IsTrusted() {
		run.Config.Frozen, r.Guard = true, g
	}
	var unserved error
	session, err := r.Begin(s.cfg.Version, func(text string) { unserved = errors.New(text) })
	if err == nil {
		err = unserved
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	own := &ownRun{session: session, opened: true, done: make(chan struct{})}
	go func() {
		defer close(own.done)
		_, _ = session.Run(context.Background()) // a journal that cannot be written is told in the state
		r.Close()
	}()
	return own, nil
}

// A guard makes a run wait until a person trusts its document. The word of a host or its agent is not enough.
type guard struct{ run *setup.Run }

func (g guard) IsTrusted() bool {
	trusted, err := g.run.Commands().IsTrusted()
	return g.run.IsAllowed() || err == nil && trusted
}

func (g guard) Commands() []trust.Item { return g.run.Commands().All() }
func (g guard) Trust() error           { return g.run.Commands().Trust() }

// close leaves the run, which is kept.
func (o *ownRun) close() {
	o.session.Close()
	<-o.done
}
