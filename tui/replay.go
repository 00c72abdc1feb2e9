package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/keymap"
)

// inReplay is what everything answers that would do something.
const inReplay = "This is a replay: nothing is executed, and nothing can be changed."

// cannotReplay is why an action makes no sense in a replay, "" when it does. ok says that
// this is all there is to say of the action.
func (m *Model) cannotReplay(a *keymap.Action) (why string, ok bool) {
	switch a.Name {
	case "continue", "over", "pause", "run-to":
		if m.status.State == engine.Over {
			return "The recording is over. {undo} to go back one step, or {jump} to go to the selected step.", true
		}
		return "", true
	case "undo", "redo", "jump", "interrupt":
		return "", true
	case "rewind", "fork", "slower", "faster":
		return "", false
	}
	switch {
	case a.Group == "run", a.Group == "decide", a.Group == "reply", a.Name == "edit", a.Name == "what-if":
		return inReplay, true
	}
	return "", false
}

// reportReplayEnd says that a recording ends where the run had not: it was left or cut off there,
// or goes on elsewhere.
func (m *Model) reportReplayEnd(was engine.Status) {
	if m.replays() && m.cfg.Join == nil && m.status.State == engine.Over && was.State != engine.Over && m.timeline.Live.Finished == nil {
		m.say("The recording ends here: the run was left, interrupted or continued elsewhere.")
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

func cannotSetSpeed(m *Model) string {
	if !m.replays() {
		return "Speed applies to replays only: use playhead replay RUN."
	}
	return ""
}
