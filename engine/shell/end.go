package shell

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	killPatience = 2 * time.Second       // for what does not even go when killed: it waits for a device
	lookAgain    = 10 * time.Millisecond // between two looks whether a session is empty
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
		time.Sleep(lookAgain)
	}
}

// await waits for so long, or until the session is empty. Another order makes it hurry.
func (l *leader) await(within time.Duration) (hurry bool) {
	patience := time.After(within)
	look := time.NewTicker(lookAgain)
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
