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
	"playhead/tui/layout"
	"playhead/tui/session"
	"playhead/tui/timeline"
)

// runConnection connects the screen to the run that it shows: a session of this process, a run of another
// process, or a recording.
type runConnection struct {
	player    *replay.Player  // the recording that plays; nil: none
	remoteRun *remote.Session // the run of another process; nil: none
	timeline  *timeline.Timeline
	lastLine  *lastLineMessage

	queueCall  func(func() error) bool // queues a call to the session
	queueInput func(func() error) bool // queues keys for the running command

	session    session.Session // nil until the run may begin
	status     engine.Status
	outputSize layout.Rect // the size of the output that was sent to the session
}

// queueSessionCall queues a call to the session.
func (c *runConnection) queueSessionCall(do func(session.Session) error) tea.Cmd {
	s := c.session
	if s == nil || c.queueCall == nil {
		return nil
	}
	if !c.queueCall(func() error { return do(s) }) {
		c.lastLine.say("The run is busy: try again in a moment.")
	}
	return nil
}

// typeIntoCommand types into the running command.
func (c *runConnection) typeIntoCommand(b []byte) {
	s := c.session
	if len(b) == 0 || s == nil || c.queueInput == nil {
		return
	}
	if !c.queueInput(func() error { return s.TypeIntoCommand(b) }) {
		c.lastLine.say("The command is not reading input at the moment, so what you typed was dropped.")
	}
}

// logOpener returns a function that opens the log of an action, nil before there is a session.
func (c *runConnection) logOpener() func(file string) session.Log {
	if c.session == nil {
		return nil
	}
	return c.session.Log
}

// resizeOutput tells the session the size of the output, which is the terminal size of commands.
func (c *runConnection) resizeOutput(box layout.Rect) {
	if box.W <= 0 || box.H <= 0 || box.W == c.outputSize.W && box.H == c.outputSize.H || c.session == nil {
		return
	}
	c.outputSize = box
	c.queueSessionCall(func(s session.Session) error {
		s.Resize(box.W, box.H)
		return nil
	})
}

// isActionRunning reports whether a command or call is running.
func (c *runConnection) isActionRunning() bool { return c.session != nil && c.status.RunningStep != "" }

// isReplay reports whether the screen shows a recording.
func (c *runConnection) isReplay() bool { return c.player != nil }

// watchOnlyReason returns why this screen can only watch the run, "" if it controls the run. takeable reports
// whether it can take control.
func (c *runConnection) watchOnlyReason() (why control.Sentence, takeable bool) {
	if c.session == nil || c.isReplay() {
		return "", false
	}
	self := ""
	if c.remoteRun != nil {
		if self = c.remoteRun.ClientName(); self == "" {
			return control.Sentence(fmt.Sprintf("You are only watching this run. Use playhead attach %s to take control of it.", c.timeline.LiveTrack.RunID)), false
		}
	}
	switch by := c.status.Controller; by {
	case self:
		return "", false
	case "":
		return "The process that started the run controls it again. {take-control} to take control.", true
	default:
		return control.Sentence(fmt.Sprintf("Another screen (%s) controls this run. {take-control} to take control back.", by)), true
	}
}

// sayController says which screen controls the run, if that has changed.
func (c *runConnection) sayController(was engine.Status) {
	if was.Controller == c.status.Controller || was.State == "" || c.isReplay() {
		return
	}
	if why, takeable := c.watchOnlyReason(); takeable {
		c.lastLine.announce(why)
	} else if why == "" {
		c.lastLine.sayUntilKey("You control the run.")
	}
}

// sayPlayheadToolCall says which tool of Playhead an agent has called last.
func (c *runConnection) sayPlayheadToolCall(u engine.Update) {
	if u.IsRestarted || c.isReplay() {
		return
	}
	for _, e := range slices.Backward(u.Events) {
		if _, called := e.Body.(*machine.PlayheadToolCalled); called {
			c.lastLine.sayUntilKey(track.DescribeEvent(e) + ".")
			return
		}
	}
}

// sayReplayEnd says that a recording has ended although its run had not: the run was left there, was cut
// off, or continued in another process.
func (c *runConnection) sayReplayEnd(was engine.Status) {
	if c.isReplay() && c.remoteRun == nil && c.status.State == engine.Over && was.State != engine.Over && c.timeline.LiveTrack.Finished == nil {
		c.lastLine.say("The recording ends here: Playhead was quit, or the run was interrupted, or another process continued it.")
	}
}

// unavailableReason returns why an action is not possible on a screen that does not control the run, or in
// a replay.
func (c *runConnection) unavailableReason(a *keymap.KeyAction) control.Sentence {
	if a.ActsOn == keymap.ActsOnScreen {
		return ""
	}
	if c.isRefusedInReplay(a) {
		return control.InReplayReason
	}
	if why, takeable := c.watchOnlyReason(); !takeable || a.Name != "take-control" {
		return why
	}
	return ""
}

// isRefusedInReplay reports whether the screen shows a recording, on which an action never works.
func (c *runConnection) isRefusedInReplay(a *keymap.KeyAction) bool {
	onRun := control.FindAction(a.Name)
	return c.isReplay() && a.ActsOn != keymap.ActsOnScreen && (onRun == nil || !onRun.WorksInReplay)
}

// scaleSpeed doubles the speed of a recording so many times, or halves it if times is negative.
func (c *runConnection) scaleSpeed(times int) tea.Cmd {
	c.player.ScaleSpeed(times)
	c.lastLine.say(fmt.Sprintf("Replay speed: %g×.", c.player.Speed()))
	return nil
}

func (c *runConnection) speedUnavailableReason() string {
	if !c.isReplay() {
		return "Speed applies to replays only: use playhead replay RUN."
	}
	return ""
}
