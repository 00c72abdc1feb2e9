package engine

import "playhead/engine/machine"

// CloneMachine returns a copy of the session's machine, taken between two of its events.
func (s *Session) CloneMachine() (m *machine.Machine, err error) {
	err = s.sendRequest(request{do: func() error {
		m = s.machine.Clone()
		return nil
	}})
	return m, err
}
