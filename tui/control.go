package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
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

// blocking is the card that has to be answered before anything runs, or nil.
func (m *Model) blocking() card {
	for _, c := range m.cards {
		if b, is := c.(dialog.Blocker); is && b.BlocksRun() {
			return c
		}
	}
	return nil
}

// underway says what is under way: a command, or a call of a model.
func (m *Model) underway() string {
	step := draw.Clean(m.status.Running)
	if m.replying() {
		return "The reply to " + step + " is still coming"
	}
	if tool := toolOf(m.track.Row(m.status.Running)); tool != "" {
		return "The call of " + tool + " for " + step + " still runs"
	}
	return "The command of " + step + " still runs"
}

// replying reports whether a model is being asked.
func (m *Model) replying() bool {
	r := m.track.Row(m.status.Running)
	return calls(r) && !r.Newest().Done
}

// asks reports whether an action of a row is to ask a model, whatever that made it do.
func asks(r *track.Row, action int) bool {
	if r == nil || r.Step == nil || action >= len(r.Step.Actions) {
		return false
	}
	_, model := r.Step.Actions[action].Work.(plan.Model)
	return model
}

// callsTool reports whether a row's step calls a tool itself, in the place of a model.
func callsTool(r *track.Row) bool {
	return r != nil && r.Step != nil && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		_, tool := a.Work.(plan.Tool)
		return tool
	})
}

// toolOf is the tool that a row called last, if that is the last that it did.
func toolOf(r *track.Row) string {
	if r == nil || r.Newest() == nil || r.Newest().Kind != "tool" {
		return ""
	}
	return draw.ToolName(r.Newest().Server, r.Newest().Tool)
}

// calls reports whether what a row did last, or does, is a call of a model.
func calls(r *track.Row) bool {
	return r != nil && r.Newest() != nil && r.Newest().Kind == "model"
}
