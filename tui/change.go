package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/note"
	"playhead/tui/dialog/reported"
	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// change is an intervention on its way, as a request of the dialogs that ask about it.
type change struct {
	request.Do
	name     string        // Skip 4.2
	at       runview.Stand // what it is about; nothing for a jump, which leads from anywhere
	again    bool          // executes something a second time
	reasoned bool          // the person was asked for a reason or for values, and so has thought about it
}

// confirmed is a change that the person wants, whatever is at stake.
type confirmed change

// stake is what a person should know before a change is made, "" for nothing.
func (c change) stake(r *control.Run) string {
	switch {
	case r.Status.Running != "":
		return draw.Clean(r.Underway()) + ". It is ended first."
	case r.Status.State == engine.Over && !c.reasoned:
		return "The run is over. This reopens it, and it continues from " + c.at.Step() + "."
	case c.again:
		return "This is another attempt: what the step already did is not undone."
	}
	return ""
}

// intervene makes a change: at once, or after a question where something is at stake.
func (m *Model) intervene(c change) tea.Cmd {
	run := m.run()
	stake := c.stake(&run)
	if c.at.Gone(&run) != "" || stake == "" {
		return m.carryThrough(c)
	}
	state := m.status.State
	m.open(&confirm.Dialog{
		Name: c.name + "?", Text: stake, Yes: []tea.Msg{confirmed(c)},
		Stake:    func(r *runview.Run) string { return cmp.Or(c.stake(&r.Run), "Nothing runs any more.") },
		Obsolete: func(r *runview.Run) string { return c.overtaken(&r.Run, state) },
	})
	return nil
}

// carryThrough makes a change that the person wants.
func (m *Model) carryThrough(c change) tea.Cmd {
	run := m.run()
	if why := c.at.Gone(&run); why != "" {
		m.say(why)
		return nil
	}
	m.followRun()
	return m.call(m.held(c))
}

// overtaken is why a change need not be asked about any more, "" while it must. A
// jump makes sense from wherever the run has got to.
func (c change) overtaken(r *control.Run, state engine.State) string {
	switch why := c.at.Gone(r); {
	case why != "":
		return why
	case !c.at.Anywhere() && r.Status.State != state:
		return "Nothing was done: it has ended meanwhile."
	}
	return ""
}

// held makes a change in such a way that a paused run stays paused: before the
// step it leads to, or after the one that it runs again.
func (m *Model) held(c change) func(session) error {
	a, run, args := m.prepare(c.Do)
	do := func(s session) error { return a.Do(s, run, args) }
	if m.status.State != engine.Paused {
		return do
	}
	m.stepping = true
	return func(s session) error {
		if err := s.Pause(); err != nil {
			return err
		}
		if err := do(s); err != nil || !c.again {
			return err
		}
		return s.Go(engine.StepOver, "")
	}
}

// intervention takes what the dialogs that lead to a change request.
func (m *Model) intervention(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case change:
		return m.intervene(r)
	case confirmed:
		return m.carryThrough(change(r))
	case outcome:
		return m.force(change(r))
	case exporting:
		return m.askWhere(runs.Export(r))
	case comparing:
		return m.compare(r.with)
	}
	return nil
}

// outcome is a change that sets a step's outcome: the values that it takes are asked for first.
type outcome change

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
			return m.carryOut(q, q.Answer(m.view(), q.Value(value)))
		}
		return m.force(m.forcing(value))
	}
}

// force makes a change that sets a step's outcome.
func (m *Model) force(c change) tea.Cmd {
	if c.Args.Result != plan.Passed {
		return m.intervene(c)
	}
	if len(m.status.Withheld) == 0 {
		return m.intervene(c)
	}
	c.reasoned = true
	m.open(reported.New(m.view(), c.name, func(_ *runview.Run, instead []plan.Assignment) []tea.Msg {
		c.Args.Values = instead
		return []tea.Msg{c}
	}))
	return nil
}

func decisionNoted(value string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if q := m.question; q != nil {
			return m.carryOut(q, q.AnswerNoted(q.Value(value)))
		}
		c := m.forcing(value)
		m.open(note.New("Why set "+m.judged()+" to "+value+"?", "", value, func(_ *runview.Run, reason string) []tea.Msg {
			c.reasoned, c.Args.Reason = true, reason
			return []tea.Msg{outcome(c)}
		}))
		return nil
	}
}

func (m *Model) forcing(value string) change {
	action := map[string]string{"pass": "pass", "fail": "fail"}[value]
	if m.looksBefore() {
		action = "override"
	}
	return change{
		Do:   request.Do{Action: action, Args: control.Args{Result: plan.Result(value)}},
		name: "Set " + m.judged() + " to " + value, at: m.view().Stand(),
	}
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
	if q := m.question; q.Offers("rerun") {
		return m.carryOut(q, q.Answer(m.view(), "rerun"))
	}
	return m.intervene(change{
		Do: request.Do{Action: "again"}, name: "Run " + m.where() + " again", at: m.view().Stand(), again: true,
	})
}

// againFrom goes back to before an earlier step and runs it, with what was edited since.
func (m *Model) againFrom(r *track.Row) tea.Cmd {
	m.ask(request.Do{Action: "again", Args: control.Args{Step: r}}, request.FollowRun{})
	return nil
}

// ask asks whether an action is to be done, with what it will change, and then requests it after
// something else.
func (m *Model) ask(do request.Do, before tea.Msg) {
	e := control.Named(do.Action).Effect(m.run(), do.Args)
	m.open(&confirm.Dialog{
		Name: draw.Clean(e.Title), Text: m.view().Sentence(e.Text), StaysDone: e.StaysDone, Yes: []tea.Msg{before, do},
	})
}

// skip asks for a reason where a person was asked: what only they can say is left out.
func (m *Model) skip() tea.Cmd {
	name, at := "Skip "+m.subject(), m.view().Stand()
	skip := func(_ *runview.Run, reason string) []tea.Msg {
		return []tea.Msg{change{Do: request.Do{Action: "skip", Args: control.Args{Reason: reason}}, name: name, at: at}}
	}
	if !m.question.WantsReason() {
		return m.carryOut(nil, skip(nil, ""))
	}
	m.open(note.New(name+": why?", "", "skip", skip))
	return nil
}

// jump asks for a reason: a jump is what a report shows first.
func (m *Model) jump() tea.Cmd {
	r := m.tree.selected()
	if m.replays() { // that is no intervention
		return m.do(request.Do{Action: "jump", Args: control.Args{Step: r}})
	}
	name := "Jump to " + draw.Clean(r.Label)
	m.open(note.New(name+": why?", "", "jump", func(_ *runview.Run, reason string) []tea.Msg {
		do := request.Do{Action: "jump", Args: control.Args{Step: r, Reason: reason}}
		return []tea.Msg{change{Do: do, name: name, reasoned: true}}
	}))
	return nil
}
