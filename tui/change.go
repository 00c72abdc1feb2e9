package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// stand is the execution that an intervention is about. The run may go on while
// the person still reads a question or writes a reason.
type stand struct {
	row  *track.Row
	exec *track.Exec
}

func (m *Model) standing() stand { return stand{m.track.Current, m.track.Current.Last()} }

// gone is what to say if the run is not there any more, "" while it is.
func (m *Model) gone(at stand) string {
	if at.row == nil || at == m.standing() {
		return ""
	}
	return "Nothing was done: the run has left " + draw.Clean(at.row.Label) + " meanwhile."
}

// change is an intervention on its way.
type change struct {
	name     string // Skip 4.2
	at       stand  // what it is about; nothing for a jump, which leads from anywhere
	again    bool   // executes something a second time
	before   bool   // it is of the step that a paused run has come from
	reasoned bool   // the person was asked for a reason or for values, and so has thought about it
	do       func(session) error
}

// stake is what a person should know before a change is made, "" for nothing.
func (m *Model) stake(c change) string {
	switch {
	case m.commandRuns():
		return m.underway() + ". It is ended first."
	case m.status.State == engine.Over && !c.reasoned:
		return "The run is over. This reopens it, and it continues from " + draw.Clean(c.at.row.Label) + "."
	case c.again:
		return "This is another attempt: what the step already did is not undone."
	}
	return ""
}

// intervene makes a change: at once, or after a question where something is at stake.
func (m *Model) intervene(c change) tea.Cmd {
	run := func() tea.Cmd {
		if why := m.gone(c.at); why != "" {
			m.say(why)
			return nil
		}
		m.followRun()
		return m.call(m.held(c))
	}
	if m.gone(c.at) != "" || m.stake(c) == "" {
		return run()
	}
	state := m.status.State
	return m.confirm(&confirm{
		name:  c.name + "?",
		about: func() string { return cmp.Or(m.stake(c), "Nothing runs any more.") },
		moot:  func() string { return m.overtaken(c, state) },
		yes:   run,
	})
}

// overtaken is why a change need not be asked about any more, "" while it must. A
// jump makes sense from wherever the run has got to.
func (m *Model) overtaken(c change, state engine.State) string {
	switch why := m.gone(c.at); {
	case why != "":
		return why
	case c.at.row != nil && m.status.State != state:
		return "Nothing was done: it has ended meanwhile."
	}
	return ""
}

// held makes a change in such a way that a paused run stays paused: before the
// step it leads to, or after the one that it runs again.
func (m *Model) held(c change) func(session) error {
	if m.status.State != engine.Paused {
		return c.do
	}
	m.stepping = true
	return func(s session) error {
		if err := s.Pause(); err != nil {
			return err
		}
		if err := c.do(s); err != nil || !c.again {
			return err
		}
		return s.Go(engine.StepOver, "")
	}
}

// decide answers the open question, or overrides the step's outcome. A question that
// another pane has the screen of is shown first.
func decide(value string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		switch q := m.question; {
		case q != nil && m.layout.Shape == panes.Narrow && m.focus != panes.Card:
			cmd := m.goToQuestion()
			m.say("This is the question: the same key again answers it.")
			return cmd
		case q != nil:
			return m.answer(q, q.value(value))
		}
		return m.force(m.forcing(value), value, "")
	}
}

// force makes a change that sets a step's outcome.
func (m *Model) force(c change, value, reason string) tea.Cmd {
	set := func(instead []plan.Assignment) tea.Cmd {
		c.do = func(s session) error {
			if c.before {
				return s.Override(plan.Result(value), reason, instead...)
			}
			return s.Force(plan.Result(value), reason, instead...)
		}
		return m.intervene(c)
	}
	if plan.Result(value) != plan.Passed {
		return set(nil)
	}
	return m.takes(c.name, func(instead []plan.Assignment) tea.Cmd {
		c.reasoned = c.reasoned || len(m.status.Withheld) > 0
		return set(instead)
	})
}

func decisionNoted(value string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if q := m.question; q != nil {
			return m.answerNoted(q, q.value(value))
		}
		c := m.forcing(value)
		m.open(newNote("Why set "+m.judged()+" to "+value+"?", "", value, func(reason string) tea.Cmd {
			c.reasoned = true
			return m.force(c, value, reason)
		}))
		return nil
	}
}

// value is the question's own word for pass or fail.
func (q *question) value(side string) string {
	for _, c := range q.choices() {
		if slices.Contains(c.actions, side) {
			return c.value
		}
	}
	return side
}

func (m *Model) forcing(value string) change {
	return change{name: "Set " + m.judged() + " to " + value, at: m.standing(), before: m.looksBefore()}
}

// where is the label of the step the run is at.
func (m *Model) where() string { return draw.Clean(m.track.Current.Label) }

// subject is the label of the step that is at hand: of a paused run, the one that is next.
func (m *Model) subject() string {
	if n := m.status.Next; m.status.State == engine.Paused && n != nil {
		return draw.Clean(n.Step)
	}
	return m.where()
}

// judged is the label of the step that an outcome is set of: the one at hand, or the one
// before while that is selected.
func (m *Model) judged() string {
	if m.looksBefore() {
		return m.where()
	}
	return m.subject()
}

// looksBefore reports whether the step that a paused run has come from is selected: as
// long as the next has not begun, its outcome can be set anew.
func (m *Model) looksBefore() bool {
	n, r := m.status.Next, m.track.Current
	if m.status.State != engine.Paused || n == nil || r == nil || r != m.tree.selected() {
		return false
	}
	_, enters := n.Body.(*machine.Entered)
	return enters && r.Status.Over()
}

// repeated is the row that would run again: the selected one, or the one that the run has
// come from while what is selected is where the run is.
func (m *Model) repeated() *track.Row {
	if r := m.tree.selected(); r != nil && r != m.position() {
		return r
	}
	return m.track.Current
}

// again runs a step again; one that was interrupted asks for that itself.
func (m *Model) again() tea.Cmd {
	r := m.repeated()
	if r != m.track.Current {
		return m.againFrom(r)
	}
	if q := m.question; q != nil && q.offers("rerun") {
		return m.answer(q, "rerun")
	}
	return m.intervene(change{
		name: "Run " + m.where() + " again", at: m.standing(), again: true,
		do: func(s session) error { return s.Retry("") },
	})
}

// againFrom goes back to before an earlier step and runs it, with what was edited since.
func (m *Model) againFrom(r *track.Row) tea.Cmd {
	i := m.entered(r)
	do, stays := m.goingBack(i), m.stays(i)
	return m.confirm(&confirm{
		name:  "Go back and run " + draw.Clean(r.Label) + " again?",
		about: func() string { return "The run goes back to before it, and is held after it." + unless(stays) },
		stays: stays,
		moot:  func() string { return "" },
		yes: func() tea.Cmd {
			m.followRun()
			m.stepping = true
			return m.call(do)
		},
	})
}

// entered is where the events of a row's newest execution begin.
func (m *Model) entered(r *track.Row) int {
	return slices.IndexFunc(m.events, func(e machine.Event) bool { return e.Seq == r.Last().Seq })
}

// goingBack goes back to before the i-th event and steps on from there, with what was
// edited since.
func (m *Model) goingBack(i int) func(session) error {
	to := m.events[i-1].Seq
	return func(s session) error { return s.Repeat(to, engine.StepOver) }
}

// skip asks for a reason where a person was asked: what only they can say is left out.
func (m *Model) skip() tea.Cmd {
	name, at := "Skip "+m.subject(), m.standing()
	skip := func(reason string) tea.Cmd {
		return m.intervene(change{
			name: name, at: at,
			do: func(s session) error { return s.Skip(reason) },
		})
	}
	if q := m.question; q == nil || q.ask.Kind != machine.KindDecide && q.ask.Kind != machine.KindAsk {
		return skip("")
	}
	m.open(newNote(name+": why?", "", "skip", skip))
	return nil
}

// jump asks for a reason: a jump is what a report shows first.
func (m *Model) jump() tea.Cmd {
	r := m.tree.selected()
	if m.replays() { // that is no intervention
		return m.call(func(s session) error { return s.Jump(r.Label, "") })
	}
	name := "Jump to " + draw.Clean(r.Label)
	m.open(newNote(name+": why?", "", "jump", func(reason string) tea.Cmd {
		return m.intervene(change{
			name: name, reasoned: true,
			do: func(s session) error { return s.Jump(r.Target(), reason) },
		})
	}))
	return nil
}
