package whatif

import (
	"slices"

	"playhead/engine"
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
	oldValue         string                 // the value that it had, as it may be shown
	otherValueWidget form.Widget            // takes a value that is not offered; nil: no other value is possible
	previewDecision  engine.DecisionPreview // previews decisions from the run before it
}

// differencesOf returns the differences at a moment.
func differencesOf(run *runview.Run, m whatif.DecisionMoment, suppose func(seq int) engine.DecisionPreview) []difference {
	var out []difference
	bases := map[int]engine.DecisionPreview{}
	for _, d := range m.Differences() {
		if bases[d.EventSeqBefore] == nil {
			bases[d.EventSeqBefore] = suppose(d.EventSeqBefore)
		}
		x := difference{Difference: d, oldValue: d.ActualText, previewDecision: bases[d.EventSeqBefore]}
		switch {
		case d.Kind == whatif.VariableDifference:
			x.oldValue, x.otherValueWidget = run.ValueText(d.Variable), newOtherValueWidget(run, d)
		case d.Kind == whatif.ReplyDifference:
			x.otherValueWidget = form.NewEditor(d.ActualText)
		}
		out = append(out, x)
	}
	return out
}

// newOtherValueWidget returns a widget for any other value of a variable, nil if no other value is possible.
func newOtherValueWidget(run *runview.Run, d whatif.Difference) form.Widget {
	if !d.AllowsAnyValue {
		return nil
	}
	w := edit.NewVariableWidget(run.Plan, d.Variable.Name, plan.ValueText(d.Variable.Value))
	if line, is := w.(*form.OneLine); is {
		return &form.OneLine{Suggestions: line.Suggestions} // the old value is not offered for editing
	}
	return w
}

// maxOldValueWidth is the maximum width of the value that a variable had.
const maxOldValueWidth = 40

// describe returns the changed value and the old one, in words.
func (d *difference) describe(l *draw.Look, value string) string {
	if i := slices.IndexFunc(d.Options, func(o whatif.Option) bool { return o.Value == value }); i >= 0 {
		value = d.Options[i].Name
	}
	switch {
	case d.Kind == whatif.LimitsDifference, d.Kind == whatif.ReplyDifference, d.Kind == whatif.AnswerDifference:
		return d.Name() + ": " + draw.CleanLine(value)
	case d.Kind == whatif.VariableDifference:
		return d.Name() + " = " + plan.VisibleText(value) + ", not " + l.Cut(draw.CleanLine(plan.VisibleText(d.oldValue)), maxOldValueWidth)
	}
	return d.Name() + " = " + draw.CleanLine(value) + ", not " + draw.CleanLine(d.oldValue)
}

// otherValueOptionText returns the text of the option to write any other value.
func (d *difference) otherValueOptionText() string {
	if d.Kind == whatif.ReplyDifference {
		return d.Name() + ": write another"
	}
	return d.Name() + " = any other value"
}

// forecast returns what a value would lead to, nil if it is unknown.
func (d *difference) forecast(value string) *whatif.Forecast {
	f, err := whatif.ForecastOf(d.previewDecision, d.ChangeTo(value))
	if err != nil {
		return nil
	}
	return &f
}
