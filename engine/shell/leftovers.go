package shell

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
	"playhead/engine/shell/leader"
	"playhead/engine/shell/processes"
)

// A Leftover is a process that a command left running in a session of its own. Servers and agents do
// this on purpose.
type Leftover struct {
	PID       int
	StartTime string // the start time, which distinguishes it from a later process with the same PID
	Command   string // its shortened command line, safe to show
}

// newLeftovers returns the processes that a leader named as leftovers.
func newLeftovers(members []leader.Member) []Leftover {
	var leftovers []Leftover
	for _, m := range members {
		leftovers = append(leftovers, Leftover{m.PID, m.StartTime, shorten(sanitize.Plain(m.CommandLine))})
	}
	return leftovers
}

// shorten cuts a command line to 40 characters, because a subshell carries its parent's whole text.
func shorten(commandLine string) string {
	const most = 40
	if runes := []rune(commandLine); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return commandLine
}

// displayNames returns the members as text, such as "sleep 60 (4711)".
func displayNames(members []leader.Member) []string {
	var names []string
	for _, l := range newLeftovers(members) {
		names = append(names, l.String())
	}
	return names
}

func (l Leftover) process() processes.Process {
	return processes.Process{PID: l.PID, StartTime: l.StartTime}
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
	return slices.DeleteFunc(slices.Clone(all), func(l Leftover) bool { return !l.process().IsAlive() })
}

// LeftoverKillCommand returns a shell command that ends the leftovers and their descendants.
func LeftoverKillCommand(all []Leftover) string {
	var b strings.Builder
	b.WriteString("kill")
	for _, m := range withDescendants(all) {
		fmt.Fprintf(&b, " %d", m.PID)
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
func withDescendants(all []Leftover) []processes.Process {
	var out []processes.Process
	for _, l := range AliveLeftovers(all) {
		for _, m := range append([]processes.Process{l.process()}, processes.SessionMembersAndDescendants(l.PID)...) {
			if !slices.ContainsFunc(out, func(o processes.Process) bool { return o.PID == m.PID }) { // one leftover may have started another
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
	}{{unix.SIGTERM, grace}, {unix.SIGKILL, processes.KillTimeout}} {
		for _, m := range members {
			m.Signal(try.signal)
		}
		for end := time.Now().Add(try.maxWait); len(members) > 0 && time.Now().Before(end); time.Sleep(processes.PollInterval) {
			members = slices.DeleteFunc(members, func(m processes.Process) bool { return !m.IsAlive() })
		}
	}
	return AliveLeftovers(all)
}

// IsStartedBy reports whether the process pid is root or one of the leftovers, or descends from them. A process
// that cannot be read counts as a descendant. If one of its ancestors cannot be read, it does not count,
// because the ancestors of a descendant belong to the same user.
func IsStartedBy(pid, root int, leftovers []Leftover) bool {
	const maxDepth = 1000 // the parents may form a circle, because processes are read one after the other
	for depth := range maxDepth {
		m, ok := processes.Read(pid)
		if !ok {
			return depth == 0
		}
		isLeftover := slices.ContainsFunc(leftovers, func(l Leftover) bool { return l.PID == m.PID && l.StartTime == m.StartTime })
		if isLeftover || m.PID == root {
			return true
		}
		if m.Parent <= 1 || m.Parent == pid {
			return false
		}
		pid = m.Parent
	}
	return true
}

// HasTerminal reports whether a process has a controlling terminal, so that a person may be there.
func HasTerminal(pid int) bool {
	m, ok := processes.Read(pid)
	return ok && m.HasTerminal
}
