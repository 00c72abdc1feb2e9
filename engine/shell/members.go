package shell

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
)

// A member is a living process of a leader's session, or one that comes from there. It is not
// the leader itself.
type member struct {
	pid, parent, group, session int

	terminal bool // it has one

	start string // when it began: with pid it tells a process from all others, at any time
	name  string // as the system has it; called says more
}

// names returns what a person may call the members.
func names(members []member) []string {
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s (%d)", displayName(m), m.pid))
	}
	return out
}

func inSession(leader int) []member {
	return processes(func(pid int) bool {
		sid, err := unix.Getsid(pid)
		return pid != leader && err == nil && sid == leader
	})
}

// below returns the members of a process's session, if it leads one, and all that it and they
// started.
func below(root int) []member {
	all := processes(func(int) bool { return true })
	children := map[int][]member{}
	var queue []member
	for _, m := range all {
		switch {
		case m.pid == root:
		case m.session == root || m.parent == root:
			queue = append(queue, m)
		default:
			children[m.parent] = append(children[m.parent], m)
		}
	}
	for i := 0; i < len(queue); i++ {
		queue = append(queue, children[queue[i].pid]...)
	}
	return queue
}

// members returns what the leader has to end: its session, or all that comes from there.
func (l *leader) members() []member {
	switch {
	case !hasChildren():
		return nil
	case l.job.EndEscaped:
		const tries = 3 // a parent may end between two looks, and leave its child out
		for range tries {
			if found := below(os.Getpid()); len(found) > 0 || !hasChildren() {
				return found
			}
		}
		return nil
	}
	return inSession(os.Getpid())
}

// escaped returns the processes that left the session, without the processes that those started.
func (l *leader) escaped() []Leftover {
	if !hasChildren() {
		return nil
	}
	all := below(os.Getpid())
	out := map[int]bool{}
	for _, m := range all {
		out[m.pid] = m.session != os.Getpid()
	}
	var left []Leftover
	for _, m := range all {
		if out[m.pid] && !out[m.parent] {
			left = append(left, Leftover{m.pid, m.start, displayName(m)})
		}
	}
	return left
}

// A Leftover is a process that a command left running in a session of its own, as servers and
// agents do: on purpose.
type Leftover struct {
	PID     int
	Start   string // tells it from one that has its number later
	Command string
}

// String returns the command with its process ID in parentheses.
func (l Leftover) String() string { return fmt.Sprintf("%s (%d)", l.Command, l.PID) }

// Names returns what a person may call them.
func Names(all []Leftover) string {
	var out []string
	for _, l := range all {
		out = append(out, sanitize.Plain(l.String())) // it may be from a journal
	}
	return strings.Join(out, ", ")
}

// Alive returns those that still run.
func Alive(all []Leftover) []Leftover {
	return slices.DeleteFunc(slices.Clone(all), func(l Leftover) bool { return !(member{pid: l.PID, start: l.Start}).lives() })
}

// KillCommand returns a shell command that ends the leftovers, with all that they started.
func KillCommand(all []Leftover) string {
	var b strings.Builder
	b.WriteString("kill")
	for _, m := range withStarted(all) {
		fmt.Fprintf(&b, " %d", m.pid)
	}
	return b.String()
}

// EndAndReport ends them, and says what became of them.
func EndAndReport(all []Leftover) string {
	if rest := EndLeftovers(all, 0); len(rest) > 0 {
		return "could not end leftover processes: " + Names(rest)
	}
	return "ended leftover processes: " + Names(all)
}

// withStarted returns those that still run, with all that they started.
func withStarted(all []Leftover) []member {
	var out []member
	for _, l := range Alive(all) {
		for _, m := range append([]member{{pid: l.PID, start: l.Start}}, below(l.PID)...) {
			if !slices.ContainsFunc(out, func(o member) bool { return o.pid == m.pid }) { // one may have started another
				out = append(out, m)
			}
		}
	}
	return out
}

// EndLeftovers asks processes to end, with all that they started, and kills what is still there
// after the grace, of which 0 means 2 seconds. It returns those that live all the same.
func EndLeftovers(all []Leftover, grace time.Duration) []Leftover {
	if grace <= 0 {
		grace = defaultGrace
	}
	members := withStarted(all)
	for _, step := range []struct {
		signal  syscall.Signal
		patient time.Duration
	}{{unix.SIGTERM, grace}, {unix.SIGKILL, killPatience}} {
		for _, m := range members {
			m.signal(step.signal)
		}
		for end := time.Now().Add(step.patient); len(members) > 0 && time.Now().Before(end); time.Sleep(pollInterval) {
			members = slices.DeleteFunc(members, func(m member) bool { return !m.lives() })
		}
	}
	return Alive(all)
}

// lives reports whether the process is still running, and not another one with its number.
func (m member) lives() bool {
	now, ok := readProcess(m.pid)
	return ok && now.start == m.start
}

// signal signals the process. It is held first and looked at then, so that, where the system
// can hold one, its number cannot go to another in between.
func (m member) signal(s syscall.Signal) {
	p, err := os.FindProcess(m.pid)
	if err != nil {
		return
	}
	defer p.Release()
	if m.lives() {
		_ = p.Signal(s) // it may have ended just now, or be somebody else's
		if s != unix.SIGKILL {
			_ = p.Signal(unix.SIGCONT) // what is stopped hears nothing
		}
	}
}

// StartedBy reports whether a process descends from another one, or from one of its leftovers. A process
// that cannot be read counts as one that does.
// What started it can be read if it is from there: that is the same user's.
func StartedBy(pid, root int, left []Leftover) bool {
	const deepest = 1000 // the numbers may be in use by others meanwhile
	for depth := range deepest {
		m, ok := readProcess(pid)
		if !ok {
			return depth == 0
		}
		isLeft := slices.ContainsFunc(left, func(l Leftover) bool { return l.PID == m.pid && l.Start == m.start })
		if isLeft || m.pid == root {
			return true
		}
		if m.parent <= 1 || m.parent == pid {
			return false
		}
		pid = m.parent
	}
	return true
}

// HasTerminal reports whether a process has a terminal at which a person may sit.
func HasTerminal(pid int) bool {
	m, ok := readProcess(pid)
	return ok && m.terminal
}
