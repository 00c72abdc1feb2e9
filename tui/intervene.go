package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/parse/plan"
	"playhead/tui/dialog/intervene"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/session"
)

// perform makes an intervention that the person wants, unless the run has gone on meanwhile.
func (m *Model) perform(p intervene.Perform) tea.Cmd {
	a, run, args := m.prepare(p.Do)
	if why := p.At.MovedPast(&run); why != "" {
		m.say(why)
		return nil
	}
	m.screen.FollowRun()
	if m.status.State != engine.Paused {
		return m.call(func(s session.Session) error { return a.Do(s, run, args) })
	}
	m.stepping = true
	return m.call(func(s session.Session) error { return performPaused(s, p, func() error { return a.Do(s, run, args) }) })
}

// performPaused makes an intervention so that a paused run stays paused: before the step that it leads
// to, or after the one that it runs again.
func performPaused(s session.Session, p intervene.Perform, do func() error) error {
	if err := s.Pause(); err != nil {
		return err
	}
	if err := do(); err != nil || !p.StepOver {
		return err
	}
	return s.Go(engine.StepOver, "")
}

// decide answers the open question, or overrides the step's outcome. A question that
// another pane has the screen of is shown first.
func decide(result plan.Result) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		switch q := m.question; {
		case q != nil && m.screen.Layout.Shape == panes.Narrow && m.screen.Focus != panes.Dialog:
			cmd := m.goToQuestion()
			m.say("Press the same key again to answer.")
			return cmd
		case q != nil:
			return m.screen.DoFor(q, q.Answer(m.view(), q.Value(string(result))))
		}
		return m.screen.Do(intervene.Decide(m.view(), result)...)
	}
}

func decisionNoted(result plan.Result) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if q := m.question; q != nil {
			return m.screen.DoFor(q, q.AnswerNoted(q.Value(string(result))))
		}
		return m.screen.Do(intervene.DecideNoted(m.view(), result)...)
	}
}

// again runs a step again; one that was interrupted asks for that itself.
func (m *Model) again() tea.Cmd {
	run := m.view()
	r := run.StepToRepeat()
	if q := m.question; r == run.Track.Current && q.HasAnswer("rerun") {
		return m.screen.DoFor(q, q.Answer(run, "rerun"))
	}
	return m.screen.Do(intervene.Again(run, r)...)
}

// undo asks the session what there is to undo, or to redo. A replay goes by steps.
func undo(redo bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		s := m.session
		if m.replays() {
			return m.do(request.Do{Action: map[bool]string{false: "undo", true: "redo"}[redo]})
		}
		return func() tea.Msg {
			next := s.NextUndo
			if redo {
				next = s.NextRedo
			}
			of, err := next()
			if err != nil {
				return session.Failed{Err: err}
			}
			return intervene.Undo{Redo: redo, Of: of}
		}
	}
}
