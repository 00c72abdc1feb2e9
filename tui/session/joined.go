package session

import (
	"errors"

	"playhead/engine/remote"
)

// Joined returns a run of another process as the screen sees a session. Actions of engine/control are
// carried out there (control.Remote).
func Joined(r *remote.Session) Session {
	return joined{inert{errors.New("this can be done in the process that drives the run only")}, r}
}

type joined struct {
	inert
	*remote.Session
}

func (j joined) Watch() Watcher { return j.Session.Watch() }

func (j joined) Log(file string) Log {
	if log := j.Session.Log(file); log != nil {
		return log
	}
	return nil
}
