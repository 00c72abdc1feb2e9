package engine

import (
	"fmt"

	"playhead/engine/machine"
)

// Supposed says what would be decided next if something were different: the event of the
// decision, without the secrets. Nothing happens: it is tried on a copy of the run.
type Supposed func(machine.Change) (machine.Event, error)

// Suppose is the run as it was after an event, by its number, with all that it knew then:
// what a watcher sees of it has no secrets, and routes may ask for one.
func (s *Session) Suppose(seq int) Supposed {
	m, err := s.foldedTo(seq)
	return func(c machine.Change) (machine.Event, error) {
		if err != nil {
			return machine.Event{}, err
		}
		e, err := m.WhatIf(c)
		if err != nil {
			return machine.Event{}, err
		}
		return s.cfg.Run.Masked(e), nil
	}
}

// Doubts are the warnings that a reply of a person would draw, without the secrets. Nothing
// happens: it is tried on a copy of the run, and none are told of a run that waits for no reply.
func (s *Session) Doubts(reply string) []string {
	s.mu.Lock()
	n := len(s.past)
	s.mu.Unlock()
	m, err := s.foldedTo(n)
	if err != nil {
		return nil
	}
	out := m.Doubts(reply)
	for i := range out {
		out[i] = s.cfg.Run.MaskedText(out[i])
	}
	return out
}

// foldedTo is the run as it was after an event.
func (s *Session) foldedTo(seq int) (*machine.Machine, error) {
	s.mu.Lock()
	past := s.past
	s.mu.Unlock()
	if seq < 1 || seq > len(past) {
		return nil, fmt.Errorf("there is no event %d", seq)
	}
	m := machine.New(s.cfg.Plan, s.cfg.Options)
	for _, e := range machine.Branch(past, seq) {
		if err := m.Apply(e); err != nil {
			return nil, err
		}
	}
	return m, nil
}
