package machine

import (
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// byHand is how a person may reply in the place of a model.
func (m *Machine) byHand(f *frame, w plan.Model) ByHand {
	h := ByHand{Choices: w.Choices()}
	if w.Report == nil || w.Report.Form == nil {
		return h
	}
	h.Fields = m.shown(f, w.Report.Form.Fields(m.scope(f)))
	return h
}

// shown are the fields of a form with what they ask as a person reads it.
func (m *Machine) shown(f *frame, fields []plan.Field) []plan.Field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Prompt = plan.Literal(m.render(out[i].Prompt, f))
	}
	return out
}

// Report is the call that a person makes in a model's place by filling in the fields
// of its report.
func (m *Machine) Report(fields []string) (plan.ToolCall, error) {
	f := m.top()
	a, _ := m.action(f)
	w, _ := a.Work.(plan.Model)
	if h := m.byHand(f, w); len(h.Fields) == 0 || len(h.Fields) != len(fields) {
		return plan.ToolCall{}, fmt.Errorf("a report of %d fields is given where there are %d", len(fields), len(h.Fields))
	}
	return plan.ToolCall{ID: "report", Name: w.Report.Name, Arguments: w.Report.Form.Arguments(m.scope(f), fields)}, nil
}
