// Package shell runs the commands of a run and the servers of its tools, and is the only one that
// does.
//
// A command sees a terminal of its own: a pseudo-terminal on standard output and error, on
// standard input too when a person is there, and behind /dev/tty. Playhead reads the other end
// all the time, whether or not anyone looks, so that a command never waits for a reader.
//
// Between Playhead and each command stands a small process, the leader (leader.go): Playhead
// itself, started again under another name. It exists for four promises that could not be kept
// otherwise, on Linux and on macOS:
//
//   - A step ends when its shell exits, and what the shell left in the background goes on. When
//     the first process of a terminal's session exits, the system hangs the terminal up: it sends
//     SIGHUP to the foreground group (and macOS closes the terminal to everybody). The background
//     jobs of a shell that is not interactive are in that very group. So the shell must not lead
//     the session, somebody who stays must, and a process gets into a session by birth only. Doing
//     without a session would give the command Playhead's own /dev/tty.
//   - Cancelling leaves nothing behind. The leader finds every process of its session, grandchildren
//     and other groups included, and can be sure that no number it sends a signal to has gone to
//     a stranger meanwhile. Its orphans become its own children (on Linux), so none stays a zombie.
//   - The exit status is the shell's own: 137 and "killed" are told apart.
//   - If Playhead itself is killed, the leader notices and ends its session.
//
// What makes a session of its own (setsid, daemons) has left ours on purpose: it is named, and
// ended only by who asks for that (Runner.EndEscaped, EndLeftovers). Its output is still kept
// until the run ends.
package shell

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// Command is what to run, where and how.
type Command struct {
	Shell       string        // "bash" or "sh"; bash falls back to sh where there is none
	Text        string        // the whole block: one argument of one shell
	Argv        []string      // instead of Text: a program and its arguments, no shell
	Dir         string        // working directory; empty: Playhead's own
	Env         []string      // NAME=value, the last of a name counts; nil: Playhead's own
	Cols, Rows  int           // size of the pseudo-terminal; 0: 80×24
	Pipes       bool          // stdout and stderr apart, and no pseudo-terminal
	Timeout     time.Duration // after which it is cancelled; 0: never
	Interactive bool          // somebody can type into it; otherwise standard input is empty
	Stdin       *os.File      // with Pipes: what standard input reads; a Process that starts takes it over
	Stderr      io.Writer     // with Pipes: where standard error goes by itself; the Result then has neither
}

// Result is how a command ended.
type Result struct {
	ExitCode   int        // 128 + the signal's number when one killed it; -1 when it did not start
	Signal     string     // "KILL", "TERM" …, when a signal killed it
	Err        error      // why it did not start or its end is unknown, in words for a person
	Cancelled  bool       // it was ended by Cancel, Kill, its context or the end of the run
	TimedOut   bool       // it was ended by its Timeout
	Background []string   // what it left running when its shell exited: "name (pid)"
	Escaped    []Leftover // and what of that has left its session
	Stdout     string     // with Pipes: what came there, up to 1 MiB and a note about the rest
	Stderr     string
}

const (
	defaultCols, defaultRows = 80, 24
	defaultGrace             = 2 * time.Second
)

// A Runner runs the commands of one run, and keeps what they leave in the background going until
// it is closed.
type Runner struct {
	grace time.Duration

	// EndEscaped makes the end of a command, and of the runner, also end the processes that have left
	// its session. Set it before the first command starts.
	EndEscaped bool

	mu        sync.Mutex
	closed    bool
	leftovers []Leftover
	live      map[*Process]bool // whose session or output has not ended
}

// NewRunner returns a Runner. Between being asked to end and being killed, a command has grace;
// 0 means 2 seconds.
func NewRunner(grace time.Duration) *Runner {
	if grace <= 0 {
		grace = defaultGrace
	}
	return &Runner{grace: grace, live: map[*Process]bool{}}
}

// Start starts a command whose output goes to out (with Pipes: standard output and error). It always
// returns a Process: the Result of one that did not start has the reason. When ctx ends, the command
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
	j.Grace, j.EndEscaped = r.grace, r.EndEscaped
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

// Close ends every command that is still running and everything that commands left in the background.
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
		p.endSession(r.grace)
	}
	var ended []string
	for _, p := range live {
		<-p.drained
		ended = append(ended, p.ended...)
		r.mu.Lock()
		r.leftovers = append(r.leftovers, p.escaped...)
		r.mu.Unlock()
	}
	return ended
}

// Leftovers returns what was let go when the runner was closed, since it had left its session.
func (r *Runner) Leftovers() []Leftover {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.leftovers)
}
