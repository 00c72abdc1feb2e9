package workflow

import (
	"encoding/json"
	"fmt"

	"playhead/parse/plan"
)

// form is the plan.Form for reporting instead of the model (§6).
type form struct {
	Number     int
	Assertions []string
	Outputs    []Output
}

// The verdicts on an assertion. An assertion that was not checked is not reported.
const (
	isTrue    = "true"
	isFalse   = "false"
	unchecked = "unchecked"
)

func (s *step) form() form { return form{s.number, s.assertTexts(), s.outputList()} }

// Fields implements plan.Form. Values are asked for under the names of their variables.
func (r form) Fields(scope plan.Scope) []plan.Field {
	f := &filler{scope: scope}
	fields := []plan.Field{
		{Name: "status", Type: "select", Prompt: plan.Literal("How did the step go?"), Options: []string{"passed", "failed"}},
		{Name: "error message", Type: "input", Prompt: plan.Literal("Why did it fail?"), Only: plan.Only{Field: "status", Is: []string{"failed"}}},
	}
	for i, text := range r.Assertions {
		name := fmt.Sprintf("assertion %d", i+1)
		fields = append(fields,
			plan.Field{Name: name, Type: "select", Prompt: plan.Literal(f.fill(text, nil)), Options: []string{isTrue, isFalse, unchecked}},
			plan.Field{Name: name + ", detail", Type: "input", Prompt: plan.Literal("What shows it?"), Only: plan.Only{Field: name, Is: []string{isTrue, isFalse}}})
	}
	for _, name := range variables(r.Outputs) {
		fields = append(fields, plan.Field{
			Name: name, Type: "value", Prompt: plan.Literal(r.source(name)), Only: plan.Only{Field: "status", Is: []string{"passed"}},
		})
	}
	return fields
}

// source returns the text in the document from which a variable gets its value.
func (r form) source(variable string) string {
	for _, o := range r.Outputs {
		if o.Variable == variable {
			return o.Source
		}
	}
	return ""
}

// Arguments implements plan.Form.
func (r form) Arguments(scope plan.Scope, answers []string) string {
	f := &filler{scope: scope}
	results, values := []map[string]any{}, map[string]json.RawMessage{}
	next := 2
	for _, text := range r.Assertions {
		if verdict := answers[next]; verdict == isTrue || verdict == isFalse {
			results = append(results, map[string]any{
				"assertion": f.fill(text, nil), "passed": verdict == isTrue, "detail": answers[next+1],
			})
		}
		next += 2
	}
	for i, name := range variables(r.Outputs) {
		if answer := answers[next+i]; json.Valid([]byte(answer)) {
			values[name] = json.RawMessage(answer)
		}
	}
	data, err := json.Marshal(map[string]any{
		"step_number": r.Number, "status": answers[0], "error_message": answers[1],
		"assertion_results": results, "output_variables": values,
	})
	if err != nil {
		panic(err) // texts and valid JSON can always be encoded
	}
	return string(data)
}
