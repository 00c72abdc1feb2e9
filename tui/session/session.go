// Package session connects the screen with the session that it shows: that of an engine, a run of another
// process, or a recording. It sends the updates of the session to the program, and makes calls to the
// session in order.
package session

import (
	"context"
	"errors"
	"os/exec"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/replay"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
	"playhead/tui/search"
)

// Session is the part of engine.Session that the screen uses.
type Session interface {
	Run(context.Context) (engine.Ending, error)
	Close()
	Watch() Watcher
	Log(file string) Log

	Continue(engine.Mode, string) error
	Pause() error
	SetBreakpoints([]engine.Breakpoint) error
	OfferSaved() (*engine.ReloadOffer, error)
	Reload(*engine.ReloadOffer, engine.ReloadChoice) error
	EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error)
	EditSteps(plan.StepEdit) (*engine.ReloadOffer, error)
	Forecast(o *engine.ReloadOffer, decision int) (*engine.Forecast, error)
	ReloadAt(o *engine.ReloadOffer, decision int, c engine.ReloadChoice) error
	SetVariable(name string, value any) error
	EditAction(step string, action int, text string) error
	Rewind(seq int) error
	RerunFrom(seq int, mode engine.Mode) error
	DecisionPreviewAt(seq int) engine.DecisionPreview
	ReplyWarnings(reply string) []string
	RewindAndChange(seq int, c machine.WhatIfChange) error
	NextUndo() (machine.Event, error)
	NextRedo() (machine.Event, error)
	Undo() error
	Redo() error
	Answer(machine.Answer) error
	OpenShell(step string) (*exec.Cmd, error)
	SetApprovalPolicy(policy string) error
	ChangedFiles() []engine.FileDiff
	RestoreFiles(path string) error
	Retry(note string) error
	Skip(note string) error
	OverrideCurrent(result plan.Result, note string, instead ...plan.Assignment) error
	OverridePrevious(result plan.Result, note string, instead ...plan.Assignment) error
	Jump(target, note string) error
	Interrupt() error
	EndRun(result plan.RunResult, message string) error
	ChooseReplySource(source string) error
	TakeOverReply(yes bool) error
	TakeControl() error
	TypeIntoCommand([]byte) error
	Resize(cols, rows int)
}

// Watcher receives everything that happens in a session.
type Watcher interface {
	Changed() <-chan struct{}
	Take() engine.Update
}

// Log is the log of an action.
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
	ShortenedText(most int) string // without control characters; a long text lacks its middle
	Watch() <-chan struct{}
	Unwatch(<-chan struct{})
	search.Lines
}

// FromEngine returns an engine's session as a Session.
func FromEngine(s *engine.Session) Session { return engineSession{s} }

type engineSession struct{ *engine.Session }

func (e engineSession) Watch() Watcher { return e.Session.Watch() }

func (e engineSession) Log(file string) Log {
	if log := e.Session.Log(file); log != nil {
		return log
	}
	return nil
}

// FromRemote returns a run of another process as a Session. That process carries out the actions of
// engine/control (control.RemoteSession).
func FromRemote(r *remote.Session) Session {
	return remoteSession{refuser{errors.New("an attached screen cannot do this: do it where the run was started")}, r}
}

type remoteSession struct {
	refuser
	*remote.Session
}

func (r remoteSession) Watch() Watcher { return r.Session.Watch() }

func (r remoteSession) Log(file string) Log {
	if log := r.Session.Log(file); log != nil {
		return log
	}
	return nil
}

// FromPlayer returns a recording as a Session. Calls that would change the run return replay.ErrReplay. Undo, Redo and
// Jump move the playback.
func FromPlayer(p *replay.Player) Session { return replaySession{refuser{replay.ErrReplay}, p} }

type replaySession struct {
	refuser
	*replay.Player
}

func (r replaySession) Watch() Watcher { return r.Player.Watch() }

func (r replaySession) Log(file string) Log {
	if log := r.Player.Log(file); log != nil {
		return log
	}
	return nil
}

func (replaySession) SetBreakpoints([]engine.Breakpoint) error { return nil }
func (replaySession) Interrupt() error                         { return nil }
func (r replaySession) EndRun(plan.RunResult, string) error    { return replay.ErrReplay }
func (replaySession) DecisionPreviewAt(int) engine.DecisionPreview {
	return func(machine.WhatIfChange) ([]machine.Event, error) { return nil, replay.ErrReplay }
}
func (replaySession) ReplyWarnings(string) []string    { return nil }
func (replaySession) NextUndo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (replaySession) NextRedo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (replaySession) TakeControl() error               { return replay.ErrReplay }
func (replaySession) TypeIntoCommand([]byte) error     { return replay.ErrReplay }
func (replaySession) Resize(int, int)                  {}

// refuser refuses with an error everything that would change a run.
type refuser struct{ err error }

func (r refuser) SetVariable(string, any) error                                  { return r.err }
func (r refuser) OpenShell(string) (*exec.Cmd, error)                            { return nil, r.err }
func (r refuser) EditAction(string, int, string) error                           { return r.err }
func (r refuser) RerunFrom(int, engine.Mode) error                               { return r.err }
func (r refuser) RewindAndChange(int, machine.WhatIfChange) error                { return r.err }
func (r refuser) Answer(machine.Answer) error                                    { return r.err }
func (r refuser) SetApprovalPolicy(string) error                                 { return r.err }
func (r refuser) Retry(string) error                                             { return r.err }
func (r refuser) Skip(string) error                                              { return r.err }
func (r refuser) OverrideCurrent(plan.Result, string, ...plan.Assignment) error  { return r.err }
func (r refuser) OverridePrevious(plan.Result, string, ...plan.Assignment) error { return r.err }
func (r refuser) EndRun(plan.RunResult, string) error                            { return r.err }
func (r refuser) ChooseReplySource(string) error                                 { return r.err }
func (r refuser) TakeOverReply(bool) error                                       { return r.err }
func (r refuser) RestoreFiles(string) error                                      { return r.err }
func (r refuser) ChangedFiles() []engine.FileDiff                                { return nil }

func (r refuser) OfferSaved() (*engine.ReloadOffer, error)                     { return nil, r.err }
func (r refuser) Reload(*engine.ReloadOffer, engine.ReloadChoice) error        { return r.err }
func (r refuser) ReloadAt(*engine.ReloadOffer, int, engine.ReloadChoice) error { return r.err }
func (r refuser) EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error) {
	return nil, r.err
}
func (r refuser) EditSteps(plan.StepEdit) (*engine.ReloadOffer, error)        { return nil, r.err }
func (r refuser) Forecast(*engine.ReloadOffer, int) (*engine.Forecast, error) { return nil, r.err }
