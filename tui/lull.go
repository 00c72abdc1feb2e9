package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A lull is a moment in which keys are dropped: they were meant for something that
// has just gone away by itself, such as the command that was typed into. It ends
// when the person pauses.
const (
	typingLull = 2 * time.Second // after a command that was typed into
	briefLull  = time.Second     // after anything else, and after each dropped key
)

// hush begins a lull, and says why.
func (m *Model) hush(d time.Duration, why string) {
	m.deaf = m.now.Add(d)
	m.say(why)
}

// drops reports whether a key falls into a lull. Quitting by ctrl+c is promised,
// so it never does.
func (m *Model) drops(k tea.KeyPressMsg) bool {
	if !m.now.Before(m.deaf) || m.armed && k.String() == "ctrl+c" {
		return false
	}
	if rest := m.now.Add(briefLull); rest.After(m.deaf) {
		m.deaf = rest
	}
	return true
}
