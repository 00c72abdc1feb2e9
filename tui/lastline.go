package tui

import (
	"playhead/engine"
	"playhead/engine/control"
	"playhead/tui/draw"
)

// lastLine is the sentence that stands in the place of the hints: until the next key, or until the
// run comes to another state.
type lastLine struct {
	look *draw.Look
	conn *connection
	text string
	at   engine.State // of the run, when it was said
}

// anyState stands for the states that an action leads to, whichever they are.
const anyState engine.State = "any"

// say shows a sentence.
func (l *lastLine) say(s string) {
	l.text, l.at = draw.Clean(l.look.Keys.Sentence(control.Sentence(s))), l.conn.status.State
}

// sayNext shows a sentence about what the run is about to come to: until the next key.
func (l *lastLine) sayNext(s string) {
	l.say(s)
	l.at = anyState
}

func (l *lastLine) clear() { l.text = "" }

// follow takes a sentence away that was about another state of the run. What an action runs through
// takes nothing away.
func (l *lastLine) follow(now engine.State) {
	if now != engine.Running && l.at != anyState && now != l.at {
		l.clear()
	}
}
