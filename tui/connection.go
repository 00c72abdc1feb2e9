package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/replay"
	"playhead/engine/track"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/session"
	"playhead/tui/timeline"
)

// connection connects the screen to the run that it shows: a session of this process, a run of another
// process, or a recording.
type connection struct {
	play     *replay.Player  // the recording that plays; nil: none
	join     *remote.Session // the run of another process; nil: none
	timeline *timeline.Timeline
	lastLine *lastLine

	queueCall  func(func() error) bool // queues a call to the session
	queueInput func(func() error) bool // queues keys for the running command

	session session.Session // nil until the run may begin
	status  engine.Status
	size    panes.Rect // the size of the output that was sent to the session
}

// call queues a call to the session.
func (c *connection) call(do func(session.Session) error) tea.Cmd {
	s := c.session
	if s == nil || c.queueCall == nil {
		return nil
	}
	if !c.queueCall(func() error { return do(s) }) {
		c.lastLine.say("The session is busy: try again in a moment.")
	}
	return nil
}

// typeBytes types into the running command.
func (c *connection) typeBytes(b []byte) {
	s := c.session
	if len(b) == 0 || s == nil || c.queueInput == nil {
		return
	}
	if !c.queueInput(func() error { return s.Type(b) }) {
		c.lastLine.say("The command is not reading input.")
	}
}

// logs returns a function that opens the log of an action, nil before there is a session.
func (c *connection) logs() func(file string) session.Log {
	if c.session == nil {
		return nil
	}
	return c.session.Log
}

// resize tells the session the size of the output, which is the terminal size of commands.
func (c *connection) resize(box panes.Rect) {
	if box.W <= 0 || box.H <= 0 || box.W == c.size.W && box.H == c.size.H || c.session == nil {
		return
	}
	c.size = box
	c.call(func(s session.Session) error {
		s.Resize(box.W, box.H)
		return nil
	})
}

// executes reports whether a command or call is running.
func (c *connection) executes() bool { return c.session != nil && c.status.Running != "" }

// replays reports whether the screen shows a recording.
func (c *connection) replays() bool { return c.play != nil }

// watched returns why this screen can only watch the run, "" if it controls the run. takeable reports
// whether it can take control.
func (c *connection) watched() (why control.Sentence, takeable bool) {
	if c.session == nil || c.replays() {
		return "", false
	}
	self := ""
	if c.join != nil {
		if self = c.join.Self(); self == "" {
			return control.Sentence(fmt.Sprintf("You are only watching this run. Use playhead attach %s to take control of it.", c.timeline.Live.Run)), false
		}
	}
	switch by := c.status.Controller; by {
	case self:
		return "", false
	case "":
		return "The owner's screen controls the run again. {take-control} to take control.", true
	default:
		return control.Sentence(fmt.Sprintf("Another screen (%s) controls this run. {take-control} to take control back.", by)), true
	}
}

// tellController says which screen controls the run, if that has changed.
func (c *connection) tellController(was engine.Status) {
	if was.Controller == c.status.Controller || was.State == "" || c.replays() {
		return
	}
	if why, takeable := c.watched(); takeable {
		c.lastLine.sayNext(string(why))
	} else if why == "" {
		c.lastLine.sayNext("You control the run.")
	}
}

// tellCall says which tool an agent has called last.
func (c *connection) tellCall(u engine.Update) {
	if u.Restarted || c.replays() {
		return
	}
	for _, e := range slices.Backward(u.Events) {
		if _, called := e.Body.(*machine.Called); called {
			c.lastLine.sayNext(track.Describe(e) + ".")
			return
		}
	}
}

// tellReplayEnd says that a recording has ended although its run had not: the run was left there, was cut
// off, or continued in another process.
func (c *connection) tellReplayEnd(was engine.Status) {
	if c.replays() && c.join == nil && c.status.State == engine.Over && was.State != engine.Over && c.timeline.Live.Finished == nil {
		c.lastLine.say("The recording ends here: the run was left, interrupted or continued elsewhere.")
	}
}

// refusal returns why an action is not possible on a screen that does not control the run, or in a replay.
func (c *connection) refusal(a *keymap.Action) control.Sentence {
	if a.Acts == keymap.OnScreen {
		return ""
	}
	if onRun := control.Find(a.Name); c.replays() && (onRun == nil || !onRun.Playable) {
		return control.InReplay
	}
	if why, takeable := c.watched(); !takeable || a.Name != "take-control" {
		return why
	}
	return ""
}

// faster changes the speed of a recording by a number of steps. A negative number makes it slower.
func (c *connection) faster(by int) tea.Cmd {
	c.play.Faster(by)
	c.lastLine.say(fmt.Sprintf("Replay speed: %g×.", c.play.Speed()))
	return nil
}

func (c *connection) cannotSetSpeed() string {
	if !c.replays() {
		return "Speed applies to replays only: use playhead replay RUN."
	}
	return ""
}
