package tui

import (
	"context"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/search"
)

// session is what the screen needs of an engine.Session.
type session interface {
	Run(context.Context) (engine.Ending, error)
	Close()
	Watch() watcher
	Log(file string) logStore

	Go(engine.Mode, string) error
	Pause() error
	Break([]engine.Breakpoint) error
	Set(name string, value any) error
	Edit(step string, action int, text string) error
	Rewind(seq int) error
	Repeat(seq int, mode engine.Mode) error
	Suppose(seq int) engine.Supposed
	Doubts(reply string) []string
	Instead(seq int, c machine.Change) error
	NextUndo() (machine.Event, error)
	NextRedo() (machine.Event, error)
	Undo() error
	Redo() error
	Answer(machine.Answer) error
	Approve(policy string) error
	Retry(reason string) error
	Skip(reason string) error
	Force(result plan.Result, reason string, instead ...plan.Assignment) error
	Override(result plan.Result, reason string, instead ...plan.Assignment) error
	Jump(target, reason string) error
	Cancel() error
	End(result plan.RunResult, message string) error
	Choose(source string) error
	TakeOver(yes bool) error
	Type([]byte) error
	Resize(cols, rows int)
}

// watcher sees everything that happens in a session.
type watcher interface {
	Changed() <-chan struct{}
	Take() engine.Update
}

// logStore is what a command printed.
type logStore interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
	Text(most int) string // without controls; a long one without its middle
	Watch() <-chan struct{}
	Unwatch(<-chan struct{})
	search.Lines
}

// real is an engine.Session as the screen sees it.
type real struct{ *engine.Session }

func (r real) Watch() watcher { return r.Session.Watch() }

func (r real) Log(file string) logStore {
	if l := r.Session.Log(file); l != nil {
		return l
	}
	return nil
}
