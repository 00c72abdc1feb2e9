package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How long keys are ignored that were meant for something that has just gone away by itself, such as
// the command that was typed into. Each of them prolongs it: it ends when the person pauses.
const (
	afterTyping = 2 * time.Second // after a command that was typed into
	briefly     = time.Second     // after anything else, and after each ignored key
)

// ignoringMsg comes when keys should mean something again.
type ignoringMsg struct{}

// What is said while keys are ignored after typing, and when that is over.
const (
	keysIgnored = "The command ended. Keys are ignored until you pause."
	keysBack    = "The command ended. Keys control Playhead again."
)

// ignoreKeys ignores keys for a while, and says why.
func (m *Model) ignoreKeys(d time.Duration, why string) {
	m.ignoreUntil = m.now.Add(d)
	m.say(why)
}

// ignoreKeysAfterTyping ignores keys that were meant for a command that was typed into.
func (m *Model) ignoreKeysAfterTyping() tea.Cmd {
	m.ignoreUntil = m.now.Add(afterTyping)
	m.sayNext(keysIgnored)
	return m.later(afterTyping, ignoringMsg{})
}

// endIgnoring says that keys mean something again, once they have paused.
func (m *Model) endIgnoring() tea.Cmd {
	if rest := m.ignoreUntil.Sub(m.now); rest > 0 {
		return m.later(rest, ignoringMsg{})
	}
	if m.message == keysIgnored {
		m.say(keysBack)
	}
	return nil
}

// ignores reports whether a key is ignored. The ctrl+c that quits never is. Any other ctrl+c does
// nothing but end this: it is what somebody presses whom no key answers.
func (m *Model) ignores(k tea.KeyPressMsg) bool {
	interrupts := m.look.Keys.Is(k, "cancel")
	switch {
	case !m.now.Before(m.ignoreUntil), m.interrupted && interrupts:
		return false
	case interrupts:
		m.ignoreUntil = time.Time{}
		m.say("Keys control Playhead again.")
		return true
	case m.look.Keys.Is(k, "back") && m.message != keysIgnored: // of what is not there any more
		m.ignoreUntil, m.message = time.Time{}, ""
		return true
	}
	if rest := m.now.Add(briefly); rest.After(m.ignoreUntil) {
		m.ignoreUntil = rest
	}
	return true
}
