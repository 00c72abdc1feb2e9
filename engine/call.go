package engine

import (
	"context"
	"errors"
	"slices"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// call is a job without a process.
type call struct {
	*record
	done     chan struct{}
	cancel   context.CancelFunc
	product  plan.Product
	by       string
	replied  *machine.Replied
	notes    []plan.Note
	runNotes []string // a run says each once
}

func (c *call) Done() <-chan struct{} { return c.done }
func (c *call) Cancel()               { c.cancel() }
func (c *call) Kill()                 { c.cancel() }
func (c *call) Resize(int, int) error { return nil }

// Write implements job: nobody can type into a call.
func (c *call) Write([]byte) (int, error) {
	return 0, errors.New("this is no command: nothing can be typed into it")
}

// call starts work in a goroutine of its own.
func (s *Session) call(work func(context.Context, *call)) (*call, error) {
	r, err := s.newRecord()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &call{record: r, done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(c.done)
		defer cancel()
		work(ctx, c)
		r.close()
	}()
	return c, nil
}

// noteOfModel is the code of what a model's source says of a call.
const noteOfModel = "playhead/model"

// remark keeps what is to be said of the call.
func (c *call) remark(code string, texts []string) {
	for _, text := range texts {
		c.notes = append(c.notes, plan.Note{Code: code, Message: text})
	}
}

// finish records what came of the call.
func (c *call) finish(s *Session) error {
	e := s.m.Event(c.product)
	body := e.Body.(*machine.ActionFinished)
	e.By, body.Replied = c.by, c.replied
	body.Notes = append(body.Notes, c.notes...)
	for _, text := range c.runNotes {
		if n := (plan.Note{Code: noteOfModel, Message: text}); !s.hasWarned(n) {
			body.Notes = append(body.Notes, n)
		}
	}
	return s.conclude(c.record, e)
}

// hasWarned reports whether the run has a note as a warning already.
func (s *Session) hasWarned(n plan.Note) bool {
	return slices.ContainsFunc(machine.Chain(s.past), func(e machine.Event) bool {
		w, ok := e.Body.(*machine.Warned)
		return ok && w.Code == n.Code && w.Message == n.Message
	})
}
