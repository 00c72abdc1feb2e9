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

// lullMsg comes when a lull should be over.
type lullMsg struct{}

// What is said in a lull, and when it is over.
const (
	typingEnded = "The command has ended, and so has typing: "
	keysDropped = typingEnded + "keys are dropped until you pause."
	keysAgain   = typingEnded + "keys are Playhead's again."
)

// hush begins a lull, and says why.
func (m *Model) hush(d time.Duration, why string) {
	m.deaf = m.now.Add(d)
	m.say(why)
}

// hushTyping begins the lull after a command that was typed into.
func (m *Model) hushTyping() tea.Cmd {
	m.deaf = m.now.Add(typingLull)
	m.sayAhead(keysDropped)
	return m.later(typingLull, lullMsg{})
}

// hears says that a lull is over, once the keys have paused.
func (m *Model) hears() tea.Cmd {
	if rest := m.deaf.Sub(m.now); rest > 0 {
		return m.later(rest, lullMsg{})
	}
	if m.message == keysDropped {
		m.say(keysAgain)
	}
	return nil
}

// drops reports whether a key falls into a lull. Quitting by ctrl+c is promised, so it
// never does; another ctrl+c does nothing but end it: it is what somebody presses whom no
// key answers.
func (m *Model) drops(k tea.KeyPressMsg) bool {
	interrupts := m.look.Keys.Is(k, "cancel")
	switch {
	case !m.now.Before(m.deaf), m.armed && interrupts:
		return false
	case interrupts:
		m.deaf = time.Time{}
		m.say("Keys are Playhead's again.")
		return true
	case m.look.Keys.Is(k, "back") && m.message != keysDropped: // of what is not there any more
		m.deaf, m.message = time.Time{}, ""
		return true
	}
	if rest := m.now.Add(briefLull); rest.After(m.deaf) {
		m.deaf = rest
	}
	return true
}
