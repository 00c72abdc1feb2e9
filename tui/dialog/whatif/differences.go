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

// difference is something that could have been different, with the widget that takes any other value.
type difference struct {
	whatif.Difference
	oldValue   string                 // the value that it had, as it may be seen
	otherValue form.Widget            // takes a value that is not offered; nil: there is none
	base       engine.DecisionPreview // the run before it
}

// differencesOf are those of a moment.
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

// ownWidget takes any other value of a variable; nil: it cannot have one.
func ownWidget(run *runview.Run, d whatif.Difference) form.Widget {
	if !d.Free {
		return nil
	}
	w := edit.Widget(run.Plan, d.Var.Name, plan.TextOf(d.Var.Value))
	if line, is := w.(*form.OneLine); is {
		return &form.OneLine{Suggestions: line.Suggestions} // what it was is not written again
	}
	return w
}

// describe says what a value would be, and what it was.
func (d *difference) describe(value string) string {
	if i := slices.IndexFunc(d.Options, func(o whatif.Option) bool { return o.Value == value }); i >= 0 {
		value = d.Options[i].Name
	}
	switch {
	case d.Kind == whatif.Limits, d.Kind == whatif.Reply:
		return d.Name() + ": " + draw.Clean(value)
	case d.Kind == whatif.Variable:
		return d.Name() + " = " + plan.Visible(value) + ", not " + plan.Visible(d.oldValue)
	}
	return d.Name() + " = " + draw.Clean(value) + ", not " + draw.Clean(d.oldValue)
}

// describeOwn says that any other value is to be written.
func (d *difference) describeOwn() string {
	if d.Kind == whatif.Reply {
		return d.Name() + ": write another"
	}
	return d.Name() + " = any other value"
}

// forecast is what would be decided with a value, nil if nothing can be said.
func (d *difference) forecast(value string) *machine.Decision {
	e, err := d.base(d.Change(value))
	if err != nil {
		return nil
	}
	return e.Body.(*machine.Decision)
}
