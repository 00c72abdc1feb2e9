// Package typeahead handles keys that were typed before their meaning changed. Keys for something that has
// just closed, or for what was there before a dialog opened, are ignored. Keys that are typed while the run
// begins are held until the run has a state in which they have a meaning.
package typeahead

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/keymap"
)

// QuietTime is how long a person must pause before keys work again: nobody who reads the new screen answers
// faster.
const QuietTime = 300 * time.Millisecond

// maxWritingPause is the longest pause of a person who is still writing.
const maxWritingPause = time.Second

// maxStartTime is the maximum time from the beginning of a run until it waits or executes something.
const maxStartTime = time.Second

// IgnoringEnded is the message that ignored keys should work again.
type IgnoringEnded struct{}

// Guard ignores or holds keys. The zero value lets every key through.
type Guard struct {
	ignoreUntil     time.Time
	pauseTime       time.Duration // how long a person must pause before keys work again
	isAfterTyping   bool          // the ignored keys were typed for a command
	lastAnswerDigit string
	lastAnswerTime  time.Time

	lastUsedKey string // the key that was used last outside dialogs
	lastKeyTime time.Time

	lastWritingTime time.Time // when a dialog last took a key as text

	dialogOpenedTime time.Time // when a dialog last opened that the person had not asked for

	isHolding bool
	heldKeys  []tea.KeyPressMsg
	holdUntil time.Time // when held keys are used even if the run neither waits nor executes anything
}

// IgnoreUntilPause ignores keys until the person pauses.
func (g *Guard) IgnoreUntilPause(now time.Time) { g.ignore(now, QuietTime, false) }

// IgnoreAfterRefusedField ignores keys that a person types for a field that did not open, until the person stops typing.
func (g *Guard) IgnoreAfterRefusedField(now time.Time) { g.ignore(now, maxWritingPause, false) }

// IgnoreAfterTyping ignores keys that were typed for a command that has ended.
func (g *Guard) IgnoreAfterTyping(now time.Time) { g.ignore(now, QuietTime, true) }

func (g *Guard) ignore(now time.Time, pause time.Duration, isAfterTyping bool) {
	g.ignoreUntil, g.pauseTime, g.isAfterTyping = now.Add(pause), pause, isAfterTyping
}

// RemainingIgnoreTime returns how much longer keys are ignored, 0 or less if they are not.
func (g *Guard) RemainingIgnoreTime(now time.Time) time.Duration { return g.ignoreUntil.Sub(now) }

// CheckIgnored reports whether a key is ignored, and whether it was the last one. A ctrl+c ends ignoring.
// Except after typing, so does the key that goes back, and a function key, which acts at once, because it is part of no
// text.
func (g *Guard) CheckIgnored(now time.Time, k tea.KeyPressMsg, keys keymap.Map) (ignored, last bool) {
	if g.RemainingIgnoreTime(now) <= 0 {
		return false, false
	}
	if keys.IsKeyOf(k, "interrupt") || keys.IsKeyOf(k, "back") && !g.isAfterTyping {
		g.ignoreUntil = time.Time{}
		return true, true
	}
	if !g.isAfterTyping && k.Code >= tea.KeyF1 && k.Code <= tea.KeyF63 {
		g.ignoreUntil = time.Time{}
		return false, false
	}
	if !g.isAfterTyping && isMovement(k) {
		return false, false
	}
	g.ignoreUntil = now.Add(g.pauseTime)
	return true, false
}

// isMovement reports whether a key moves. Nobody types such a key as part of a text.
func isMovement(k tea.KeyPressMsg) bool {
	switch k.Code {
	case tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd:
		return true
	}
	return false
}

// NoteKeyUse records a key that was used outside dialogs. repeats says that people repeat it without looking.
func (g *Guard) NoteKeyUse(now time.Time, k tea.KeyPressMsg, repeats bool) {
	if g.lastUsedKey = ""; repeats {
		g.lastUsedKey, g.lastKeyTime = k.String(), now
	}
}

// CheckQuickRepeat reports whether a key repeats the key used last outside dialogs, shortly after it. It was meant for
// what the screen showed before that. Each repetition extends the time.
func (g *Guard) CheckQuickRepeat(now time.Time, k tea.KeyPressMsg) bool {
	if k.String() != g.lastUsedKey || now.Sub(g.lastKeyTime) >= QuietTime {
		g.lastUsedKey = ""
		return false
	}
	g.lastKeyTime = now
	return true
}

// NoteDialogOpened records that a dialog opened, or shows for the first time, that the person had not asked for.
func (g *Guard) NoteDialogOpened(now time.Time) { g.dialogOpenedTime = now }

// CheckTooSoon reports whether a key comes so shortly after a dialog opened that the person cannot have read it. Each
// such key extends the time.
func (g *Guard) CheckTooSoon(now time.Time) bool {
	if now.Sub(g.dialogOpenedTime) >= QuietTime {
		return false
	}
	g.dialogOpenedTime = now
	return true
}

// NoteWriting records that a dialog took a key as text.
func (g *Guard) NoteWriting(now time.Time) { g.lastWritingTime = now }

// IsWriting reports whether a person is probably still writing in a dialog.
func (g *Guard) IsWriting(now time.Time) bool { return now.Sub(g.lastWritingTime) < maxWritingPause }

// HoldUntilStarted holds keys from now on, because their meaning depends on the state of the run.
func (g *Guard) HoldUntilStarted() { g.isHolding = true }

// NoteStarted records that the run has begun.
func (g *Guard) NoteStarted(now time.Time) { g.holdUntil = now.Add(maxStartTime) }

// HoldKeyUntilStarted holds a key while the run begins, and reports whether it did. It does not hold a key that
// interrupts.
func (g *Guard) HoldKeyUntilStarted(k tea.KeyPressMsg, keys keymap.Map) bool {
	if !g.isHolding || keys.IsKeyOf(k, "interrupt") {
		return false
	}
	g.heldKeys = append(g.heldKeys, k)
	return true
}

// ReleaseHeldKeys returns the keys that were held, once the run waits or executes something. onItsWay says
// that it does neither yet: it would refuse most keys.
func (g *Guard) ReleaseHeldKeys(now time.Time, onItsWay bool) []tea.KeyPressMsg {
	if !g.isHolding || onItsWay && now.Before(g.holdUntil) {
		return nil
	}
	held := g.heldKeys
	g.isHolding, g.heldKeys = false, nil
	return held
}

// A digit answers a question at once. A person who habitually presses enter after it would answer the next
// question without reading it. Therefore that one enter is ignored.

// NoteAnswer records a key that has answered a question. Only digits matter.
func (g *Guard) NoteAnswer(now time.Time, k tea.KeyPressMsg) {
	if keymap.DigitOfKey(k) > 0 {
		g.lastAnswerDigit, g.lastAnswerTime = k.String(), now
	}
}

// ForgetAnswer drops the last digit: no habitual enter follows an answer by mouse.
func (g *Guard) ForgetAnswer() { g.lastAnswerDigit = "" }

// TakeAnswerDigitBeforeEnter returns the digit that gave the last answer if k is the enter that follows it at once, else
// "". It forgets the digit.
func (g *Guard) TakeAnswerDigitBeforeEnter(now time.Time, k tea.KeyPressMsg, keys keymap.Map) string {
	digit := g.lastAnswerDigit
	g.lastAnswerDigit = ""
	if !keys.IsKeyOf(k, "accept") || now.Sub(g.lastAnswerTime) >= maxWritingPause {
		return ""
	}
	return digit
}
