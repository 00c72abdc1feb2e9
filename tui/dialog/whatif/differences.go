package whatif

import (
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog/edit"
	"playhead/tui/form"
	"playhead/tui/runview"
)

// Moment is a decision of the run, and the events that led to it.
type Moment struct {
	Row      *track.Row // what decides
	Decision *machine.Decision
	Events   []machine.Event // of the branch that the run is on
	At       int             // how many of them come before the decision

	Suppose func(seq int) engine.Supposed // the run after an event
}

// difference is something that could have been different before a decision.
type difference struct {
	name           string // of a variable; outcome or reply, of what decides
	value          string // that it has; empty: not one that is short enough to be said
	options        []option
	own            form.Widget     // takes a value that is not offered; nil: there is none
	base           engine.Supposed // the run before it
	seq            int             // the last event of that
	lastingEffects []string        // what was done since and stays so
	change         func(value string) machine.Change
}

// option is a value that something could have, and what it is called.
type option struct{ name, value string }

func optionsOf(values []string) (out []option) {
	for _, v := range values {
		out = append(out, option{v, v})
	}
	return out
}

// differences are what can be changed before the decision: the variables, and of a
// step that acts its outcome and its model's reply.
func (m Moment) differences(run *runview.Run) []difference {
	then := m.after(m.At - 1)
	var out []difference
	for _, x := range run.Shown.Vars {
		out = append(out, otherValue(run, x, then))
	}
	if r := m.Row; !r.IsUnit() || len(r.Step.Actions) == 0 {
		return out
	}
	outcome := then
	outcome.name, outcome.options = "outcome", optionsOf([]string{"pass", "fail"})
	outcome.change = func(text string) machine.Change { return machine.Change{Result: plan.Result(text)} }
	if at, work := m.Row.RequestIn(m.Events[:m.At]); work != nil {
		out = append(out, otherReply(m.Events[at+1:], work, m.after(at)))
	}
	return append(out, outcome)
}

// after is a difference in the run after its i-th event.
func (m Moment) after(i int) difference {
	seq := m.Events[i].Seq
	return difference{base: m.Suppose(seq), seq: seq, lastingEffects: track.SideEffects(m.Events[:i+1], m.Events[i+1:])}
}

// otherValue is that a variable has another value: one of an input's own, one that is
// compared, or any.
func otherValue(run *runview.Run, x track.Var, d difference) difference {
	p := run.Plan
	d.name, d.value = x.Name, run.ValueText(x)
	d.change = func(text string) machine.Change { return machine.Change{Variable: x.Name, Value: text} }
	was := plan.TextOf(x.Value)
	switch w := edit.Widget(p, x.Name, was).(type) {
	case *form.Picker:
		d.options = optionsOf(w.Options)
	case *form.Toggle:
		d.options = optionsOf([]string{"true", "false"})
	case *form.Editor:
		d.options, d.own = optionsOf(p.Compared(x.Name)), w
	default:
		d.options, d.own = optionsOf(p.Compared(x.Name)), &form.OneLine{}
	}
	d.options = slices.DeleteFunc(d.options, func(o option) bool { return o.value == was })
	return d
}

// otherReply is that a model replies something else: one of the replies that there are,
// or one that begins with the reply as it was.
func otherReply(after []machine.Event, w *plan.Model, d difference) difference {
	d.name = "reply"
	d.change = func(text string) machine.Change { return machine.Change{Reply: &text} }
	for _, c := range w.Choices() {
		d.options = append(d.options, option{c.Name, c.Reply})
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
