package whatif

import (
	"playhead/engine"
	"playhead/engine/whatif"
	"playhead/parse/plan"
	"playhead/tui/dialog/edit"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/runview"
)

// possibleChange is something that could have been different at a decision.
type possibleChange struct {
	whatif.PossibleChange
	oldValue         string      // the value that it had, as it may be shown
	otherValueWidget form.Widget // takes a value that is not offered; nil: no other value is possible
}

// possibleChangesOf returns what could have been different at a moment.
func possibleChangesOf(run *runview.Run, m whatif.DecisionMoment, suppose func(seq int) engine.DecisionPreview) []possibleChange {
	var out []possibleChange
	for _, d := range m.PossibleChanges(suppose) {
		x := possibleChange{PossibleChange: d, oldValue: d.ActualText}
		switch {
		case d.Kind == whatif.VariableChange:
			x.oldValue, x.otherValueWidget = run.ShownValueText(d.Variable), newOtherValueWidget(run, d)
		case d.Kind == whatif.ReplyChange:
			x.otherValueWidget = form.NewEditor(d.ActualText)
		}
		out = append(out, x)
	}
	return out
}

// newOtherValueWidget returns a widget for any other value of a variable, nil if no other value is possible.
func newOtherValueWidget(run *runview.Run, d whatif.PossibleChange) form.Widget {
	if !d.AllowsAnyValue {
		return nil
	}
	w := edit.NewVariableWidget(run.Plan, d.Variable.Name, plan.ValueText(d.Variable.Value))
	if line, is := w.(*form.TextField); is {
		return &form.TextField{Suggestions: line.Suggestions, KeepsBlanks: true} // the old value is not offered for editing
	}
	return w
}

// maxOldValueWidth is the maximum width of the value that a variable had.
const maxOldValueWidth = 40

// describe returns the changed value and the old one, in words.
func (p *possibleChange) describe(dc *draw.Context, o whatif.Option) string {
	value := draw.CleanLine(o.Name)
	switch p.Kind {
	case whatif.LimitsChange:
		return value
	case whatif.ReplyChange, whatif.AnswerChange:
		text := p.Name() + ": " + value + o.LimitsSuffix()
		if p.UnknownIntent != "" {
			text += notText(dc, o, p.UnknownIntent)
		}
		return text
	case whatif.VariableChange:
		return p.Name() + " = " + whatif.ListedValueText(o.Name) + o.LimitsSuffix() + notText(dc, o, p.oldValue)
	}
	return p.Name() + " = " + value + o.LimitsSuffix() + ", not " + draw.CleanLine(p.oldValue)
}

// notText returns which value an option replaces, such as ", not Refund (only case differs)".
func notText(dc *draw.Context, o whatif.Option, oldValue string) string {
	return ", not " + dc.Cut(draw.CleanLine(whatif.ListedValueText(oldValue)), maxOldValueWidth) + plan.DifferenceNote(o.Name, oldValue)
}

// otherValueOptionText returns the text of the option to write any other value.
func (p *possibleChange) otherValueOptionText() string {
	if p.Kind == whatif.ReplyChange {
		return p.Name() + ": write another"
	}
	return p.Name() + " = any other value"
}

// forecastOrNil returns what an option would lead to, nil if it is unknown.
func (p *possibleChange) forecastOrNil(o whatif.Option) *whatif.Forecast {
	f, err := p.Forecast(o)
	if err != nil {
		return nil
	}
	return &f
}
