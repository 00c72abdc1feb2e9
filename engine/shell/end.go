package shell

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	killPatience = 2 * time.Second       // for what does not even go when killed: it waits for a device
	lookAgain    = 10 * time.Millisecond // between two looks whether a session is empty
)

// A member is a living process of a leader's session, not the leader itself.
type member struct {
	pid, group int
	name       string
}

// names returns what a person may call the members.
func names(members []member) []string {
	var out []string
	for _, m := range members {
		out = append(out, fmt.Sprintf("%s (%d)", m.name, m.pid))
	}
	return out
}

// end empties the session: it asks with the polite signals, sharing the grace between them, then
// kills. It returns the names of what it found. Another order meanwhile ends the politeness.
func (l *leader) end(polite ...syscall.Signal) []string {
	found := names(members(os.Getpid()))
	for _, s := range polite {
		send(s, members(os.Getpid()))
		if hurry := l.await(l.job.Grace / time.Duration(len(polite))); hurry {
			break
		}
	}
	wipe(os.Getpid())
	return found
}

// wipe kills everything in a session, over and over while it multiplies.
func wipe(session int) {
	for deadline := time.Now().Add(killPatience); time.Now().Before(deadline); {
		rest := members(session)
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
	for len(members(os.Getpid())) > 0 {
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
