package session

import (
	"os/exec"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
)

// inert refuses what would change a run, with an error.
type inert struct{ err error }

func (i inert) Set(string, any) error                                         { return i.err }
func (i inert) OpenShell(string) (*exec.Cmd, error)                           { return nil, i.err }
func (i inert) Edit(string, int, string) error                                { return i.err }
func (i inert) Repeat(int, engine.Mode) error                                 { return i.err }
func (i inert) Instead(int, machine.Change) error                             { return i.err }
func (i inert) Answer(machine.Answer) error                                   { return i.err }
func (i inert) Approve(string) error                                          { return i.err }
func (i inert) Retry(string) error                                            { return i.err }
func (i inert) Skip(string) error                                             { return i.err }
func (i inert) OverrideCurrent(plan.Result, string, ...plan.Assignment) error { return i.err }
func (i inert) Override(plan.Result, string, ...plan.Assignment) error        { return i.err }
func (i inert) End(plan.RunResult, string) error                              { return i.err }
func (i inert) Choose(string) error                                           { return i.err }
func (i inert) TakeOver(bool) error                                           { return i.err }
func (i inert) Restore(string) error                                          { return i.err }
func (i inert) ChangedFiles() []engine.FileDiff                               { return nil }

func (i inert) Saved() (*engine.Offer, error)                          { return nil, i.err }
func (i inert) Reload(*engine.Offer, engine.ReloadChoice) error        { return i.err }
func (i inert) ReloadAt(*engine.Offer, int, engine.ReloadChoice) error { return i.err }
func (i inert) Amend(rewrite.ClauseRef, string) (*engine.Offer, error) { return nil, i.err }
func (i inert) EditSteps(plan.StepEdit) (*engine.Offer, error)         { return nil, i.err }
func (i inert) Forecast(*engine.Offer, int) (*engine.Forecast, error)  { return nil, i.err }
