package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/dialog"
	"playhead/tui/panes"
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

// typeahead holds the keys that come while the run is being begun: what they mean is the
// run's to say. A run that is gone on with can be seen by then, and is answered at once.
type typeahead struct {
	holding bool
	held    []tea.KeyPressMsg
	until   time.Time // keys wait no longer for a run that neither stands nor does anything
}

// startTime is how long a run may take from its beginning to where it stands or does something.
const startTime = time.Second

// hold takes a key for later, if there is something to wait for. What interrupts is not held.
func (h *typeahead) hold(k tea.KeyPressMsg, interrupts bool) bool {
	if !h.holding || interrupts {
		return false
	}
	h.held = append(h.held, k)
	return true
}

// catchUp does what the keys that were held mean, once the session says what it does: as long
// as it is on its way there, it would refuse most of them.
func (m *Model) catchUp() tea.Cmd {
	st := m.status
	onItsWay := st.State == engine.Running && st.Running == "" && !m.replays()
	if !m.typedAhead.holding || st.State == "" || onItsWay && m.now.Before(m.typedAhead.until) {
		return nil
	}
	keys := m.typedAhead.held
	m.typedAhead = typeahead{}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Sequence(cmds...)
}

// A digit answers at once. Whoever presses enter behind it out of habit would answer the
// question that comes next, unread: that one enter is ignored.

// questionOf is what a dialog asks for now: of a form, one of its values. It is nil for those that are
// no questions.
func questionOf(c dialog.Dialog) any {
	if d, is := c.(dialog.Asker); is {
		return d.Asks()
	}
	return nil
}

// noteDigit notes a digit that has answered what a dialog asked for.
func (m *Model) noteDigit(k tea.KeyPressMsg, c dialog.Dialog, asked any) {
	s := k.String()
	if len(s) != 1 || s < "1" || s > "9" || asked == nil {
		return
	}
	if !slices.Contains(m.dialogs, c) || questionOf(c) != asked {
		m.lastDigit = s
	}
}

// isHabitualEnter reports whether a key is the enter behind such a digit, and says so. Nothing
// but the very next key is.
func (m *Model) isHabitualEnter(k tea.KeyPressMsg) bool {
	digit := m.lastDigit
	m.lastDigit = ""
	if digit == "" || !m.look.Keys.Is(k, "accept") || m.focus != panes.Dialog {
		return false
	}
	m.say("Enter was ignored: " + digit + " was the answer. Press it again for this one.")
	return true
}
