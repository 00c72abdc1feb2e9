package tui

import (
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// lastLineMessage is the sentence that replaces the hints until the next key, or until the state of the run
// changes.
type lastLineMessage struct {
	drawContext    *draw.Context
	conn           *runConnection
	letsKeyThrough func(*keymap.KeyAction) bool // reports whether the open dialog leaves the key of an action to the screen
	message        string
	stateWhenShown engine.State // the state of the run when the sentence was shown

	messageAfterIgnoring *string // what replaces the sentence once keys work again, nil if keys are not ignored
}

// anyState keeps a sentence through changes of the run's state.
const anyState engine.State = "any"

// say shows a sentence until the next key or the next state of the run.
func (l *lastLineMessage) say(s string) {
	l.message, l.stateWhenShown = draw.CleanLine(l.drawContext.Keys.FillInKeys(control.Sentence(s))), l.conn.status.State
	l.messageAfterIgnoring = nil
}

// sayUntilKey shows a sentence about what happens next. It stays until the next key.
func (l *lastLineMessage) sayUntilKey(s string) {
	l.say(s)
	l.stateWhenShown = anyState
}

// announce shows a sentence about something that no key caused, and so at any dialog. It stays until the next key.
func (l *lastLineMessage) announce(s control.Sentence) {
	l.sayUntilKey(l.drawContext.Keys.FillInKeysInDialog(s, l.letsKeyThrough))
}

// sayKeysIgnored shows why keys are ignored ("" if nothing explains it) until they work again. The
// sentence after then replaces it.
func (l *lastLineMessage) sayKeysIgnored(why, after string) {
	l.sayUntilKey(strings.TrimSpace(why + " Keys are ignored until you stop typing."))
	l.messageAfterIgnoring = &after
}

// endKeysIgnored replaces the sentence that keys are ignored.
func (l *lastLineMessage) endKeysIgnored() {
	if l.messageAfterIgnoring != nil {
		l.say(*l.messageAfterIgnoring)
	}
}

func (l *lastLineMessage) clear() { l.say("") }

// clearAfterStateChange removes a sentence that was about another state of the run. A run that only passes
// through the state Running keeps it.
func (l *lastLineMessage) clearAfterStateChange(now engine.State) {
	if now != engine.Running && now != l.stateWhenShown {
		l.clearUnlessUntilKey()
	}
}

// clearUnlessUntilKey removes a sentence that need not stay until the next key.
func (l *lastLineMessage) clearUnlessUntilKey() {
	if l.stateWhenShown != anyState {
		l.clear()
	}
}
