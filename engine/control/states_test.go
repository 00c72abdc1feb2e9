package control_test

import (
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// states returns a run in every state in which somebody may act, by the name of the state.
func states(t *testing.T) map[string]control.RunView {
	t.Helper()
	p := rundown.Parse("release.runbook.md", []byte(document), rundown.Options{})
	out := map[string]control.RunView{"not begun": {Plan: p, Track: track.New(p), Now: time.Now()}}
	synctest.Test(t, func(t *testing.T) {
		d := drive(t)
		keep := func(state string) {
			run := d.RunView
			run.Track = run.Track.Clone()
			out[state] = run
		}
		d.sync()
		keep("paused before the first step")
		for _, s := range []struct{ action, state string }{{"over", "waiting"}, {"pass", "paused"}, {"stop", "over"}} {
			if err := d.do(s.action); err != nil {
				t.Fatalf("%s: %v", s.action, err)
			}
			keep(s.state)
		}
	})
	running := out["paused"]
	running.Status.State, running.Status.RunningStep, running.Status.NextEvent = engine.Running, "2.1", nil
	out["running"] = running
	replay := out["paused"]
	replay.IsReplay = true
	out["replay"] = replay
	return out
}

var wants = map[string]engine.State{
	"paused before the first step": engine.Paused, "waiting": engine.Waiting, "paused": engine.Paused, "over": engine.Over,
}

// TestEveryActionInEveryState: an available action calls the session once. Any other is refused without a call, in
// sentences that name only actions of the table.
func TestEveryActionInEveryState(t *testing.T) {
	name := regexp.MustCompile(`\{([a-z-]+)\}`)
	for state, run := range states(t) {
		if want, real := wants[state]; real && run.Status.State != want {
			t.Fatalf("%s: the state is %v", state, run.Status.State)
		}
		for _, a := range control.AllActions() {
			args := control.Args{
				Row: run.Track.RowByLabel("1"), EventSeq: 1, Result: plan.Failed, Name: "version", Text: "1",
				Breakpoint: engine.Breakpoint{Step: "1"}, WhatIfChange: machine.WhatIfChange{Variable: "version", Value: "1"},
				RunInTerminal: func(*exec.Cmd) error { return nil },
			}
			why := string(a.UnavailableReason(run, args))
			effect := a.Effect(run, args)
			for _, found := range name.FindAllStringSubmatch(why+string(effect.Text), -1) {
				if control.FindAction(found[1]) == nil {
					t.Errorf("%s, %s: no action is called %q", state, a.Name, found[1])
				}
			}
			if why != "" && (!strings.HasSuffix(why, ".") || why != strings.TrimSpace(why)) {
				t.Errorf("%s, %s: %q is not a sentence", state, a.Name, why)
			}
			if effect.NeedsConfirmation && effect.Question == "" {
				t.Errorf("%s, %s: the confirmation asks nothing", state, a.Name)
			}
			var calls callCounter
			err := a.Do(&calls, run, args)
			refusal, refused := errors.AsType[*control.RefusedError](err)
			switch {
			case why == "" && (err != nil || calls != 1):
				t.Errorf("%s, %s: %d calls of the session, %v", state, a.Name, calls, err)
			case why != "" && (!refused || string(refusal.Reason) != why || calls != 0):
				t.Errorf("%s, %s: %d calls of the session, %v, want the refusal %q", state, a.Name, calls, err, why)
			}
		}
	}
}

// callCounter is a session that accepts everything and counts its calls.
type callCounter int

func (c *callCounter) call() error { *c++; return nil }

func (c *callCounter) Continue(engine.Mode, string) error                            { return c.call() }
func (c *callCounter) Pause() error                                                  { return c.call() }
func (c *callCounter) SetBreakpoints([]engine.Breakpoint) error                      { return c.call() }
func (c *callCounter) Interrupt() error                                              { return c.call() }
func (c *callCounter) EndRun(plan.RunResult, string) error                           { return c.call() }
func (c *callCounter) Answer(machine.Answer) error                                   { return c.call() }
func (c *callCounter) OverrideCurrent(plan.Result, string, ...plan.Assignment) error { return c.call() }
func (c *callCounter) OverridePrevious(plan.Result, string, ...plan.Assignment) error {
	return c.call()
}
func (c *callCounter) Retry(string) error                              { return c.call() }
func (c *callCounter) RerunFrom(int, engine.Mode) error                { return c.call() }
func (c *callCounter) Skip(string) error                               { return c.call() }
func (c *callCounter) Jump(string, string) error                       { return c.call() }
func (c *callCounter) NextUndo() (machine.UndoStep, error)             { return machine.UndoStep{}, nil }
func (c *callCounter) NextRedo() (machine.UndoStep, error)             { return machine.UndoStep{}, nil }
func (c *callCounter) Undo() error                                     { return c.call() }
func (c *callCounter) Redo() error                                     { return c.call() }
func (c *callCounter) Rewind(int) error                                { return c.call() }
func (c *callCounter) RewindAndChange(int, machine.WhatIfChange) error { return c.call() }
func (c *callCounter) SetVariable(string, any) error                   { return c.call() }
func (c *callCounter) EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error) {
	return nil, nil
}
func (c *callCounter) EditSteps(plan.StepEdit) (*engine.ReloadOffer, error)         { return nil, nil }
func (c *callCounter) ReloadAt(*engine.ReloadOffer, int, engine.ReloadChoice) error { return c.call() }
func (c *callCounter) Reload(*engine.ReloadOffer, engine.ReloadChoice) error        { return c.call() }
func (c *callCounter) EditAction(string, int, string) error                         { return c.call() }
func (c *callCounter) OpenShell(string) (*exec.Cmd, error)                          { return nil, c.call() }
func (c *callCounter) SetApprovalPolicy(string) error                               { return c.call() }
func (c *callCounter) RestoreFiles(string) error                                    { return c.call() }
func (c *callCounter) ChooseReplySource(string) error                               { return c.call() }
func (c *callCounter) TakeOverReply(bool) error                                     { return c.call() }
func (c *callCounter) TakeControl() error                                           { return c.call() }
