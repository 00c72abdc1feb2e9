package shell

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A member is a living process of a leader's session, or one that comes from there. It is not
// the leader itself.
type member struct {
	pid, parent, group, session int

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
	case isChildless():
		return nil
	case l.job.Everything:
		const tries = 3 // a parent may end between two looks, and leave its child out
		for range tries {
			if found := below(os.Getpid()); len(found) > 0 || isChildless() {
				return found
			}
		}
		return nil
	}
	return inSession(os.Getpid())
}

// escaped returns what has left the session. Of what those started in turn nothing is said.
func (l *leader) escaped() []Leftover {
	if isChildless() {
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
