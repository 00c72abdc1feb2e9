// Package shell runs the commands of a run and its tool servers. No other package does that.
//
// Each command has its own pseudo-terminal: on standard output and error, on standard input if a person
// is there, and behind /dev/tty. Playhead always reads the other end, even if nobody looks, so that a
// command never waits for a reader.
//
// Between Playhead and each command is a small process, the leader (package leader). It is Playhead itself,
// started again under another name. It gives four guarantees that are not possible without it, on Linux
// and macOS:
//
//   - A step ends when its shell exits, and background processes of the shell continue. When the leader
//     of a terminal's session exits, the system hangs up the terminal: it sends SIGHUP to the foreground
//     group (and macOS closes the terminal for all processes). The background jobs of a non-interactive
//     shell are in that group. So the session needs a leader that stays after the shell, and a process
//     can only be born into a session. Without a session, the command would have Playhead's own
//     /dev/tty.
//   - A cancelled command leaves nothing behind. The leader finds every process of its session,
//     including grandchildren and other groups, and no process number to which it sends a signal can
//     belong to another process by then. Orphans become its own children (on Linux), so none remains
//     a zombie.
//   - The exit status is that of the shell: an exit with 137 differs from a killed shell.
//   - If Playhead itself is killed, the leader notices that and ends its session.
//
// A process that starts a session of its own (setsid, daemons) leaves the command's session on purpose.
// Such processes are reported, and ended only on request (Runner.EndEscaped, EndLeftovers). Their output
// is still kept until the run ends.
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
	Shell         string        // "bash" or "sh"; if there is no bash, sh is used
	Text          string        // the whole script, passed to the shell as one argument
	Argv          []string      // instead of Text: a program and its arguments, no shell
	Dir           string        // working directory; empty: Playhead's own
	Env           []string      // NAME=value; the last value of a name counts; nil: Playhead's own
	Cols, Rows    int           // size of the pseudo-terminal; 0: 80×24
	UsesPipes     bool          // separate pipes for stdout and stderr instead of a pseudo-terminal
	Timeout       time.Duration // the time after which the command is cancelled; 0: never
	IsInteractive bool          // a person can type into it; otherwise standard input is empty
	Stdin         *os.File      // with UsesPipes: the standard input; a Process that starts closes it
	Stderr        io.Writer     // with UsesPipes: a separate writer for standard error; the Result then has no output
}

// Result is how a command ended.
type Result struct {
	ExitCode         int        // 128 + the signal's number if a signal killed it; -1 if it did not start
	Signal           string     // "KILL", "TERM" …, when a signal killed it
	Err              error      // why it did not start or why its end is unknown, for a person
	IsCancelled      bool       // it was ended by Cancel, Kill, its context or the end of the run
	HasTimedOut      bool       // it was ended by its Timeout
	BackgroundNames  []string   // the processes that it left running when its shell exited: "name (pid)"
	EscapedLeftovers []Leftover // the processes that have left its session
	Stdout           string     // with UsesPipes: the standard output, up to 1 MiB and a note about the rest
	Stderr           string
}

const (
	defaultCols, defaultRows = 80, 24
	defaultGrace             = 2 * time.Second
)

// A Runner runs the commands of one run. Processes that they leave in the background continue until the
// runner is closed.
type Runner struct {
	gracePeriod time.Duration

	// EndEscaped makes the end of a command, and of the runner, also end the processes that have left
	// its session. Set it before the first command starts.
	EndEscaped bool

	mu            sync.Mutex
	isClosed      bool
	leftovers     []Leftover
	liveProcesses map[*Process]bool // the processes whose session or output has not ended
}

// NewRunner returns a Runner. grace is the time between asking a command to end and killing it; 0 means
// 2 seconds.
func NewRunner(grace time.Duration) *Runner {
	if grace <= 0 {
		grace = defaultGrace
	}
	return &Runner{gracePeriod: grace, liveProcesses: map[*Process]bool{}}
}

// Start starts a command whose output goes to out (with UsesPipes: standard output and error). It always
// returns a Process: the Result of one that did not start has the reason. When ctx ends, the command
// is cancelled; what it leaves in the background is not.
func (r *Runner) Start(ctx context.Context, c Command, out io.Writer) *Process {
	p := &Process{done: make(chan struct{}), drained: make(chan struct{}), closing: make(chan struct{})}
	err := r.start(ctx, p, c, out)
	if err != nil {
		p.setResult(Result{ExitCode: -1, Err: err, IsCancelled: ctx.Err() != nil})
		close(p.drained)
	}
	return p
}

func (r *Runner) start(ctx context.Context, p *Process, c Command, out io.Writer) error {
	if ctx.Err() != nil {
		return errors.New("the command was cancelled before it started")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isClosed {
		return errors.New("the run is over")
	}
	j, err := newJob(c)
	if err != nil {
		return err
	}
	j.GracePeriod, j.EndEscaped = r.gracePeriod, r.EndEscaped
	if err := p.startJob(j, c, out); err != nil {
		return err
	}
	r.liveProcesses[p] = true
	p.endWithContextOrTimeout(ctx, c.Timeout)
	go p.followReports(func() { r.removeProcess(p) })
	return nil
}

func (r *Runner) removeProcess(p *Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.liveProcesses, p)
}

// Close ends every command that is still running and everything that commands left in the background.
// It returns the names of what it had to end, as "name (pid)". All output has been written then.
func (r *Runner) Close() []string {
	r.mu.Lock()
	r.isClosed = true
	var live []*Process
	for p := range r.liveProcesses {
		live = append(live, p)
	}
	r.mu.Unlock()
	for _, p := range live {
		p.endSession(r.gracePeriod)
	}
	var ended []string
	for _, p := range live {
		<-p.drained
		ended = append(ended, p.endedNames...)
		r.mu.Lock()
		r.leftovers = append(r.leftovers, p.escapedLeftovers...)
		r.mu.Unlock()
	}
	return ended
}

// Leftovers returns the processes that Close left running, because they had left the sessions of their commands.
func (r *Runner) Leftovers() []Leftover {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.leftovers)
}
