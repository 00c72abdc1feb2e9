package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// goMode sets the session going, and the selection follows the run again.
func (m *Model) goMode(mode engine.Mode, to string) tea.Cmd {
	m.tree.follow = true
	m.stepping = mode != engine.Continue
	return m.call(func(s session) error { return s.Go(mode, to) })
}

func (m *Model) goOn() tea.Cmd     { return m.goMode(engine.Continue, "") }
func (m *Model) stepOver() tea.Cmd { return m.goMode(engine.StepOver, "") }
func (m *Model) stepInto() tea.Cmd { return m.goMode(engine.StepInto, "") }
func (m *Model) stepOut() tea.Cmd  { return m.goMode(engine.StepOut, "") }

func (m *Model) runTo() tea.Cmd {
	to := m.tree.selected().Label
	m.say("Running to " + to + ".")
	return m.goMode(engine.Continue, to)
}

func (m *Model) pause() tea.Cmd {
	if m.status.State == engine.Paused {
		return m.goOn()
	}
	m.say("The run pauses before the next step.")
	return m.call(session.Pause)
}

// cancel ends the command that runs, else asks whether to quit.
func (m *Model) cancel() tea.Cmd {
	if m.commandRuns() && !m.cancelled {
		m.cancelled = true
		m.say("Asked the command to stop. ctrl+c again quits.")
		return m.call(session.Cancel)
	}
	return m.quit()
}

// commandRuns reports whether a command is being executed.
func (m *Model) commandRuns() bool { return m.session != nil && m.status.Running != "" }

// stand is the execution that an intervention is about. The run may go on while
// the person still reads a question or writes a reason.
type stand struct {
	row  *track.Row
	exec *track.Exec
}

func (m *Model) standing() stand { return stand{m.track.Current, m.track.Current.Last()} }

// gone says so if the run is not there any more.
func (m *Model) gone(at stand) bool {
	left := at.row != nil && at != m.standing()
	if left {
		m.say("Nothing was done: the run has left " + at.row.Label + " meanwhile.")
	}
	return left
}

// intervene makes an intervention: at once, or after a question when a command
// would be ended by it.
func (m *Model) intervene(at stand, what string, do func(session) error) tea.Cmd {
	run := func() tea.Cmd {
		if m.gone(at) {
			return nil
		}
		m.tree.follow = true
		return m.call(do)
	}
	if !m.commandRuns() || m.gone(at) {
		return run()
	}
	m.open(&confirm{
		name:  what + "?",
		words: "The command of " + clean(m.status.Running) + " still runs. It is ended first.",
		yes:   run,
	})
	return nil
}

// decision answers the open question, or overrides the step's outcome.
func decision(value string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if q := m.question; q != nil {
			return m.answer(q, q.value(value))
		}
		return m.force(m.standing(), value, "")
	}
}

func decisionNoted(value string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if q := m.question; q != nil {
			cmd, _ := q.key(m, tea.KeyPressMsg{Text: strings.ToUpper(value[:1]), Code: rune(value[0])})
			return cmd
		}
		at := m.standing()
		m.open(newNote("Why set "+m.where()+" to "+value+"?", "", func(reason string) tea.Cmd {
			return m.force(at, value, reason)
		}))
		return nil
	}
}

// value is the question's own word for pass or fail.
func (q *question) value(side string) string {
	for _, c := range q.choices() {
		if c.key == side[:1] {
			return c.value
		}
	}
	return side
}

func (m *Model) force(at stand, value, reason string) tea.Cmd {
	result := plan.Result(value)
	return m.intervene(at, "Set "+clean(at.row.Label)+" to "+value, func(s session) error { return s.Force(result, reason) })
}

// where is the label of the step the run is at.
func (m *Model) where() string { return clean(m.track.Current.Label) }

func (m *Model) again() tea.Cmd {
	return m.intervene(m.standing(), "Run "+m.where()+" again", func(s session) error { return s.Retry("") })
}

func (m *Model) skip() tea.Cmd {
	return m.intervene(m.standing(), "Skip "+m.where(), func(s session) error { return s.Skip("") })
}

// jump asks for a reason: a jump is what a report shows first.
func (m *Model) jump() tea.Cmd {
	r := m.tree.selected()
	m.open(newNote("Jump to "+clean(r.Label)+": why?", "", func(reason string) tea.Cmd {
		return m.intervene(stand{}, "Jump to "+clean(r.Label), func(s session) error { return s.Jump(r.Target(), reason) })
	}))
	return nil
}

// goToQuestion gives the focus to what waits for the person.
func (m *Model) goToQuestion() tea.Cmd {
	if c := m.blocking(); c != nil {
		m.open(c)
		return nil
	}
	m.open(m.question)
	return nil
}

// blocking is the card that has to be answered before anything runs, or nil.
func (m *Model) blocking() card {
	for _, c := range m.cards {
		if _, ok := c.(*trust); ok {
			return c
		}
	}
	return nil
}

func (m *Model) find() tea.Cmd {
	m.output.search.begin()
	m.output.stale = true
	return m.focusPane(outputPane)
}

// match goes to the next or previous match.
func match(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		s := &m.output.search
		dir := logs.Forward
		if by < 0 {
			dir = logs.Backward
		}
		from := s.line + by
		if s.line < 0 {
			from = m.output.win.from
		}
		return s.look(m.output.log, from, dir, false)
	}
}

func (m *Model) beginTyping() tea.Cmd {
	m.output.typing = true
	m.output.follow = true
	m.output.stale = true
	return nil
}

// quit asks when something would be ended by it.
func (m *Model) quit() tea.Cmd {
	if !m.commandRuns() {
		return tea.Quit
	}
	m.open(&confirm{
		name: "Quit?",
		words: "The command of " + clean(m.status.Running) + " still runs and would be ended. The run is kept: " +
			"playhead resume " + clean(m.track.Run) + " goes on with it.",
		yes: func() tea.Cmd { return tea.Quit },
	})
	return nil
}
