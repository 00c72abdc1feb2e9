package tui

import (
	"playhead/engine"
	"playhead/engine/control"
	"playhead/tui/draw"
)

// lastLine is the sentence that replaces the hints until the next key, or until the state of the run
// changes.
type lastLine struct {
	look *draw.Look
	conn *connection
	text string
	at   engine.State // the state of the run when the sentence was shown
}

// anyState keeps a sentence through changes of the run's state.
const anyState engine.State = "any"

// say shows a sentence until the next key or the next state of the run.
func (l *lastLine) say(s string) {
	l.text, l.at = draw.Clean(l.look.Keys.Sentence(control.Sentence(s))), l.conn.status.State
}

// sayNext shows a sentence about what happens next. It stays until the next key.
func (l *lastLine) sayNext(s string) {
	l.say(s)
	l.at = anyState
}

func (l *lastLine) clear() { l.text = "" }

// follow removes a sentence that was about another state of the run. A run that only passes through the
// state Running keeps it.
func (l *lastLine) follow(now engine.State) {
	if now != engine.Running && l.at != anyState && now != l.at {
		l.clear()
	}
}
