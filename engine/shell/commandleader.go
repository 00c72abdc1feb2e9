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

// init runs the leader if this process was started as one. It is an init function because every program
// that runs commands, including tests, is started again as its own leader, so main cannot forget it.
func init() {
	if len(os.Args) > 0 && os.Args[0] == leaderName {
		syscall.Exit(runLeader()) // exits immediately, because there is nothing to clean up
	}
}

// A leader is the leader of the session in which one command runs.
type leader struct {
	job             job
	shellPID        int // the command's process and group
	orders          chan order
	reports         *gob.Encoder
	shellExits      chan syscall.WaitStatus // of the shell
	lastChildExited chan struct{}           // closed when the leader has no children left
	isShellExited   bool
}

// runLeader runs the leader to its end and returns its exit status.
func runLeader() int {
	surviveSignals()
	adoptOrphans()
	unix.CloseOnExec(ordersFD)
	unix.CloseOnExec(reportsFD)
	l := leader{
		orders:          make(chan order),
		reports:         gob.NewEncoder(os.NewFile(reportsFD, "reports")),
		shellExits:      make(chan syscall.WaitStatus),
		lastChildExited: make(chan struct{}),
	}
	orders := gob.NewDecoder(os.NewFile(ordersFD, "orders"))
	if orders.Decode(&l.job) != nil {
		return 1
	}
	if err := l.startCommand(); err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		l.sendReport(report{StartError: err.Error(), Errno: int(errno)})
		return 1
	}
	go l.readOrders(orders)
	go l.reapChildren()
	l.serveSession()
	return 0
}

// surviveSignals keeps the leader alive when its terminal hangs up or its session gets a signal. The
// signals are caught and not ignored, because commands would inherit that they are ignored.
func surviveSignals() {
	signal.Notify(make(chan os.Signal, 1), unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM,
		unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGPIPE)
}

// startCommand starts the command in a process group of its own. The group is in the foreground of the
// terminal from the beginning, so that it gets every key. This requires that the command ignores
// SIGTTOU: its background jobs are not stopped when they change the terminal's settings.
func (l *leader) startCommand() error {
	stdin := os.Stdin
	if !l.job.AcceptsInput {
		empty, err := os.Open(os.DevNull)
		if err != nil {
			return err
		}
		defer empty.Close()
		stdin = empty
	}
	own := &syscall.SysProcAttr{Setpgid: true}
	if l.job.HasTerminal {
		own.Foreground, own.Ctty = true, int(os.Stdout.Fd())
		signal.Ignore(unix.SIGTTOU) // it is sent to a background process that takes the foreground
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
	l.shellPID = p.Pid
	return nil
}

// readOrders passes orders on until Playhead closes the pipe or has ended.
func (l *leader) readOrders(orders *gob.Decoder) {
	defer close(l.orders)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return
		}
		l.orders <- o
	}
}

// reapChildren waits for the children that exit: the shell, and orphans of the session.
func (l *leader) reapChildren() {
	defer close(l.lastChildExited)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return
		case pid == l.shellPID:
			l.shellExits <- status
		}
	}
}

// serveSession carries out orders and reports the exit of the shell, until no process is left or the orders
// end.
func (l *leader) serveSession() {
	childless := l.lastChildExited
	for {
		select {
		case status := <-l.shellExits:
			l.reportExit(status)
		case <-childless:
			if len(l.membersToEnd()) == 0 {
				return
			}
			childless = nil // on macOS, orphans are not children of the leader
		case o, more := <-l.orders:
			if more {
				more = l.executeOrder(o)
			}
			if !more {
				l.orders = nil
				l.endSession()
				return
			}
		}
	}
}

// executeOrder carries out an order. It returns false if the orders ended meanwhile.
func (l *leader) executeOrder(o order) bool {
	if o == cancelOrder {
		l.endMembers(unix.SIGINT, unix.SIGTERM)
	} else {
		l.endMembers()
	}
	return l.orders != nil
}

// endSession ends the session and reports which processes it had to end.
func (l *leader) endSession() {
	ended := l.endMembers(unix.SIGTERM)
	if !l.isShellExited {
		select {
		case status := <-l.shellExits:
			l.reportExit(status)
		case <-time.After(killTimeout):
		}
	}
	l.sendReport(report{EndedNames: ended, EscapedLeftovers: l.escapedProcesses()})
}

func (l *leader) reportExit(status syscall.WaitStatus) {
	l.isShellExited = true
	r := report{HasExited: true, ExitCode: status.ExitStatus(), StillRunning: displayNames(sessionMembers(os.Getpid())), EscapedLeftovers: l.escapedProcesses()}
	if status.Signaled() {
		r.Signal = int(status.Signal())
	}
	l.sendReport(r)
}

// sendReport sends a report. An error is ignored: Playhead is gone then, and the orders end.
func (l *leader) sendReport(r report) { _ = l.reports.Encode(r) }

// leaderName is the name of a leader in os.Args and in the list of processes.
const leaderName = "playhead-session"

// The files of a leader beyond the standard ones. Playhead sends a job, then orders. When the
// orders end, the leader ends its session. It answers with reports.
const (
	ordersFD  = 3
	reportsFD = 4
)

// A job is the command that a leader starts.
type job struct {
	Path         string
	Argv         []string
	Dir          string
	Env          []string
	HasTerminal  bool // standard output is the terminal of the session
	AcceptsInput bool // standard input is the leader's; otherwise it is empty
	GracePeriod  time.Duration

	EndEscaped bool // also end processes that left the session
}

// An order tells a leader how to end the processes of its session.
type order int

const (
	cancelOrder order = iota + 1 // ask the processes to end, then kill them
	killOrder
)

// A report tells Playhead about one event in the session.
type report struct {
	StartError       string   // why the system did not start the command
	Errno            int      // the error number of StartError
	EndedNames       []string // the processes that had to be ended when the orders ended
	HasExited        bool     // the shell has exited, with ExitCode or by Signal
	ExitCode         int
	Signal           int
	StillRunning     []string   // the processes that are still running in the session
	EscapedLeftovers []Leftover // the processes that have left the session
}

const (
	killTimeout  = 2 * time.Second       // how long to wait for a killed process, which may be waiting for a device
	pollInterval = 10 * time.Millisecond // between two checks whether a session is empty
)

// endMembers ends the processes that membersToEnd returns: it sends the signals, waits for an equal part of the
// grace period after each, and then kills. If another order arrives meanwhile, it kills immediately. It returns
// the names of the processes that it found.
func (l *leader) endMembers(signals ...syscall.Signal) []string {
	found := displayNames(l.membersToEnd())
	for _, s := range signals {
		signalGroups(s, l.membersToEnd())
		if interrupted := l.waitUntilEmpty(l.job.GracePeriod / time.Duration(len(signals))); interrupted {
			break
		}
	}
	killAll(l.membersToEnd)
	return found
}

// killAll kills the members again and again until none is left, because they may start more. It gives up after
// killTimeout.
func killAll(members func() []processInfo) {
	for deadline := time.Now().Add(killTimeout); time.Now().Before(deadline); {
		rest := members()
		if len(rest) == 0 {
			return
		}
		signalGroups(unix.SIGKILL, rest)
		time.Sleep(pollInterval)
	}
}

// waitUntilEmpty waits for a duration or until membersToEnd returns none. It returns true at once if another order
// arrives or the orders end.
func (l *leader) waitUntilEmpty(maxWait time.Duration) (interrupted bool) {
	timeout := time.After(maxWait)
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for len(l.membersToEnd()) > 0 {
		select {
		case <-poll.C:
		case <-timeout:
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

// signalGroups sends a signal to the process groups of the members. A member in the leader's group gets it
// alone.
func signalGroups(s syscall.Signal, members []processInfo) {
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
			unix.Kill(to, unix.SIGCONT) // a stopped process does not handle signals
		}
	}
}
