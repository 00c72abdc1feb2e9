package shell

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

// A Runner runs the commands of one run, and keeps what they leave in the background going until
// it is closed.
type Runner struct {
	grace time.Duration

	// Everything has the end of a command, and that of the runner, be the end of what has left
	// its session, too. It is set before the first command starts.
	Everything bool

	mu     sync.Mutex
	closed bool
	left   []Leftover
	live   map[*Process]bool // whose session or output has not ended
}

// NewRunner returns a Runner. Between being asked to end and being killed, a command has grace;
// 0 means 2 seconds.
func NewRunner(grace time.Duration) *Runner {
	if grace <= 0 {
		grace = defaultGrace
	}
	return &Runner{grace: grace, live: map[*Process]bool{}}
}

// Start starts a command whose output goes to out, with pipes both of its outputs. There always
// is a Process: the Result of one that did not start has the reason. When ctx ends, the command
// is cancelled; what it leaves in the background is not.
func (r *Runner) Start(ctx context.Context, c Command, out io.Writer) *Process {
	p := &Process{done: make(chan struct{}), drained: make(chan struct{}), closing: make(chan struct{})}
	err := r.start(ctx, p, c, out)
	if err != nil {
		p.finish(Result{ExitCode: -1, Err: err, Cancelled: ctx.Err() != nil})
		close(p.drained)
	}
	return p
}

func (r *Runner) start(ctx context.Context, p *Process, c Command, out io.Writer) error {
	if ctx.Err() != nil {
		return errors.New("it was cancelled before it began")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errors.New("the run is over")
	}
	j, err := resolve(c)
	if err != nil {
		return err
	}
	j.Grace, j.Everything = r.grace, r.Everything
	if err := p.launch(j, c, out); err != nil {
		return err
	}
	r.live[p] = true
	p.limit(ctx, c.Timeout)
	go p.followReports(func() { r.forget(p) })
	return nil
}

func (r *Runner) forget(p *Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, p)
}

// Close ends every command that still runs and everything that commands left in the background.
// It returns the names of what it had to end, as "name (pid)". All output has been written then.
func (r *Runner) Close() []string {
	r.mu.Lock()
	r.closed = true
	var live []*Process
	for p := range r.live {
		live = append(live, p)
	}
	r.mu.Unlock()
	for _, p := range live {
		p.close(r.grace)
	}
	var ended []string
	for _, p := range live {
		<-p.drained
		ended = append(ended, p.ended...)
		r.mu.Lock()
		r.left = append(r.left, p.escaped...)
		r.mu.Unlock()
	}
	return ended
}

// Left returns what was let go when the runner was closed, since it had left its session.
func (r *Runner) Left() []Leftover {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.left)
}
