// Package leader is the small process between Playhead and each command, which leads the session in which the
// command runs; package shell says why it is needed. It is the running program itself, started again under
// another name: every program that imports this package can be started as a leader.
//
// Go initializes packages in the order of their paths, each after its imports. This package imports so little
// that it runs the leader before large libraries are initialized, which would take several times as long as the
// rest of the leader's start. A test of cmd/playhead checks that.
package leader

import (
	"encoding/gob"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/shell/processes"
)

// name is the name of a leader in os.Args and in the list of processes.
const name = "playhead-session"

// init runs the leader if this process was started as one, so main cannot forget it.
func init() {
	if len(os.Args) > 0 && os.Args[0] == name {
		syscall.Exit(run()) // exits immediately, because there is nothing to clean up
	}
}

// The files of a leader beyond the standard ones. Playhead sends a Job, then Orders. When the
// orders end, the leader ends its session. It answers with Reports. All are encoded with gob.
const (
	ordersFD  = 3
	reportsFD = 4
)

// A Job is the command that a leader starts.
type Job struct {
	Path         string
	Argv         []string
	Dir          string
	Env          []string
	HasTerminal  bool // standard output is the terminal of the session
	AcceptsInput bool // standard input is the leader's; otherwise it is empty
	GracePeriod  time.Duration

	EndEscaped bool // also end processes that left the session
}

// An Order tells a leader how to end the processes of its session.
type Order int

const (
	Cancel Order = iota + 1 // ask the processes to end, then kill them
	Kill
)

// A Report tells Playhead about one event in the session.
type Report struct {
	StartError   string        // why the system did not start the command
	Errno        syscall.Errno // the error number of StartError
	Ended        []Member      // the processes that had to be ended when the orders ended
	HasExited    bool          // the shell has exited, with ExitCode or by Signal
	ExitCode     int
	Signal       syscall.Signal
	StillRunning []Member // the processes that are still running in the session
	Escaped      []Member // the processes that have left the session, without their own descendants
}

// A Member is a process of a session, or one that left it.
type Member struct {
	PID         int
	StartTime   string
	CommandLine string // not safe to show
}

// Start starts this program again as the leader of a new session, with its standard files and the pipes for
// orders and reports. The first of the files is its terminal if it has one.
func Start(standardFiles [3]*os.File, orders, reports *os.File, hasTerminal bool) (*os.Process, error) {
	return os.StartProcess(processes.Executable, []string{name}, &os.ProcAttr{
		Files: append(standardFiles[:], orders, reports), // ordersFD and reportsFD
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: hasTerminal},
	})
}

// A leader is the leader of the session in which one command runs.
type leader struct {
	job             Job
	shellPID        int // the command's process and group
	orders          chan Order
	reports         *gob.Encoder
	shellExits      chan syscall.WaitStatus // of the shell
	lastChildExited chan struct{}           // closed when the leader has no children left
	isShellExited   bool
}

// run runs the leader to its end and returns its exit status.
func run() int {
	surviveSignals()
	processes.AdoptOrphans()
	unix.CloseOnExec(ordersFD)
	unix.CloseOnExec(reportsFD)
	l := leader{
		orders:          make(chan Order),
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
		l.sendReport(Report{StartError: err.Error(), Errno: errno})
		return 1
	}
	go l.forwardOrders(orders)
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

// forwardOrders passes orders on until Playhead closes the pipe or has ended.
func (l *leader) forwardOrders(orders *gob.Decoder) {
	defer close(l.orders)
	for {
		var o Order
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
func (l *leader) executeOrder(o Order) bool {
	if o == Cancel {
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
		case <-time.After(processes.KillTimeout):
		}
	}
	l.sendReport(Report{Ended: ended, Escaped: l.escapedProcesses()})
}

func (l *leader) reportExit(status syscall.WaitStatus) {
	l.isShellExited = true
	r := Report{HasExited: true, ExitCode: status.ExitStatus(), StillRunning: membersOf(processes.SessionMembers(os.Getpid())), Escaped: l.escapedProcesses()}
	if status.Signaled() {
		r.Signal = status.Signal()
	}
	l.sendReport(r)
}

// sendReport sends a report. An error is ignored: Playhead is gone then, and the orders end.
func (l *leader) sendReport(r Report) { _ = l.reports.Encode(r) }

// endMembers ends the processes that membersToEnd returns: it sends the signals, waits for an equal part of the
// grace period after each, and then kills. If another order arrives meanwhile, it kills immediately. It returns
// the processes that it found.
func (l *leader) endMembers(signals ...syscall.Signal) []Member {
	found := membersOf(l.membersToEnd())
	for _, s := range signals {
		processes.SignalGroups(s, l.membersToEnd())
		if interrupted := l.waitUntilEmpty(l.job.GracePeriod / time.Duration(len(signals))); interrupted {
			break
		}
	}
	processes.KillAll(l.membersToEnd)
	return found
}

// waitUntilEmpty waits for a duration or until membersToEnd returns none. It returns true at once if another order
// arrives or the orders end.
func (l *leader) waitUntilEmpty(maxWait time.Duration) (interrupted bool) {
	timeout := time.After(maxWait)
	poll := time.NewTicker(processes.PollInterval)
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

// membersToEnd returns the processes that the leader has to end: those of its session, and if EndEscaped is
// set, all descendants.
func (l *leader) membersToEnd() []processes.Process {
	switch {
	case !processes.HasChildren():
		return nil
	case l.job.EndEscaped:
		const tries = 3 // a parent may end during the search, so that its child is missed
		for range tries {
			if found := processes.SessionMembersAndDescendants(os.Getpid()); len(found) > 0 || !processes.HasChildren() {
				return found
			}
		}
		return nil
	}
	return processes.SessionMembers(os.Getpid())
}

// escapedProcesses returns the processes that left the session, without their own descendants.
func (l *leader) escapedProcesses() []Member {
	if !processes.HasChildren() {
		return nil
	}
	all := processes.SessionMembersAndDescendants(os.Getpid())
	hasLeft := map[int]bool{}
	for _, p := range all {
		hasLeft[p.PID] = p.Session != os.Getpid()
	}
	var escaped []processes.Process
	for _, p := range all {
		if hasLeft[p.PID] && !hasLeft[p.Parent] {
			escaped = append(escaped, p)
		}
	}
	return membersOf(escaped)
}

func membersOf(all []processes.Process) []Member {
	var members []Member
	for _, p := range all {
		members = append(members, Member{p.PID, p.StartTime, p.CommandLine()})
	}
	return members
}
