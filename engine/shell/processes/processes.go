// Package processes finds processes of the system and ends them. It imports little, because package leader needs it.
package processes

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	KillTimeout  = 2 * time.Second       // how long to wait for a killed process, which may be waiting for a device
	PollInterval = 10 * time.Millisecond // between two checks whether processes have ended
)

// A Process is a living process of the system.
type Process struct {
	PID, Parent, Group, Session int

	HasTerminal bool // it has a controlling terminal

	StartTime string // identifies a process together with its PID

	name string // the system's name for it; see CommandLine
}

// SessionMembers returns the processes of the session that a process leads, without that process.
func SessionMembers(leader int) []Process {
	return find(func(pid int) bool {
		sid, err := unix.Getsid(pid)
		return pid != leader && err == nil && sid == leader
	})
}

// SessionMembersAndDescendants returns the members of the session that a process leads, and all descendants of
// these and of the process.
func SessionMembersAndDescendants(root int) []Process {
	all := find(func(int) bool { return true })
	children := map[int][]Process{}
	var queue []Process
	for _, p := range all {
		switch {
		case p.PID == root:
		case p.Session == root || p.Parent == root:
			queue = append(queue, p)
		default:
			children[p.Parent] = append(children[p.Parent], p)
		}
	}
	for i := 0; i < len(queue); i++ {
		queue = append(queue, children[queue[i].PID]...)
	}
	return queue
}

// IsAlive reports whether the process is still running. Another process with the same PID does not count.
func (p Process) IsAlive() bool {
	now, ok := Read(p.PID)
	return ok && now.StartTime == p.StartTime
}

// Signal sends a signal to the process. It gets a handle of the process before it checks the start time,
// so that, if the system supports handles, another process cannot get the PID in between.
func (p Process) Signal(s syscall.Signal) {
	handle, err := os.FindProcess(p.PID)
	if err != nil {
		return
	}
	defer handle.Release()
	if p.IsAlive() {
		_ = handle.Signal(s) // the process may have just ended, or belong to somebody else
		if s != unix.SIGKILL {
			_ = handle.Signal(unix.SIGCONT) // a stopped process does not handle signals
		}
	}
}

// SignalGroups sends a signal to the process groups of the processes. A process in the caller's group gets it
// alone.
func SignalGroups(s syscall.Signal, all []Process) {
	own := os.Getpid()
	done := map[int]bool{}
	for _, p := range all {
		to := -p.Group
		if p.Group == own {
			to = p.PID
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

// KillAll kills what remaining returns, again and again until that is nothing, because processes may start
// more. It gives up after KillTimeout.
func KillAll(remaining func() []Process) {
	for deadline := time.Now().Add(KillTimeout); time.Now().Before(deadline); {
		rest := remaining()
		if len(rest) == 0 {
			return
		}
		SignalGroups(unix.SIGKILL, rest)
		time.Sleep(PollInterval)
	}
}
