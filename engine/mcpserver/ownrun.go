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
	session      *engine.Session
	isJustOpened bool // it was just opened, and is paused only for that reason
	done         chan struct{}
}

// startOwnRun begins a run of a document in the folder. format is the document's format, "" to detect it. The agent gives
// the replies that models would give.
func (s *Server) startOwnRun(document, format string, inputs map[string]any, prompted bool) (*runLink, error) {
	o := &setup.NewOptions{
		Prompted:    prompted,
		LoadOptions: parse.Options{Format: format, Flags: map[string][]string{}}, CheckFlagsApply: func(*plan.Plan) error { return nil },
	}
	o.Options = s.setupOptions()
	o.ReplySource = model.ManualReplySource
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		switch {
		case strings.Contains(name, "=") || name == "":
			return nil, newFailure(failureValidation, fmt.Sprintf("%q is not the name of an input", name), "check_document lists the inputs of the document.")
		case inputs[name] == nil: // null is not a value
			continue
		}
		o.Inputs = append(o.Inputs, name+"="+plan.ValueText(inputs[name]))
	}
	run, err := setup.New(o, document)
	if err != nil {
		return nil, err
	}
	if err := checkRunnable(run); err != nil {
		return nil, err
	}
	own, err := s.driveRun(run, &o.Options)
	if err != nil {
		return nil, err
	}
	history, err := journal.ReadHistory(run.Config.Run.Folder)
	if err != nil {
		own.close()
		return nil, err
	}
	l, err := s.addLink(history)
	if err != nil {
		own.close()
		return nil, err
	}
	l.ownRun, l.personNotes = own, run.Notes
	return l, s.connect(l)
}

// resumeOwnRun continues a run that no process drives.
func (s *Server) resumeOwnRun(l *runLink) error {
	o := &setup.ResumeOptions{Options: s.setupOptions(), Reopen: true}
	run, err := setup.Open(o, l.runID())
	if err != nil {
		return err
	}
	if err = run.Resume(o); err != nil {
		run.Close()
		return err
	}
	l.personNotes = run.Notes
	l.ownRun, err = s.driveRun(run, &o.Options)
	return err
}

// checkRunnable refuses a document with errors, and inputs without a value.
func checkRunnable(run *setup.Run) error {
	p := run.CurrentPlan
	if !p.Runnable() {
		d := p.Diagnostics[slices.IndexFunc(p.Diagnostics, func(d plan.Diagnostic) bool { return d.Severity == plan.Error })]
		f := newFailure(cmp.Or(d.ErrorType, failureValidation), cmp.Or(d.ErrorText, d.String()), cmp.Or(d.Suggestion, "Call check_document: it lists all mistakes."))
		if f.ErrorType == failureValueMissing {
			f.Suggestion = "Pass the value in inputs, or list the variable under OUTPUTS of an earlier step."
		}
		return f
	}
	if len(run.MissingInputs) > 0 {
		var names []string
		for _, in := range run.MissingInputs {
			names = append(names, in.Name)
		}
		return newFailure(failureValueMissing, "inputs without a value: "+strings.Join(names, ", "), "Pass their values in inputs; check_document describes the inputs.")
	}
	return nil
}

// setupOptions returns options that set up a run without asking anybody. No tool server is started, because
// the agent has its own tools.
func (s *Server) setupOptions() setup.Options {
	o := setup.Options{Unattended: true, CommandsGetNoInput: true, Version: s.config.Version, ShowNote: func(string) {}}
	o.Settings = s.config.Settings
	return o
}

// driveRun begins to drive a run in this process and to serve it to others.
func (s *Server) driveRun(run *setup.Run, o *setup.Options) (*ownRun, error) {
	o.Unattended = false // from now on the agent can answer
	r := &host.DrivenRun{Run: run}
	if g := (trustGuard{run}); !g.IsTrusted() {
		run.Config.StartsPaused, r.Guard = true, g
	}
	var serviceError error // without its socket, nobody can act on the run
	session, err := r.Begin(s.config.Version, func(text string) { serviceError = errors.New(text) })
	if err == nil {
		err = serviceError
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	own := &ownRun{session: session, isJustOpened: true, done: make(chan struct{})}
	go func() {
		defer close(own.done)
		_, _ = session.Run(context.Background()) // if the journal cannot be written, the state says so
		r.Close()
	}()
	return own, nil
}

// A trustGuard makes a run wait until a person trusts its document. A host or its agent cannot trust it.
type trustGuard struct{ run *setup.Run }

func (g trustGuard) IsTrusted() bool {
	trusted, err := g.run.Commands().IsTrusted()
	return g.run.MayExecuteWithoutTrust() || err == nil && trusted
}

func (g trustGuard) Commands() []trust.Item { return g.run.Commands().All() }
func (g trustGuard) Trust() error           { return g.run.Commands().Trust() }

// close ends the session and waits until it has ended. The run can be resumed.
func (o *ownRun) close() {
	o.session.Close()
	<-o.done
}
