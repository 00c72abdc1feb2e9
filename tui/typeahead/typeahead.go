// Package typeahead decides what becomes of keys that were typed before their meaning changed: those
// meant for something that has just gone or for what was there before a dialog opened are ignored,
// and those typed while the run is being begun are held until it can say what they mean.
package typeahead

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/keymap"
)

// Quiet is how long a person has to pause before keys mean something again: nobody who reads what
// has changed answers faster.
const Quiet = 300 * time.Millisecond

// writingPause is the longest pause of a person who still writes.
const writingPause = time.Second

// What is said when keys are ignored after typing, and when that is over.
const (
	KeysIgnoredMessage = "The command ended. Keys are ignored until you pause."
	KeysBackMessage    = "The command ended. Keys control Playhead again."
)

// startTime is how long a run may take from its beginning to where it waits or does something.
const startTime = time.Second

// IgnoringEnded is sent when ignored keys should mean something again.
type IgnoringEnded struct{}

// Guard holds back keys. The zero value lets every key through.
type Guard struct {
	ignoreUntil time.Time
	afterTyping bool // into a command
	digit       string

	lastKey   string // the key that was used last outside dialogs
	lastKeyAt time.Time

	writtenAt time.Time // when a dialog last took a key as text

	isQueueing bool
	queuedKeys []tea.KeyPressMsg
	holdUntil  time.Time // for a run that neither waits nor does anything
}

// Ignore ignores keys until the person pauses.
func (g *Guard) Ignore(now time.Time) { g.ignoreUntil, g.afterTyping = now.Add(Quiet), false }

// IgnoreAfterTyping ignores keys that were meant for a command that was typed into.
func (g *Guard) IgnoreAfterTyping(now time.Time) {
	g.ignoreUntil, g.afterTyping = now.Add(Quiet), true
}

// Remaining returns how much longer keys are ignored; 0 or less: they are not ignored.
func (g *Guard) Remaining(now time.Time) time.Duration { return g.ignoreUntil.Sub(now) }

// Ignores reports whether a key is ignored, and whether it was the last one. A ctrl+c ends it, and so
// does the key that goes back, from what is not there any more.
func (g *Guard) Ignores(now time.Time, k tea.KeyPressMsg, keys keymap.Map) (ignored, last bool) {
	if g.Remaining(now) <= 0 {
		return false, false
	}
	if keys.Is(k, "interrupt") || keys.Is(k, "back") && !g.afterTyping {
		g.ignoreUntil = time.Time{}
		return true, true
	}
	g.ignoreUntil = now.Add(Quiet)
	return true, false
}

// NoteUse notes a key that was used outside dialogs, if it is one that is repeated without looking.
func (g *Guard) NoteUse(now time.Time, k tea.KeyPressMsg, repeats bool) {
	if g.lastKey = ""; repeats {
		g.lastKey, g.lastKeyAt = k.String(), now
	}
}

// IsMeantForBefore reports whether a key comes at a dialog right after it was used outside, with no other key
// between: it was meant for what was there before. Each repetition prolongs that.
func (g *Guard) IsMeantForBefore(now time.Time, k tea.KeyPressMsg) bool {
	if k.String() != g.lastKey || now.Sub(g.lastKeyAt) >= Quiet {
		g.lastKey = ""
		return false
	}
	g.lastKeyAt = now
	return true
}

// NoteWriting notes a key that a dialog took as text.
func (g *Guard) NoteWriting(now time.Time) { g.writtenAt = now }

// IsWriting reports whether a person is still writing in a dialog, as far as one can know.
func (g *Guard) IsWriting(now time.Time) bool { return now.Sub(g.writtenAt) < writingPause }

// HoldUntilStarted holds the keys that come from now on: their meaning depends on the run's state.
func (g *Guard) HoldUntilStarted() { g.isQueueing = true }

// Started notes that the run has begun.
func (g *Guard) Started(now time.Time) { g.holdUntil = now.Add(startTime) }

// Hold takes a key for later, if there is something to wait for. One that interrupts is not held.
func (g *Guard) Hold(k tea.KeyPressMsg, keys keymap.Map) bool {
	if !g.isQueueing || keys.Is(k, "interrupt") {
		return false
	}
	g.queuedKeys = append(g.queuedKeys, k)
	return true
}

// Release returns the keys that were held, once the run waits or does something: as long as it is
// on its way there, it would refuse most of them.
func (g *Guard) Release(now time.Time, onItsWay bool) []tea.KeyPressMsg {
	if !g.isQueueing || onItsWay && now.Before(g.holdUntil) {
		return nil
	}
	held := g.queuedKeys
	g.isQueueing, g.queuedKeys = false, nil
	return held
}

// A digit answers at once. Whoever presses enter behind it out of habit would answer the question
// that comes next, unread: that one enter is ignored.

// NoteAnswer notes a key that has answered a question; only digits matter.
func (g *Guard) NoteAnswer(k tea.KeyPressMsg) {
	if s := k.String(); len(s) == 1 && s >= "1" && s <= "9" {
		g.digit = s
	}
}

// ForgetAnswer is for a person who points at a key, and means it.
func (g *Guard) ForgetAnswer() { g.digit = "" }

// HabitualEnter returns the digit that a key is the enter behind; empty: it is not. Nothing but the
// very next key is.
func (g *Guard) HabitualEnter(k tea.KeyPressMsg, keys keymap.Map) string {
	digit := g.digit
	g.digit = ""
	if !keys.Is(k, "accept") {
		return ""
	}
	return digit
}
