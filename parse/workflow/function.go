package workflow

import (
	"encoding/json"

	"playhead/parse/plan"
)

// schema is a JSON Schema, as much of it as a report needs (§7).
type schema struct {
	Type       string            `json:"type,omitempty"`
	Enum       []any             `json:"enum,omitempty"`
	Minimum    *int              `json:"minimum,omitempty"`
	Closed     *bool             `json:"additionalProperties,omitempty"`
	Required   []string          `json:"required,omitempty"`
	Properties map[string]schema `json:"properties,omitempty"`
	Items      *schema           `json:"items,omitempty"`
}

func object(required []string, properties map[string]schema) schema {
	closed := false
	return schema{Type: "object", Closed: &closed, Required: required, Properties: properties}
}

// function is the report that a model ends the step with.
func (s *step) function() *plan.Function {
	text := schema{Type: "string"}
	result := object([]string{"assertion", "passed"}, map[string]schema{"assertion": text, "passed": {Type: "boolean"}, "detail": text})
	values := schema{Type: "object", Properties: map[string]schema{}}
	for _, o := range s.outputs {
		values.Properties[o.Variable] = schema{}
	}
	required := []string{"step_number", "status"}
	if len(s.asserts) > 0 {
		required = append(required, "assertion_results")
	}
	if len(s.outputs) > 0 {
		required = append(required, "output_variables")
	}
	data, err := json.Marshal(object(required, map[string]schema{
		"step_number":       {Type: "integer", Minimum: new(int), Enum: []any{s.number}},
		"status":            {Type: "string", Enum: []any{"passed", "failed"}},
		"assertion_results": {Type: "array", Items: &result},
		"output_variables":  values,
		"error_message":     text,
	}))
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	return &plan.Function{Name: reportName, Description: "Reports how the step went and ends it.", Schema: data, Form: s.form()}
}
