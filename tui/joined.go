package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/tui/keymap"
	"playhead/tui/session"
)

// watched returns why this screen can only look at the run, empty if it can act on it, and whether
// it can take the control.
func (m *Model) watched() (why control.Sentence, takeable bool) {
	if m.session == nil || m.replays() {
		return "", false
	}
	self := ""
	if m.cfg.Join != nil {
		if self = m.cfg.Join.Self(); self == "" {
			return control.Sentence(fmt.Sprintf("You only watch this run. Use playhead attach %s to take control of it.", m.timeline.Live.Run)), false
		}
	}
	switch by := m.status.Controller; by {
	case self:
		return "", false
	case "":
		return "The process of the run controls it again. {take-control} to take control.", true
	default:
		return control.Sentence(fmt.Sprintf("Another screen (%s) controls this run. {take-control} to take control back.", by)), true
	}
}

// changesRun are the actions that act on the run, outside the groups that do.
var changesRun = map[string]bool{"edit": true, "what-if": true, "type": true, "write-back": true, "end-leftovers": true}

// harmless are those of these groups that only look.
var harmless = map[string]bool{"interrupt": true, "breaks": true, "fork": true, "slower": true, "faster": true}

// cannotWhileWatched is why an action makes no sense on a screen that does not control the run.
func (m *Model) cannotWhileWatched(a *keymap.Action) control.Sentence {
	acts := (a.Group == "run" || a.Group == "decide" || a.Group == "reply") && !harmless[a.Name]
	if why, takeable := m.watched(); acts && !(takeable && a.Name == "take-control") || changesRun[a.Name] {
		return why
	}
	return ""
}

// tellController says whose screen controls the run, where that has changed.
func (m *Model) tellController(was engine.Status) {
	if was.Controller == m.status.Controller || was.State == "" {
		return
	}
	if why, takeable := m.watched(); takeable {
		m.sayNext(string(why))
	} else if why == "" {
		m.sayNext("You control the run.")
	}
}

// becomeReplay shows what a run has recorded whose process has ended.
func (m *Model) becomeReplay() tea.Cmd {
	player, err := m.cfg.Recorded()
	if err != nil {
		m.err = err
		return tea.Quit
	}
	m.cfg.Play, m.session, m.retold = player, session.Replay(player), true
	m.status = engine.Status{State: engine.Over}
	m.syncQuestion()
	m.launch(m.session)
	player.Start() // and all is told anew, also where an update of the other process is still on its way
	player.End()
	m.sayNext("The process that drove the run has ended. You see what it recorded.")
	return nil
}
