package workflow

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// maxReportBytes limits the size of a report, in bytes (§7).
const maxReportBytes = 256 << 10

// malformedReport says why a reply is not a valid report.
type malformedReport struct {
	Message    string         `json:"error"`
	ErrorType  string         `json:"error_type"`
	Suggestion string         `json:"suggestion"`
	Problems   []fieldProblem `json:"problems"`
	code       string
}

// verdict returns the verdict on a reply that is not a valid report. If the model is not asked
// again, the step fails.
func (m *malformedReport) verdict(text string) plan.Verdict {
	reply := m.Message + ". " + m.Suggestion
	if m.code != "no-report" {
		data, err := json.Marshal(m)
		if err != nil {
			panic(err) // strings can always be encoded
		}
		reply = string(data)
	}
	return plan.Verdict{
		Outcome:        plan.Outcome{Result: plan.Failed, Source: "engine", Reason: m.Message, Text: text},
		RejectionReply: reply, Warnings: []plan.RunWarning{newWarning(m.code, m.Message)},
	}
}

// findReport returns the report in a reply's calls, or why there is no valid one.
func (r reportJudge) findReport(calls []plan.ToolCall) (*parsedReport, *malformedReport) {
	var reports []plan.ToolCall
	for _, c := range calls {
		if c.Name == reportToolName {
			reports = append(reports, c)
		}
	}
	if len(reports) == 0 {
		return nil, &malformedReport{Message: "the reply ends the step without a report", ErrorType: validationErrorType, code: "no-report",
			Suggestion: "Call " + reportToolName + " once, with the results you have, and call nothing else in that reply."}
	}
	check := reportChecker{stepNumber: r.StepNumber}
	if len(calls) > 1 {
		check.addProblem("call", "it must be the only call in its reply")
	}
	s := check.checkReport(reports[0].Arguments)
	if len(check.problems) == 0 {
		return s, nil
	}
	m := &malformedReport{Message: check.message(), ErrorType: validationErrorType, Problems: check.problems, code: "malformed-report",
		Suggestion: "Correct the named fields, then call " + reportToolName + " once, and call nothing else in that reply."}
	if check.isForOtherStep && len(check.problems) == 1 {
		m.ErrorType, m.code = "step_out_of_order", "step-out-of-order"
		m.Suggestion = fmt.Sprintf("Report step_number %d: steps are counted from 0.", r.StepNumber)
	}
	return nil, m
}

// reportChecker checks the fields of a report against the table in §7.
type reportChecker struct {
	stepNumber     int
	problems       []fieldProblem
	isForOtherStep bool
}

// maxListedProblems limits how many problems a message lists.
const maxListedProblems = 5

// message returns the message for a report with problems.
func (c *reportChecker) message() string {
	var texts []string
	for _, p := range c.problems[:min(len(c.problems), maxListedProblems)] {
		texts = append(texts, p.String())
	}
	return "the report is malformed: " + strings.Join(texts, "; ")
}

func (c *reportChecker) addProblem(field, format string, args ...any) {
	c.problems = append(c.problems, fieldProblem{field, fmt.Sprintf(format, args...)})
}

// addMismatch adds the problem that a field has another value than it must have.
func (c *reportChecker) addMismatch(field string, value any, expected string) {
	if value == nil {
		c.addProblem(field, "it is missing, but must be %s", expected)
		return
	}
	text := plan.CutText(plan.ValueText(value), plan.MaxValueChars)
	if _, isText := value.(string); isText {
		text = strconv.Quote(text)
	}
	c.addProblem(field, "it is %s, but must be %s", text, expected)
}

// checkReport parses a report and records its problems. The result is only used if there are none.
func (c *reportChecker) checkReport(arguments string) *parsedReport {
	if len(arguments) > maxReportBytes {
		c.addProblem("call", "it is larger than 256 KiB")
		return nil
	}
	fields, ok := decodeObjectKeepingNumbers(arguments)
	if !ok {
		c.addProblem("call", "its arguments are not a JSON object")
		return nil
	}
	c.checkStepNumber(fields["step_number"])
	s := &parsedReport{}
	if s.status, _ = fields["status"].(string); s.status != "passed" && s.status != "failed" {
		c.addMismatch("status", fields["status"], `"passed" or "failed"`)
	}
	c.checkAssertionResults(s, fields["assertion_results"])
	if s.outputValues, ok = fields["output_variables"].(map[string]any); !ok && fields["output_variables"] != nil {
		c.addMismatch("output_variables", fields["output_variables"], "an object")
	}
	if s.outputValues == nil {
		s.outputValues = map[string]any{}
	}
	if s.message, ok = fields["error_message"].(string); !ok && fields["error_message"] != nil {
		c.addMismatch("error_message", fields["error_message"], "a string")
	}
	return s
}

// decodeObjectKeepingNumbers reads one JSON object. Numbers stay as written.
func decodeObjectKeepingNumbers(text string) (object map[string]any, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&object) != nil || object == nil {
		return nil, false
	}
	return object, !dec.More() && strings.TrimSpace(text[dec.InputOffset():]) == ""
}

func (c *reportChecker) checkStepNumber(value any) {
	number, isNumber := value.(json.Number)
	n, err := strconv.ParseFloat(number.String(), 64)
	switch {
	case !isNumber || err != nil || n != math.Trunc(n):
		c.addMismatch("step_number", value, fmt.Sprintf("the integer %d", c.stepNumber))
	case n != float64(c.stepNumber):
		c.isForOtherStep = true
		c.addProblem("step_number", "it is %s, but must be %d (steps are counted from 0)", number, c.stepNumber)
	}
}

func (c *reportChecker) checkAssertionResults(s *parsedReport, value any) {
	list, ok := value.([]any)
	if !ok && value != nil {
		c.addMismatch("assertion_results", value, "an array of objects")
	}
	for i, entry := range list {
		s.results = append(s.results, c.checkAssertionResult(fmt.Sprintf("assertion_results[%d]", i), entry))
	}
}

func (c *reportChecker) checkAssertionResult(field string, entry any) assertionResult {
	fields, ok := entry.(map[string]any)
	if !ok {
		c.addMismatch(field, entry, "an object")
		return assertionResult{}
	}
	text, isText := fields["assertion"].(string)
	if !isText {
		c.addMismatch(field+".assertion", fields["assertion"], "a string")
	}
	passed, isBool := fields["passed"].(bool)
	if !isBool {
		c.addMismatch(field+".passed", fields["passed"], "true or false")
	}
	detail, isText := fields["detail"].(string)
	if !isText && fields["detail"] != nil {
		c.addMismatch(field+".detail", fields["detail"], "a string")
	}
	return assertionResult{text, &passed, detail}
}

// ReportError says why a report is not accepted. Type is an error type of §5.
type ReportError struct{ Message, Type, Suggestion string }

// CheckReport checks the arguments of a report as an agent's host gives them (§7), for the step with this number, counted
// from 0. It returns them unchanged, or says why the report is not accepted. Null and absent fields are left to the
// Judge.
func CheckReport(arguments []byte, number int) (report []byte, problem *ReportError) {
	check := reportChecker{stepNumber: number}
	check.checkReport(string(arguments))
	if len(check.problems) == 0 {
		return arguments, nil
	}
	if check.isForOtherStep {
		return nil, &ReportError{"the report is not for the current step: " + check.problems[0].String(), "step_out_of_order",
			"Call execute_workflow_step, then report the step that it returns."}
	}
	return nil, &ReportError{check.message(), validationErrorType, "Correct the named fields, and report again."}
}
