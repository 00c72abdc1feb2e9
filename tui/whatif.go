package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// fork is a decision of the run and what could have been different before it.
type fork struct {
	step    string // the label of what decides
	changes []difference
}

// difference is one of those things.
type difference struct {
	name    string
	control widget
	base    *machine.Machine // the run before it
	seq     int              // the last event of that
	change  func(value string) machine.Change
}

// whatIf is the card that asks what, and shows what would come of it. Nothing happens
// until the person says so.
type whatIf struct {
	fork
	pick *picker
	at   *difference // nil: not chosen yet
	asks string      // the value that the decision was made for
	says []string    // what would be decided
	wide int
}

// askWhatIf opens the card for the decision of the selected step.
func (m *Model) askWhatIf() tea.Cmd {
	f := m.forkAt(m.decider())
	names := make([]string, len(f.changes))
	for i, d := range f.changes {
		names[i] = d.name
	}
	m.open(&whatIf{fork: f, pick: newPicker(names, "")})
	return nil
}

// decider is the row whose decision is looked at: the selected one's, or, while it has
// made none, the one that led there.
func (m *Model) decider() *track.Row {
	r := m.tree.selected()
	if r != nil && m.decidedAt(r.Label) < 1 && m.why.from != nil {
		return m.why.from
	}
	return r
}

// forkAt finds the last decision that a row has made, or is about to make.
func (m *Model) forkAt(r *track.Row) fork {
	if r == nil || m.past() {
		return fork{}
	}
	i := m.decidedAt(r.Label)
	if i < 0 {
		return fork{}
	}
	return fork{step: r.Label, changes: m.differences(r, i)}
}

// decidedAt is the place of a step's last decision among the events; behind the last
// one for a decision that is about to be made, -1 for none.
func (m *Model) decidedAt(label string) int {
	if n := m.status.Next; n != nil && n.Step == label && n.Body.Type() == "routed" {
		return len(m.events)
	}
	for i, e := range slices.Backward(m.events) {
		if d, ok := e.Body.(*machine.Decision); ok && e.Step == label && !d.Forced {
			return i
		}
	}
	return -1
}

// differences are what can be changed before the i-th event: the variables, and of a
// step that acts its outcome and its model's reply.
func (m *Model) differences(r *track.Row, i int) []difference {
	base := m.before(i)
	seq := m.events[i-1].Seq
	var out []difference
	for _, x := range m.track.Vars {
		value := plan.TextOf(x.Value)
		out = append(out, difference{x.Name + " = " + value, m.variable(x, value), base, seq, func(text string) machine.Change {
			return machine.Change{Variable: x.Name, Value: text}
		}})
	}
	if !r.Unit() || len(r.Step.Actions) == 0 {
		return out
	}
	out = append(out, difference{"the outcome of " + r.Label, newPicker([]string{"pass", "fail"}, ""), base, seq, func(text string) machine.Change {
		return machine.Change{Result: plan.Result(text)}
	}})
	if at, work := m.repliedAt(r, i); work != nil {
		out = append(out, difference{"the reply of " + r.Label, replyWidget(m.events[at+1:], work), m.before(at + 1), m.events[at].Seq, func(text string) machine.Change {
			return machine.Change{Reply: &text}
		}})
	}
	return out
}

// before is the run before the i-th event.
func (m *Model) before(i int) *machine.Machine {
	then := machine.New(m.cfg.Plan, machine.Options{})
	for _, e := range m.events[:i] {
		if _, back := e.Body.(*machine.Rewound); !back && then.Apply(e) != nil {
			break // what the session applied fits
		}
	}
	return then
}

// repliedAt is where a model was asked by the step before the i-th event, and the work.
func (m *Model) repliedAt(r *track.Row, i int) (int, *plan.Model) {
	for at := i - 1; at >= 0 && m.events[at].Step == r.Label; at-- {
		b, ok := m.events[at].Body.(*machine.ActionStarted)
		if !ok || b.Kind != "model" || b.Action >= len(r.Step.Actions) {
			continue
		}
		if work, ok := r.Step.Actions[b.Action].Work.(plan.Model); ok && work.Report == nil {
			return at, &work
		}
	}
	return 0, nil
}

// replyWidget begins with the reply as it was, or offers the replies that there are.
func replyWidget(after []machine.Event, w *plan.Model) widget {
	if choices := w.Choices(); len(choices) > 0 {
		texts := make([]string, len(choices))
		for i, c := range choices {
			texts[i] = c.Reply
		}
		return newPicker(texts, "")
	}
	if b, ok := after[0].Body.(*machine.ActionFinished); ok {
		return newEditor(b.Output)
	}
	return newEditor("")
}

func (c *whatIf) title(l *look) title {
	return title{"WHAT IF at " + clean(c.step), l.Muted.Paint("nothing happens until you say so")}
}

func (c *whatIf) tall() bool    { return true }
func (c *whatIf) writing() bool { return c.at != nil && c.at.control.writes() }

func (c *whatIf) control() widget {
	if c.at == nil {
		return c.pick
	}
	return c.at.control
}

func (c *whatIf) height(l *look, w int) int {
	return 1 + c.control().height(l, w) + len(c.foreseen(l, w))
}

func (c *whatIf) lines(l *look, w, h int) []string {
	says := c.foreseen(l, w)
	if c.at == nil {
		return append([]string{l.Bold.Paint("What were different?")}, c.pick.lines(l, w, h-1)...)
	}
	out := append([]string{l.Bold.Paint(l.cut(clean(c.at.name), w))}, c.at.control.lines(l, w, max(1, h-1-len(says)))...)
	return append(out, says...)
}

// foreseen is what would be decided with the value that the control has now.
func (c *whatIf) foreseen(l *look, w int) []string {
	if c.at == nil {
		return nil
	}
	value := c.at.control.value()
	if c.says != nil && value == c.asks && w == c.wide {
		return c.says
	}
	c.asks, c.wide = value, w
	e, err := c.at.base.WhatIf(c.at.change(value))
	if err != nil {
		c.says = []string{l.Warn.Paint(l.cut(clean(err.Error()), w))}
		return c.says
	}
	d := e.Body.(*machine.Decision)
	c.says = append([]string{l.Accent.Paint(l.cut("then "+clean(e.Step)+" → "+destination(d), w))}, weighed(l, d, w)...)
	return c.says
}

func (c *whatIf) paste(m *Model, text string) { c.control().paste(m.look, text) }

func (c *whatIf) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "ctrl+c":
		return nil, false
	case "esc":
		if c.at == nil {
			m.close(c)
		}
		c.at, c.says = nil, nil
		m.reflow()
		return nil, true
	}
	if c.at == nil {
		if sent, _ := c.pick.key(m.look, k); sent {
			c.at = &c.changes[c.pick.at]
		}
		m.reflow()
		return nil, true
	}
	sent, used := c.at.control.key(m.look, k)
	m.reflow()
	if !sent {
		return nil, used || c.at.control.writes()
	}
	m.close(c)
	at, change := c.at, c.at.change(c.at.control.value())
	m.say("The run stands before the decision, with that. {continue} goes on, {undo} takes it back.")
	return m.call(func(s session) error { return s.Instead(at.seq, change) }), true
}

func (c *whatIf) hints(*Model) []hint {
	if c.at == nil {
		return []hint{{"↑↓", "choose"}, {"enter", "change it"}, {"esc", "back"}}
	}
	key := "enter"
	if _, edits := c.at.control.(*editor); edits {
		key = "ctrl+s"
	}
	hints := []hint{{key, "make it so"}, {"esc", "forget it"}}
	if line, ok := c.at.control.(*oneLine); ok && len(line.offers) > 0 {
		hints = append(hints, hint{"↑↓", "values that are compared"})
	}
	return hints
}

func notForked(m *Model) string {
	switch r := m.decider(); {
	case m.session == nil:
		return "does nothing: the run has not started"
	case r == nil || m.decidedAt(r.Label) < 1:
		return "asks what if of a step that has decided, or is about to: select one"
	case len(m.track.Vars) == 0 && (!r.Unit() || len(r.Step.Actions) == 0):
		return "does nothing: there is nothing that could be different"
	}
	return ""
}
