package whatif

import (
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/parse/plan"
	"playhead/tui/dialog/edit"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/runview"
)

// difference is something that could have been different at a decision.
type difference struct {
	whatif.Difference
	oldValue   string                 // the value that it had, as it may be shown
	otherValue form.Widget            // takes a value that is not offered; nil: no other value is possible
	base       engine.DecisionPreview // previews decisions from the run before it
}

// differencesOf returns the differences at a moment.
func differencesOf(run *runview.Run, m whatif.Moment, suppose func(seq int) engine.DecisionPreview) []difference {
	var out []difference
	bases := map[int]engine.DecisionPreview{}
	for _, d := range m.Differences() {
		if bases[d.Before] == nil {
			bases[d.Before] = suppose(d.Before)
		}
		x := difference{Difference: d, oldValue: d.Text, base: bases[d.Before]}
		switch {
		case d.Kind == whatif.Variable:
			x.oldValue, x.otherValue = run.ValueText(d.Var), ownWidget(run, d)
		case d.Kind == whatif.Reply:
			x.otherValue = form.NewEditor(d.Text)
		}
		out = append(out, x)
	}
	return out
}

// ownWidget returns a widget for any other value of a variable, nil if no other value is possible.
func ownWidget(run *runview.Run, d whatif.Difference) form.Widget {
	if !d.Free {
		return nil
	}
	w := edit.VariableWidget(run.Plan, d.Var.Name, plan.TextOf(d.Var.Value))
	if line, is := w.(*form.OneLine); is {
		return &form.OneLine{Suggestions: line.Suggestions} // the old value is not offered for editing
	}
	return w
}

// describe returns the changed value and the old one, in words.
func (d *difference) describe(value string) string {
	if i := slices.IndexFunc(d.Options, func(o whatif.Option) bool { return o.Value == value }); i >= 0 {
		value = d.Options[i].Name
	}
	switch {
	case d.Kind == whatif.Limits, d.Kind == whatif.Reply, d.Kind == whatif.Answer:
		return d.Name() + ": " + draw.Clean(value)
	case d.Kind == whatif.Variable:
		return d.Name() + " = " + plan.Visible(value) + ", not " + plan.Visible(d.oldValue)
	}
	return d.Name() + " = " + draw.Clean(value) + ", not " + draw.Clean(d.oldValue)
}

// describeOwn returns the text of the option to write any other value.
func (d *difference) describeOwn() string {
	if d.Kind == whatif.Reply {
		return d.Name() + ": write another"
	}
	return d.Name() + " = any other value"
}

// forecast returns the decision that a value would lead to, nil if it is unknown.
func (d *difference) forecast(value string) *machine.Decision {
	e, err := d.base(d.Change(value))
	if err != nil {
		return nil
	}
	return e.Body.(*machine.Decision)
}
