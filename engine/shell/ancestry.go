package shell

import "slices"

// StartedBy reports whether a process comes from another one: that started it or what started it, or
// it comes from one of the leftovers of that. A process that cannot be read counts as one that does.
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
