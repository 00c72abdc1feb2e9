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

// A processInfo is a living process of the system. Most are members of a leader's session or descendants of
// members.
type processInfo struct {
	pid, parent, group, session int

	hasTerminal bool // it has a controlling terminal

	startTime string // the start time, which identifies a process together with pid
	name      string // the system's name for the process; see displayName
}

// displayNames returns the members as text, such as "sleep 60 (4711)".
func displayNames(members []processInfo) []string {
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s (%d)", displayName(m), m.pid))
	}
	return out
}

// sessionMembers returns the processes of the session that a leader leads, without the leader.
func sessionMembers(leader int) []processInfo {
	return processes(func(pid int) bool {
		sid, err := unix.Getsid(pid)
		return pid != leader && err == nil && sid == leader
	})
}

// sessionMembersAndDescendants returns the members of the session that a process leads, and all descendants of these and of
// the process.
func sessionMembersAndDescendants(root int) []processInfo {
	all := processes(func(int) bool { return true })
	children := map[int][]processInfo{}
	var queue []processInfo
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

// membersToEnd returns the processes that the leader has to end: those of its session, and if EndEscaped is
// set, all descendants.
func (l *leader) membersToEnd() []processInfo {
	switch {
	case !hasChildren():
		return nil
	case l.job.EndEscaped:
		const tries = 3 // a parent may end during the search, so that its child is missed
		for range tries {
			if found := sessionMembersAndDescendants(os.Getpid()); len(found) > 0 || !hasChildren() {
				return found
			}
		}
		return nil
	}
	return sessionMembers(os.Getpid())
}

// escapedProcesses returns the processes that left the session, without their own descendants.
func (l *leader) escapedProcesses() []Leftover {
	if !hasChildren() {
		return nil
	}
	all := sessionMembersAndDescendants(os.Getpid())
	hasLeft := map[int]bool{}
	for _, m := range all {
		hasLeft[m.pid] = m.session != os.Getpid()
	}
	var leftovers []Leftover
	for _, m := range all {
		if hasLeft[m.pid] && !hasLeft[m.parent] {
			leftovers = append(leftovers, Leftover{m.pid, m.startTime, displayName(m)})
		}
	}
	return leftovers
}

// A Leftover is a process that a command left running in a session of its own. Servers and agents do
// this on purpose.
type Leftover struct {
	PID       int
	StartTime string // the start time, which distinguishes it from a later process with the same PID
	Command   string
}

// String returns the command with its process ID in parentheses.
func (l Leftover) String() string { return fmt.Sprintf("%s (%d)", l.Command, l.PID) }

// LeftoverNamesText returns leftovers as text, separated by commas and safe to show.
func LeftoverNamesText(all []Leftover) string {
	var out []string
	for _, l := range all {
		out = append(out, sanitize.Plain(l.String())) // the text may come from a journal
	}
	return strings.Join(out, ", ")
}

// AliveLeftovers returns the leftovers that are still running.
func AliveLeftovers(all []Leftover) []Leftover {
	return slices.DeleteFunc(slices.Clone(all), func(l Leftover) bool { return !(processInfo{pid: l.PID, startTime: l.StartTime}).isAlive() })
}

// LeftoverKillCommand returns a shell command that ends the leftovers and their descendants.
func LeftoverKillCommand(all []Leftover) string {
	var b strings.Builder
	b.WriteString("kill")
	for _, m := range withDescendants(all) {
		fmt.Fprintf(&b, " %d", m.pid)
	}
	return b.String()
}

// EndLeftoversAndReport ends leftovers, and returns a sentence about the result.
func EndLeftoversAndReport(all []Leftover) string {
	if rest := EndLeftovers(all, 0); len(rest) > 0 {
		return "could not end leftover processes: " + LeftoverNamesText(rest)
	}
	return EndedLeftoversText(LeftoverNamesText(all))
}

// EndedLeftoversText returns the sentence that leftover processes with these names were ended.
func EndedLeftoversText(names string) string { return "ended leftover processes: " + names }

// withDescendants returns the leftovers that are still running and their descendants.
func withDescendants(all []Leftover) []processInfo {
	var out []processInfo
	for _, l := range AliveLeftovers(all) {
		for _, m := range append([]processInfo{{pid: l.PID, startTime: l.StartTime}}, sessionMembersAndDescendants(l.PID)...) {
			if !slices.ContainsFunc(out, func(o processInfo) bool { return o.pid == m.pid }) { // one leftover may have started another
				out = append(out, m)
			}
		}
	}
	return out
}

// EndLeftovers asks leftovers and their descendants to end, and kills those that are still running after
// the grace; 0 means 2 seconds. It returns the leftovers that are still running even then.
func EndLeftovers(all []Leftover, grace time.Duration) []Leftover {
	if grace <= 0 {
		grace = defaultGrace
	}
	members := withDescendants(all)
	for _, try := range []struct {
		signal  syscall.Signal
		maxWait time.Duration
	}{{unix.SIGTERM, grace}, {unix.SIGKILL, killTimeout}} {
		for _, m := range members {
			m.sendSignal(try.signal)
		}
		for end := time.Now().Add(try.maxWait); len(members) > 0 && time.Now().Before(end); time.Sleep(pollInterval) {
			members = slices.DeleteFunc(members, func(m processInfo) bool { return !m.isAlive() })
		}
	}
	return AliveLeftovers(all)
}

// isAlive reports whether the process is still running. Another process with the same number does not
// count.
func (m processInfo) isAlive() bool {
	now, ok := readProcess(m.pid)
	return ok && now.startTime == m.startTime
}

// sendSignal sends a signal to the process. It gets a handle of the process before it checks the start time,
// so that, if the system supports handles, another process cannot get the number in between.
func (m processInfo) sendSignal(s syscall.Signal) {
	p, err := os.FindProcess(m.pid)
	if err != nil {
		return
	}
	defer p.Release()
	if m.isAlive() {
		_ = p.Signal(s) // the process may have just ended, or belong to somebody else
		if s != unix.SIGKILL {
			_ = p.Signal(unix.SIGCONT) // a stopped process does not handle signals
		}
	}
}

// IsStartedBy reports whether the process pid is root or one of the leftovers, or descends from them. A process
// that cannot be read counts as a descendant. If one of its ancestors cannot be read, it does not count,
// because the ancestors of a descendant belong to the same user.
func IsStartedBy(pid, root int, leftovers []Leftover) bool {
	const maxDepth = 1000 // the parents may form a circle, because processes are read one after the other
	for depth := range maxDepth {
		m, ok := readProcess(pid)
		if !ok {
			return depth == 0
		}
		isLeftover := slices.ContainsFunc(leftovers, func(l Leftover) bool { return l.PID == m.pid && l.StartTime == m.startTime })
		if isLeftover || m.pid == root {
			return true
		}
		if m.parent <= 1 || m.parent == pid {
			return false
		}
		pid = m.parent
	}
	return true
}

// HasTerminal reports whether a process has a controlling terminal, so that a person may be there.
func HasTerminal(pid int) bool {
	m, ok := readProcess(pid)
	return ok && m.hasTerminal
}
