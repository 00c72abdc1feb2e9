package tui

import (
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog/edit"
	"playhead/tui/form"
)

// fork is a decision of the run and what could have been different before it.
type fork struct {
	step    string            // the label of what decides
	made    *machine.Decision // as it is
	changes []difference
}

// difference is one of those things.
type difference struct {
	name   string // of a variable; outcome or reply, of what decides
	value  string // that it has; empty: not one that is short enough to be said
	offers []option
	own    form.Widget     // takes a value that is not offered; nil: there is none
	base   engine.Supposed // the run before it
	seq    int             // the last event of that
	stays  []string        // what was done since and stays so
	change func(value string) machine.Change
}

// option is a value that something could have, and what it is called.
type option struct{ name, value string }

func optionsOf(values []string) (out []option) {
	for _, v := range values {
		out = append(out, option{v, v})
	}
	return out
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
	i := m.decidedAt(r.Label)
	e := m.shown().Next
	if i < len(m.until()) {
		e = &m.events[i]
	}
	return fork{step: r.Label, made: e.Body.(*machine.Decision), changes: m.differences(r, i)}
}

// decidedAt is the place of a step's last decision among the events that show; behind the
// last one for a decision that is about to be made, -1 for none.
func (m *Model) decidedAt(label string) int {
	events := m.until()
	if n := m.shown().Next; n != nil && n.Step == label && n.Body.Type() == "routed" {
		return len(events)
	}
	for i, e := range slices.Backward(events) {
		if d, ok := e.Body.(*machine.Decision); ok && e.Step == label && !d.Forced {
			return i
		}
	}
	return -1
}

// differences are what can be changed before the i-th event: the variables, and of a
// step that acts its outcome and its model's reply.
func (m *Model) differences(r *track.Row, i int) []difference {
	seq := m.events[i-1].Seq
	then := difference{base: m.session.Suppose(seq), seq: seq, stays: m.stays(i)}
	var out []difference
	for _, x := range m.track.Vars {
		out = append(out, m.otherValue(x, then))
	}
	if !r.Unit() || len(r.Step.Actions) == 0 {
		return out
	}
	outcome := then
	outcome.name, outcome.offers = "outcome", optionsOf([]string{"pass", "fail"})
	outcome.change = func(text string) machine.Change { return machine.Change{Result: plan.Result(text)} }
	if at, work := r.AskedIn(m.events[:i]); work != nil {
		seq := m.events[at].Seq
		out = append(out, otherReply(m.events[at+1:], work, difference{base: m.session.Suppose(seq), seq: seq, stays: m.stays(at + 1)}))
	}
	return append(out, outcome)
}

// otherValue is that a variable has another value: one of an input's own, one that is
// compared, or any.
func (m *Model) otherValue(x track.Var, d difference) difference {
	d.name, d.value = x.Name, m.why.value(x)
	d.change = func(text string) machine.Change { return machine.Change{Variable: x.Name, Value: text} }
	was := plan.TextOf(x.Value)
	switch w := edit.Widget(m.cfg.Plan, x.Name, was).(type) {
	case *form.Picker:
		d.offers = optionsOf(w.Options)
	case *form.Toggle:
		d.offers = optionsOf([]string{"true", "false"})
	case *form.Editor:
		d.offers, d.own = optionsOf(m.cfg.Plan.Compared(x.Name)), w
	default:
		d.offers, d.own = optionsOf(m.cfg.Plan.Compared(x.Name)), &form.OneLine{}
	}
	d.offers = slices.DeleteFunc(d.offers, func(o option) bool { return o.value == was })
	return d
}

// otherReply is that a model replies something else: one of the replies that there are,
// or one that begins with the reply as it was.
func otherReply(after []machine.Event, w *plan.Model, d difference) difference {
	d.name = "reply"
	d.change = func(text string) machine.Change { return machine.Change{Reply: &text} }
	for _, c := range w.Choices() {
		d.offers = append(d.offers, option{c.Name, c.Reply})
	}
	said := ""
	if len(after) > 0 {
		if b, ok := after[0].Body.(*machine.ActionFinished); ok {
			said = b.Output
		}
	}
	d.own = form.NewEditor(said)
	return d
}
