package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/dialog"
)

// goMode sets the session going, and the selection follows the run again.
func (m *Model) goMode(mode engine.Mode, to string) tea.Cmd {
	m.followRun()
	m.stepping, m.target = mode != engine.Continue, to
	return m.call(func(s session) error { return s.Go(mode, to) })
}

func (m *Model) goOn() tea.Cmd     { return m.goMode(engine.Continue, "") }
func (m *Model) stepOver() tea.Cmd { return m.goMode(engine.StepOver, "") }
func (m *Model) stepInto() tea.Cmd { return m.goMode(engine.StepInto, "") }
func (m *Model) stepOut() tea.Cmd  { return m.goMode(engine.StepOut, "") }

func (m *Model) runTo() tea.Cmd {
	return m.goMode(engine.Continue, m.tree.selected().Label)
}

func (m *Model) pause() tea.Cmd {
	if m.status.State == engine.Paused {
		return m.goOn()
	}
	if !m.replays() {
		m.say("The run pauses before the next step.")
	}
	return m.call(session.Pause)
}

// commandRuns reports whether a command is being executed.
func (m *Model) commandRuns() bool { return m.session != nil && m.status.Running != "" }

// goToQuestion gives the focus to what waits for the person, and selects the step that
// asks: its text is what there is to read.
func (m *Model) goToQuestion() tea.Cmd {
	if c := m.blocking(); c != nil {
		m.open(c)
		return nil
	}
	m.toRun()
	m.open(m.question)
	return nil
}

// blocking is the dialog that has to be answered before anything runs, or nil.
func (m *Model) blocking() dialog.Dialog {
	for _, c := range m.dialogs {
		if b, is := c.(dialog.Blocker); is && b.BlocksRun() {
			return c
		}
	}
	return nil
}

// replying reports whether a model is being asked.
func (m *Model) replying() bool {
	r := m.track.Row(m.status.Running)
	return r.LastIsModel() && !r.Newest().Done
}
