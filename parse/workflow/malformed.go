package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// maxReport limits the size of a report, in bytes (§7).
const maxReport = 256 << 10

// malformed says why a reply is not a valid report.
type malformed struct {
	Message    string         `json:"error"`
	ErrorType  string         `json:"error_type"`
	Suggestion string         `json:"suggestion"`
	Problems   []fieldProblem `json:"problems"`
	code       string
}

// verdict answers a reply that is not a valid report. If the model is not asked again, the step
// fails.
func (m *malformed) verdict(text string) plan.Verdict {
	reply := m.Message + ". " + m.Suggestion
	if m.code != "no-report" {
		data, err := json.Marshal(m)
		if err != nil {
			panic(err) // strings can always be encoded
		}
		reply = string(data)
	}
	return plan.Verdict{
		Outcome: plan.Outcome{Result: plan.Failed, Source: "engine", Reason: m.Message, Text: text},
		Reply:   reply, Notes: []plan.Note{newNote(m.code, m.Message)},
	}
}

// read returns the report in a reply's calls, or why there is no valid one.
func (r report) read(calls []plan.ToolCall) (*reportContent, *malformed) {
	var reports []plan.ToolCall
	for _, c := range calls {
		if c.Name == reportName {
			reports = append(reports, c)
		}
	}
	if len(reports) == 0 {
		return nil, &malformed{Message: "the reply ends the step without a report", ErrorType: validation, code: "no-report",
			Suggestion: "Call " + reportName + " once, with the results there are, and nothing else in that reply."}
	}
	check := checker{number: r.Number}
	if len(calls) > 1 {
		check.fail("call", "it must be the only one in its reply")
	}
	s := check.report(reports[0].Arguments)
	if len(check.problems) == 0 {
		return s, nil
	}
	m := &malformed{ErrorType: validation, Problems: check.problems, code: "malformed-report",
		Suggestion: "correct the fields that are named and call " + reportName + " again, alone"}
	var texts []string
	for _, p := range m.Problems[:min(len(m.Problems), 5)] {
		texts = append(texts, p.String())
	}
	m.Message = "the report is malformed: " + strings.Join(texts, "; ")
	if check.otherStep && len(check.problems) == 1 {
		m.ErrorType, m.code = "step_out_of_order", "step-out-of-order"
		m.Suggestion = fmt.Sprintf("report step_number %d, the current step", r.Number)
	}
	return nil, m
}

// checker checks the fields of a report against the table in §7.
type checker struct {
	number    int
	problems  []fieldProblem
	otherStep bool
}

func (c *checker) fail(field, format string, args ...any) {
	c.problems = append(c.problems, fieldProblem{field, fmt.Sprintf(format, args...)})
}

func (c *checker) report(arguments string) *reportContent {
	if len(arguments) > maxReport {
		c.fail("call", "it is larger than 256 KiB")
		return nil
	}
	fields, ok := readObject(arguments)
	if !ok {
		c.fail("call", "its arguments are not a JSON object")
		return nil
	}
	c.step(fields["step_number"])
	s := &reportContent{}
	if s.status, _ = fields["status"].(string); s.status != "passed" && s.status != "failed" {
		c.fail("status", `it must be "passed" or "failed"`)
	}
	c.results(s, fields["assertion_results"])
	if s.values, ok = fields["output_variables"].(map[string]any); !ok && fields["output_variables"] != nil {
		c.fail("output_variables", "it must be an object")
	}
	if s.values == nil {
		s.values = map[string]any{}
	}
	if s.message, ok = fields["error_message"].(string); !ok && fields["error_message"] != nil {
		c.fail("error_message", "it must be a string")
	}
	return s
}

// readObject reads one JSON object. Numbers stay as written.
func readObject(text string) (object map[string]any, ok bool) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	if dec.Decode(&object) != nil || object == nil {
		return nil, false
	}
	return object, !dec.More() && strings.TrimSpace(text[dec.InputOffset():]) == ""
}

func (c *checker) step(value any) {
	number, isNumber := value.(json.Number)
	n, err := strconv.ParseFloat(number.String(), 64)
	switch {
	case !isNumber || err != nil || n != float64(int64(n)):
		c.fail("step_number", "it must be the integer %d", c.number)
	case n != float64(c.number):
		c.otherStep = true
		c.fail("step_number", "it is %s, but the current step is %d", number, c.number)
	}
}

func (c *checker) results(s *reportContent, value any) {
	list, ok := value.([]any)
	if !ok && value != nil {
		c.fail("assertion_results", "it must be an array of objects")
	}
	for i, entry := range list {
		s.results = append(s.results, c.result(fmt.Sprintf("assertion_results[%d]", i), entry))
	}
}

func (c *checker) result(field string, entry any) result {
	fields, ok := entry.(map[string]any)
	if !ok {
		c.fail(field, "it must be an object")
		return result{}
	}
	text, isText := fields["assertion"].(string)
	if !isText {
		c.fail(field+".assertion", "it must be a string")
	}
	passed, isBool := fields["passed"].(bool)
	if !isBool {
		c.fail(field+".passed", "it must be true or false")
	}
	detail, isText := fields["detail"].(string)
	if !isText && fields["detail"] != nil {
		c.fail(field+".detail", "it must be a string")
	}
	return result{text, &passed, detail}
}

// A ReportError is why a report cannot be taken.
type ReportError struct{ Message, Type, Suggestion string }

// ReadReport reads the arguments of a report as an agent's host gives them (§7), for the step of a number.
// Null and absent fields are left to the Judge.
func ReadReport(arguments []byte, number int) (report []byte, problem *ReportError) {
	check := checker{number: number}
	check.report(string(arguments))
	if len(check.problems) == 0 {
		return arguments, nil
	}
	if check.otherStep {
		return nil, &ReportError{"this is not the current step: " + check.problems[0].String(), "step_out_of_order",
			"call execute_workflow_step, and report the step that it returns"}
	}
	var texts []string
	for _, p := range check.problems[:min(len(check.problems), 5)] {
		texts = append(texts, p.String())
	}
	return nil, &ReportError{"the report is malformed: " + strings.Join(texts, "; "), validation, "correct the fields that are named, and report again"}
}
