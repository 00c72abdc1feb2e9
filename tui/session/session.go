// Package session connects the screen with the session that it shows: that of an engine, a run of another
// process, or a recording. It sends the updates of the session to the program, and makes calls to the
// session in order.
package session

import (
	"context"
	"errors"
	"os/exec"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/replay"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
	"playhead/tui/search"
)

// Session is the part of engine.Session that the screen uses: that of the actions, and what only screens and
// lines need.
type Session interface {
	Run(context.Context) (engine.Ending, error)
	Close()
	WatchFromStart() Watcher
	Log(file string) Log

	OfferSaved() (*engine.ReloadOffer, error)
	Forecast(o *engine.ReloadOffer, decision int) (*engine.ReloadForecast, error)
	DecisionPreviewAt(seq int) engine.DecisionPreview
	ReplyWarnings(reply string) []string
	FileDiffs() []engine.FileDiff
	TypeIntoCommand([]byte) error
	Resize(cols, rows int)
	control.Session
}

// Watcher receives the updates of a session.
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

// asLog returns a log as a Log, nil if there is none.
func asLog(log *logs.Log) Log {
	if log == nil {
		return nil
	}
	return log
}

// FromEngine returns an engine's session as a Session.
func FromEngine(s *engine.Session) Session { return engineSession{s} }

type engineSession struct{ *engine.Session }

func (e engineSession) WatchFromStart() Watcher { return e.Session.WatchFromStart() }

func (e engineSession) Log(file string) Log { return asLog(e.Session.Log(file)) }

// FromRemote returns a run of another process as a Session. That process carries out the actions of
// engine/control (control.RemoteSession).
func FromRemote(r *remote.Session) Session {
	return remoteSession{refuser{errors.New("an attached screen cannot do this: do it where the run was started")}, r}
}

type remoteSession struct {
	refuser
	*remote.Session
}

func (r remoteSession) WatchFromStart() Watcher { return r.Session.WatchFromStart() }

func (r remoteSession) Log(file string) Log { return asLog(r.Session.Log(file)) }

// FromPlayer returns a recording as a Session. Calls that would change the run return replay.ErrReadOnly. Undo, Redo and
// Jump move the playback.
func FromPlayer(p *replay.Player) Session { return replaySession{refuser{replay.ErrReadOnly}, p} }

type replaySession struct {
	refuser
	*replay.Player
}

func (r replaySession) WatchFromStart() Watcher { return r.Player.WatchFromStart() }

func (r replaySession) Log(file string) Log { return asLog(r.Player.Log(file)) }

func (replaySession) SetBreakpoints([]engine.Breakpoint) error { return nil }
func (replaySession) Interrupt() error                         { return nil }
func (replaySession) DecisionPreviewAt(int) engine.DecisionPreview {
	return func(machine.WhatIfChange) ([]machine.Event, error) { return nil, replay.ErrReadOnly }
}
func (replaySession) ReplyWarnings(string) []string { return nil }
func (replaySession) NextUndo() (machine.UndoStep, error) {
	return machine.UndoStep{}, replay.ErrReadOnly
}
func (replaySession) NextRedo() (machine.UndoStep, error) {
	return machine.UndoStep{}, replay.ErrReadOnly
}
func (replaySession) TakeControl() error           { return replay.ErrReadOnly }
func (replaySession) TypeIntoCommand([]byte) error { return replay.ErrReadOnly }
func (replaySession) Resize(int, int)              {}

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
func (r refuser) FileDiffs() []engine.FileDiff                                   { return nil }

func (r refuser) OfferSaved() (*engine.ReloadOffer, error)                     { return nil, r.err }
func (r refuser) Reload(*engine.ReloadOffer, engine.ReloadChoice) error        { return r.err }
func (r refuser) ReloadAt(*engine.ReloadOffer, int, engine.ReloadChoice) error { return r.err }
func (r refuser) EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error) {
	return nil, r.err
}
func (r refuser) EditSteps(plan.StepEdit) (*engine.ReloadOffer, error) { return nil, r.err }
func (r refuser) Forecast(*engine.ReloadOffer, int) (*engine.ReloadForecast, error) {
	return nil, r.err
}
