package workflow

import (
	"encoding/json"
	"fmt"

	"playhead/parse/plan"
)

// reportForm is the plan.Form for reporting instead of the model (§6).
type reportForm struct {
	StepNumber int
	Assertions []string
	Outputs    []Output
}

// The verdicts on an assertion. An assertion that was not checked is not reported.
const (
	verdictTrue      = "true"
	verdictFalse     = "false"
	verdictUnchecked = "unchecked"
)

func (s *step) newReportForm() reportForm {
	return reportForm{s.number, s.assertionTexts(), s.outputList()}
}

// Fields implements plan.Form. Values are asked for under the names of their variables.
func (r reportForm) Fields(scope plan.Scope) []plan.Field {
	f := &placeholderFiller{scope: scope}
	fields := []plan.Field{
		{Name: "status", Type: "select", Prompt: plan.Literal("How did the step go?"), Options: []string{"passed", "failed"}},
		{Name: "error message", Type: "input", Prompt: plan.Literal("Why did it fail?"), AskedIf: plan.FieldCondition{Field: "status", AnyOf: []string{"failed"}}},
	}
	for i, text := range r.Assertions {
		name := fmt.Sprintf("assertion %d", i+1)
		fields = append(fields,
			plan.Field{Name: name, Type: "select", Prompt: plan.Literal(f.fill(text, nil)), Options: []string{verdictTrue, verdictFalse, verdictUnchecked}},
			plan.Field{Name: name + ", detail", Type: "input", Prompt: plan.Literal("What is the evidence?"), AskedIf: plan.FieldCondition{Field: name, AnyOf: []string{verdictTrue, verdictFalse}}})
	}
	for _, name := range variableNames(r.Outputs) {
		fields = append(fields, plan.Field{
			Name: name, Type: "value", Prompt: plan.Literal(r.outputSourceText(name)), AskedIf: plan.FieldCondition{Field: "status", AnyOf: []string{"passed"}},
		})
	}
	return fields
}

// outputSourceText returns the text in the document from which a variable gets its value.
func (r reportForm) outputSourceText(variable string) string {
	for _, o := range r.Outputs {
		if o.Variable == variable {
			return o.Source
		}
	}
	return ""
}

// Arguments implements plan.Form.
func (r reportForm) Arguments(scope plan.Scope, answers []string) string {
	f := &placeholderFiller{scope: scope}
	results, values := []map[string]any{}, map[string]json.RawMessage{}
	next := 2
	for _, text := range r.Assertions {
		if verdict := answers[next]; verdict == verdictTrue || verdict == verdictFalse {
			results = append(results, map[string]any{
				"assertion": f.fill(text, nil), "passed": verdict == verdictTrue, "detail": answers[next+1],
			})
		}
		next += 2
	}
	for i, name := range variableNames(r.Outputs) {
		if answer := answers[next+i]; json.Valid([]byte(answer)) {
			values[name] = json.RawMessage(answer)
		}
	}
	data, err := json.Marshal(map[string]any{
		"step_number": r.StepNumber, "status": answers[0], "error_message": answers[1],
		"assertion_results": results, "output_variables": values,
	})
	if err != nil {
		panic(err) // texts and valid JSON can always be encoded
	}
	return string(data)
}
