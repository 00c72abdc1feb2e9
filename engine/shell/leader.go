package shell

import (
	"encoding/gob"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// init turns a Playhead that was started as a leader into one. It is no function for main to call
// because nobody may forget it: every program that runs commands, tests included, is started
// again as its own leader.
func init() {
	if len(os.Args) > 0 && os.Args[0] == leaderName {
		syscall.Exit(runLeader()) // at once: there is nothing to clean up
	}
}

// A leader leads the session that one command runs in.
type leader struct {
	job             job
	shell           int // the command's process and group
	orders          chan order
	reports         *gob.Encoder
	exits           chan syscall.WaitStatus // of the shell
	lastChildExited chan struct{}           // closed when the leader has no children left
	exited          bool
}

// runLeader runs the leader to its end and returns its exit status.
func runLeader() int {
	surviveSignals()
	adoptOrphans()
	unix.CloseOnExec(ordersFile)
	unix.CloseOnExec(reportsFile)
	l := leader{
		orders:          make(chan order),
		reports:         gob.NewEncoder(os.NewFile(reportsFile, "reports")),
		exits:           make(chan syscall.WaitStatus),
		lastChildExited: make(chan struct{}),
	}
	orders := gob.NewDecoder(os.NewFile(ordersFile, "orders"))
	if orders.Decode(&l.job) != nil {
		return 1
	}
	if err := l.startCommand(); err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		l.report(report{StartError: err.Error(), Errno: int(errno)})
		return 1
	}
	go l.listen(orders)
	go l.reap()
	l.serve()
	return 0
}

// surviveSignals keeps the leader alive when its terminal hangs up or its session is signalled.
// The signals are taken, not ignored: what is ignored stays so in the commands.
func surviveSignals() {
	signal.Notify(make(chan os.Signal, 1), unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM,
		unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGPIPE)
}

// startCommand starts the command, in a group of its own. The group is the terminal's foreground from
// its first moment, so that no key that is typed can miss it. The command pays for that with an
// ignored SIGTTOU: its background jobs are not stopped when they set the terminal up.
func (l *leader) startCommand() error {
	stdin := os.Stdin
	if !l.job.Typing {
		empty, err := os.Open(os.DevNull)
		if err != nil {
			return err
		}
		defer empty.Close()
		stdin = empty
	}
	own := &syscall.SysProcAttr{Setpgid: true}
	if l.job.Terminal {
		own.Foreground, own.Ctty = true, int(os.Stdout.Fd())
		signal.Ignore(unix.SIGTTOU) // it is sent to who takes the foreground from behind
	}
	p, err := os.StartProcess(l.job.Path, l.job.Argv, &os.ProcAttr{
		Dir:   l.job.Dir,
		Env:   l.job.Env,
		Files: []*os.File{stdin, os.Stdout, os.Stderr},
		Sys:   own,
	})
	if err != nil {
		return err
	}
	l.shell = p.Pid
	return nil
}

// listen hands the orders on until Playhead gives no more, or is no more.
func (l *leader) listen(orders *gob.Decoder) {
	defer close(l.orders)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return
		}
		l.orders <- o
	}
}

// reap takes note of the children that exit: the shell, and orphans of the session.
func (l *leader) reap() {
	defer close(l.lastChildExited)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return
		case pid == l.shell:
			l.exits <- status
		}
	}
}

// serve follows orders and reports, until nothing is left or nobody wants the session any more.
func (l *leader) serve() {
	childless := l.lastChildExited
	for {
		select {
		case status := <-l.exits:
			l.reportExit(status)
		case <-childless:
			if len(l.members()) == 0 {
				return
			}
			childless = nil // on macOS orphans are not children
		case o, more := <-l.orders:
			if more {
				more = l.execute(o)
			}
			if !more {
				l.orders = nil
				l.finish()
				return
			}
		}
	}
}

// execute carries out an order, and returns false when there will be no more of them.
func (l *leader) execute(o order) bool {
	if o == cancel {
		l.end(unix.SIGINT, unix.SIGTERM)
	} else {
		l.end()
	}
	return l.orders != nil
}

// finish ends the session and reports what it was that had to be ended.
func (l *leader) finish() {
	ended := l.end(unix.SIGTERM)
	if !l.exited {
		select {
		case status := <-l.exits:
			l.reportExit(status)
		case <-time.After(killPatience):
		}
	}
	l.report(report{Ended: ended, Escaped: l.escaped()})
}

func (l *leader) reportExit(status syscall.WaitStatus) {
	l.exited = true
	r := report{Exited: true, Code: status.ExitStatus(), StillRunning: names(inSession(os.Getpid())), Escaped: l.escaped()}
	if status.Signaled() {
		r.Signal = int(status.Signal())
	}
	l.report(r)
}

// report sends a report. An error is ignored: Playhead is gone then, and the orders end.
func (l *leader) report(r report) { _ = l.reports.Encode(r) }

// leaderName is what a leader is called, in os.Args and in the list of processes.
const leaderName = "playhead-session"

// The files of a leader beyond the standard ones. Playhead sends a job, then orders. When the
// orders end, the leader ends its session. It answers with reports.
const (
	ordersFile  = 3
	reportsFile = 4
)

// A job is the command that a leader is to start.
type job struct {
	Path     string
	Argv     []string
	Dir      string
	Env      []string
	Terminal bool // standard output is the terminal of the session
	Typing   bool // standard input is the leader's; otherwise it is empty
	Grace    time.Duration

	EndEscaped bool // end processes that left the session, too
}

// An order is what a leader is to do about its session.
type order int

const (
	cancel order = iota + 1 // ask to end, then kill
	kill
)

// A report says one thing that has happened.
type report struct {
	StartError   string   // why the system did not start the command
	Errno        int      // and the number of that
	Ended        []string // what had to be ended when the orders had
	Exited       bool     // the shell has
	Code         int
	Signal       int
	StillRunning []string   // what is still running in the session
	Escaped      []Leftover // and elsewhere
}

const (
	killPatience = 2 * time.Second       // for what does not even go when killed: it waits for a device
	pollInterval = 10 * time.Millisecond // between two looks whether a session is empty
)

// end empties the session, or all that comes from it: it asks with the polite signals, sharing the grace between them, then
// kills. It returns the names of what it found. Another order meanwhile ends the politeness.
func (l *leader) end(polite ...syscall.Signal) []string {
	found := names(l.members())
	for _, s := range polite {
		send(s, l.members())
		if hurry := l.await(l.job.Grace / time.Duration(len(polite))); hurry {
			break
		}
	}
	killAll(l.members)
	return found
}

// killAll kills all members, over and over while they multiply.
func killAll(members func() []member) {
	for deadline := time.Now().Add(killPatience); time.Now().Before(deadline); {
		rest := members()
		if len(rest) == 0 {
			return
		}
		send(unix.SIGKILL, rest)
		time.Sleep(pollInterval)
	}
}

// await waits for so long, or until the session is empty. Another order makes it hurry.
func (l *leader) await(within time.Duration) (hurry bool) {
	patience := time.After(within)
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	for len(l.members()) > 0 {
		select {
		case <-look.C:
		case <-patience:
			return false
		case _, more := <-l.orders:
			if !more {
				l.orders = nil
			}
			return true
		}
	}
	return false
}

// send signals the groups that the members are in; one that shares the leader's group alone.
func send(s syscall.Signal, members []member) {
	own := os.Getpid()
	done := map[int]bool{}
	for _, m := range members {
		to := -m.group
		if m.group == own {
			to = m.pid
		}
		if done[to] {
			continue
		}
		done[to] = true
		unix.Kill(to, s)
		if s != unix.SIGKILL {
			unix.Kill(to, unix.SIGCONT) // what is stopped hears nothing
		}
	}
}
