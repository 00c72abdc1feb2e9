package engine

import (
	"slices"

	"playhead/engine/machine"
	"playhead/engine/shell"
)

// Leftovers are the processes in sessions of their own that steps of this run started, now or
// in an earlier life of it, and that still run.
func (s *Session) Leftovers() []shell.Leftover {
	s.mu.Lock()
	past := slices.Clip(s.past)
	s.mu.Unlock()
	var alive []shell.Leftover
	for _, l := range shell.Alive(append(leftIn(past), s.cfg.Shell.Left()...)) {
		l.Command = s.cfg.Run.MaskedText(l.Command)
		if !slices.ContainsFunc(alive, func(o shell.Leftover) bool { return o.PID == l.PID }) {
			alive = append(alive, l)
		}
	}
	return alive
}

// leftIn are those that a journal tells of. What a run left that this one is a fork of is none
// of its own.
func leftIn(past []machine.Event) (all []shell.Leftover) {
	for _, e := range past {
		switch b := e.Body.(type) {
		case *machine.Forked:
			all = nil
		case *machine.ActionFinished:
			for _, l := range b.Left {
				all = append(all, shell.Leftover(l))
			}
		}
	}
	return all
}
