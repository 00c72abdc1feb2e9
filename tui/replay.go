package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/replay"
	"playhead/tui/keymap"
)

// canPlay is why an action makes no sense in a replay, "" when it does. ok says that
// this is all there is to say of the action.
func (m *Model) canPlay(a *keymap.Action) (why string, ok bool) {
	switch a.Name {
	case "continue", "over", "pause", "run-to":
		if m.status.State == engine.Over {
			return "does nothing: the recording is over; {undo} goes back by a step, {jump} to the selected one", true
		}
		return "", true
	case "undo", "redo", "jump", "cancel":
		return "", true
	case "rewind", "fork", "slower", "faster":
		return "", false
	}
	switch a.Group {
	case "run", "decide", "reply":
		return "does nothing: " + replay.ErrReplay.Error(), true
	}
	if a.Name == "edit" || a.Name == "what-if" {
		return "does nothing: " + replay.ErrReplay.Error(), true
	}
	return "", false
}

// reportReplayEnd says that a recording ends where the run had not: it was left or cut off there,
// or goes on elsewhere.
func (m *Model) reportReplayEnd(was engine.Status) {
	if m.replays() && m.status.State == engine.Over && was.State != engine.Over && m.timeline.Live.Finished == nil {
		m.say("The recording ends here: the run was left or cut off, or goes on elsewhere.")
	}
}

// speed plays faster, or slower for less than 0.
func speed(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		p := m.cfg.Play
		p.Faster(by)
		m.say(fmt.Sprintf("%g× the speed it was recorded at.", p.Speed()))
		return nil
	}
}

func canSetSpeed(m *Model) string {
	if !m.replays() {
		return "sets the speed of a replay: playhead replay RUN plays a recorded run"
	}
	return ""
}
