package workflow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// reportJudge is the Judge of a model's reply (§7): the call that ends a step.
type reportJudge struct {
	StepNumber int
	Tools      []string
	Outputs    []Output
	Assertions []string
}

func (s *step) newReportJudge() reportJudge {
	return reportJudge{s.number, s.toolNames(), s.outputList(), s.assertionTexts()}
}

// Sets implements plan.VariableSetter.
func (r reportJudge) Sets() []string { return variableNames(r.Outputs) }

// Judge implements plan.Judge. A malformed report is answered with what is wrong. If it is not
// asked for again, the step fails.
func (r reportJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	report, malformed := r.findReport(p.ToolCalls)
	if malformed != nil {
		return malformed.verdict(p.Text)
	}
	v := plan.Verdict{Outcome: plan.Outcome{Source: "model", Text: p.Text}}
	f := &placeholderFiller{scope: scope}
	declared := make([]string, len(r.Assertions))
	for i, a := range r.Assertions {
		declared[i] = f.fill(a, nil)
	}
	results, warnings := matchResults(declared, report.results)
	v.Warnings, v.Checks = warnings, resultChecks(results)
	v.Data = map[string]any{
		"reported_status": report.status, "assertion_results": resultData(results),
		"output_variables": report.outputValues, "error_message": report.message,
	}
	r.assignVariables(&v, report.outputValues)
	if report.status == "passed" && p.RepliedBy == "" { // a person calls no tools
		v.Warnings = append(v.Warnings, r.toolCallWarnings(f, scope)...)
	}
	setOutcome(&v, report, results)
	return v
}

// setOutcome applies the table of §7 to a report and its assertions. If a report says passed but an
// assertion does not hold or has no result, the outcome is held: a person decides, and if nobody is
// there, the step has failed.
func setOutcome(v *plan.Verdict, report *parsedReport, results []assertionResult) {
	firstRefuted := slices.IndexFunc(results, func(r assertionResult) bool { return r.passed != nil && !*r.passed })
	firstUnverified := slices.IndexFunc(results, func(r assertionResult) bool { return r.passed == nil })
	if firstRefuted >= 0 {
		v.Reason = "assertion failed: " + results[firstRefuted].assertion
		if detail := results[firstRefuted].detail; detail != "" {
			v.Reason += " (" + detail + ")"
		}
	}
	unverified := unverifiedWarnings(results)
	switch {
	case report.status == "failed":
		v.Result, v.Reason = plan.Failed, cmp.Or(report.message, v.Reason, "no reason was given")
	case firstRefuted >= 0:
		v.Result = plan.Undecided
		v.Warnings = append(append(v.Warnings, newWarning("assertion-failed", v.Reason)), unverified...)
	case firstUnverified >= 0:
		v.Result, v.Reason = plan.Undecided, "not verified: "+results[firstUnverified].assertion
		if n := len(unverified) - 1; n > 0 {
			v.Reason += fmt.Sprintf(" (and %d more)", n)
		}
		v.Warnings = append(v.Warnings, unverified...)
	default:
		v.Result = plan.Passed
	}
}

// unverifiedWarnings returns warnings for assertions without a result.
func unverifiedWarnings(results []assertionResult) (warnings []plan.RunWarning) {
	for _, r := range results {
		if r.passed == nil {
			warnings = append(warnings, newWarning("assertion-unverified", "no result for the assertion: "+r.assertion))
		}
	}
	return warnings
}

// assignVariables assigns the declared variables. null means no value.
func (r reportJudge) assignVariables(v *plan.Verdict, values map[string]any) {
	declared := variableNames(r.Outputs)
	for _, name := range declared {
		if value := values[name]; value != nil {
			v.Assignments = append(v.Assignments, plan.Assignment{Name: name, Value: value})
		} else {
			v.Warnings = append(v.Warnings, newWarning("output-missing", name+" was not reported"))
		}
	}
	var others []string
	for name := range values {
		if !slices.Contains(declared, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		if values[name] != nil {
			v.UndeclaredValues = append(v.UndeclaredValues, plan.Assignment{Name: name, Value: values[name]})
		}
		v.Warnings = append(v.Warnings, newWarning("undeclared-output", name+" was reported but is not an output of the step"))
	}
}

// toolCallWarnings warns of declared tools that were not called, or called in another order.
func (r reportJudge) toolCallWarnings(f *placeholderFiller, scope plan.Scope) (warnings []plan.RunWarning) {
	calls := plan.PreviousToolCalls(scope)
	last, ordered := -1, true
	seen := map[string]bool{}
	for _, t := range r.Tools {
		name := f.fillToolName(t)
		if seen[name] {
			continue
		}
		seen[name] = true
		first := slices.IndexFunc(calls, func(c plan.ToolCall) bool { return c.IsFor(name) })
		if first < 0 {
			warnings = append(warnings, newWarning("tool-not-called", name+" was not called"))
			continue
		}
		ordered = ordered && first > last
		last = first
	}
	if !ordered {
		warnings = append(warnings, newWarning("tool-order", "the tools were not called in the listed order"))
	}
	return warnings
}

func newWarning(code, message string) plan.RunWarning {
	return plan.RunWarning{Code: Format + "/" + code, Message: message}
}

// resultData returns results in the form in which the outcome stores them.
func resultData(results []assertionResult) []any {
	out := []any{}
	for _, r := range results {
		entry := map[string]any{"assertion": r.assertion, "passed": nil, "detail": r.detail}
		if r.passed != nil {
			entry["passed"] = *r.passed
		}
		out = append(out, entry)
	}
	return out
}

// resultChecks returns results as checks of the outcome, for people.
func resultChecks(results []assertionResult) (out []plan.Check) {
	for _, r := range results {
		verdict := plan.Unverified
		switch {
		case r.passed == nil:
		case *r.passed:
			verdict = plan.Passed
		default:
			verdict = plan.Failed
		}
		out = append(out, plan.Check{Text: r.assertion, Verdict: verdict, Detail: r.detail})
	}
	return out
}

// parsedReport is a well-formed report.
type parsedReport struct {
	status       string
	results      []assertionResult
	outputValues map[string]any
	message      string
}

// assertionResult is the reported result of one assertion.
type assertionResult struct {
	assertion string // as declared, else as reported
	passed    *bool  // nil: unverified
	detail    string
}

// fieldProblem says what is wrong with a field of a report.
type fieldProblem struct {
	Field   string `json:"field"`
	Problem string `json:"problem"`
}

func (p fieldProblem) String() string { return fmt.Sprintf("%s: %s", p.Field, p.Problem) }

// reportSchema is the format of the JSON Schema of a report (§7). Its values are further required fields, the properties
// of output_variables, and the step's number. It is written as a text because a large
// document has 40,000 steps.
const reportSchema = `{"type":"object","additionalProperties":false,"required":["step_number","status"%s],"properties":{` +
	`"assertion_results":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["assertion","passed"],` +
	`"properties":{"assertion":{"type":"string"},"detail":{"type":"string"},"passed":{"type":"boolean"}}}},` +
	`"error_message":{"type":"string"},"output_variables":{"type":"object"%s},` +
	`"status":{"type":"string","enum":["passed","failed"]},"step_number":{"type":"integer","enum":[%d],"minimum":0}}}`

// reportTool returns the function with which a model ends the step.
func (s *step) reportTool() *plan.OfferedTool {
	required, outputs := "", ""
	if len(s.assertions) > 0 {
		required = `,"assertion_results"`
	}
	if len(s.outputs) > 0 {
		required += `,"output_variables"`
		names := map[string]struct{}{}
		for _, o := range s.outputs {
			names[o.Variable] = struct{}{}
		}
		properties, _ := json.Marshal(names) // names can always be encoded
		outputs = `,"properties":` + string(properties)
	}
	schema := fmt.Appendf(nil, reportSchema, required, outputs, s.number)
	return &plan.OfferedTool{Name: reportToolName, Description: "Reports how the step went and ends it.", Schema: schema, Form: s.newReportForm()}
}

// matchResults assigns reported results to the declared assertions (§7): by position if the texts are equal
// or nothing contradicts it, then by text. Assertions without a result are unverified, and
// remaining results are added at the end.
func matchResults(declared []string, reported []assertionResult) (results []assertionResult, warnings []plan.RunWarning) {
	results = make([]assertionResult, len(declared))
	indexesByText := map[string][]int{} // the indexes of the assertions, in order
	for i, text := range declared {
		results[i].assertion = text
		key := comparableText(text)
		indexesByText[key] = append(indexesByText[key], i)
	}
	var rest []assertionResult
	for i, r := range reported {
		key := comparableText(r.assertion)
		_, isDeclared := indexesByText[key]
		switch {
		case i < len(declared) && key == comparableText(declared[i]):
			results[i].copyVerdict(r)
		case len(reported) == len(declared) && !isDeclared:
			results[i].copyVerdict(r)
			warnings = append(warnings, newWarning("assertion-text", "the result was matched by position, because the report uses other words for the assertion: "+declared[i]))
		default:
			rest = append(rest, r)
		}
	}
	for _, r := range rest {
		key := comparableText(r.assertion)
		unverified := indexesByText[key]
		for len(unverified) > 0 && results[unverified[0]].passed != nil {
			unverified = unverified[1:]
		}
		indexesByText[key] = unverified
		if len(unverified) > 0 {
			results[unverified[0]].copyVerdict(r)
			continue
		}
		results = append(results, r)
		warnings = append(warnings, newWarning("assertion-text", "this result matches none of the step's assertions: "+r.assertion))
	}
	return results, warnings
}

func (a *assertionResult) copyVerdict(r assertionResult) { a.passed, a.detail = r.passed, r.detail }

var (
	listNumberPattern = regexp.MustCompile(`^(?:\(?[0-9]+\)|[0-9]+[.:])[\s\p{Z}]+`)
	quoteMarks        = "`\"'“”‘’«»"
)

// comparableText returns an assertion's text for comparison, without surrounding quotes, leading numbers,
// a final period, letter case and repeated blanks.
func comparableText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for {
		length := len(text)
		text = strings.Trim(text, quoteMarks+" ")
		text = text[len(listNumberPattern.FindString(text)):]
		text = strings.TrimSuffix(text, ".")
		if len(text) == length {
			return strings.ToLower(strings.ToUpper(text)) // ς is σ
		}
	}
}
