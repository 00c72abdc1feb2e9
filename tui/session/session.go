// Package session is what the screen knows of the session that it shows: of an engine, or of a
// recording that plays. It brings what happens there to the program, and calls to it in their order.
package session

import (
	"context"
	"os/exec"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
	"playhead/tui/search"
)

// Session is what the screen needs of an engine.Session.
type Session interface {
	Run(context.Context) (engine.Ending, error)
	Close()
	Watch() Watcher
	Log(file string) Log

	Go(engine.Mode, string) error
	Pause() error
	Break([]engine.Breakpoint) error
	Saved() (*engine.Offer, error)
	Reload(*engine.Offer, engine.ReloadChoice) error
	Amend(rewrite.ClauseRef, string) (*engine.Offer, error)
	EditSteps(plan.StepEdit) (*engine.Offer, error)
	Forecast(o *engine.Offer, decision int) (*engine.Forecast, error)
	ReloadAt(o *engine.Offer, decision int, c engine.ReloadChoice) error
	Set(name string, value any) error
	Edit(step string, action int, text string) error
	Rewind(seq int) error
	Repeat(seq int, mode engine.Mode) error
	PreviewDecision(seq int) engine.DecisionPreview
	ReplyWarnings(reply string) []string
	Instead(seq int, c machine.Change) error
	NextUndo() (machine.Event, error)
	NextRedo() (machine.Event, error)
	Undo() error
	Redo() error
	Answer(machine.Answer) error
	OpenShell(step string) (*exec.Cmd, error)
	Approve(policy string) error
	ChangedFiles() []engine.FileDiff
	Restore(path string) error
	Retry(reason string) error
	Skip(reason string) error
	OverrideCurrent(result plan.Result, reason string, instead ...plan.Assignment) error
	Override(result plan.Result, reason string, instead ...plan.Assignment) error
	Jump(target, reason string) error
	Cancel() error
	End(result plan.RunResult, message string) error
	Choose(source string) error
	TakeOver(yes bool) error
	TakeControl() error
	Type([]byte) error
	Resize(cols, rows int)
}

// Watcher sees everything that happens in a session.
type Watcher interface {
	Changed() <-chan struct{}
	Take() engine.Update
}

// Log is what a command printed.
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
	Text(most int) string // without controls; a long one without its middle
	Watch() <-chan struct{}
	Unwatch(<-chan struct{})
	search.Lines
}

// Live returns an engine's session as the screen sees it.
func Live(s *engine.Session) Session { return live{s} }

type live struct{ *engine.Session }

func (l live) Watch() Watcher { return l.Session.Watch() }

func (l live) Log(file string) Log {
	if log := l.Session.Log(file); log != nil {
		return log
	}
	return nil
}
