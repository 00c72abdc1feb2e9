package workflow

import (
	"encoding/json"
	"strings"
	"testing"

	"playhead/parse/plan"
)

var judge = reportJudge{
	StepNumber: 2, Tools: []string{"web/find", "post"}, Assertions: []string{"all of [HOST] is there", "it is new"},
	Outputs: []Output{{"a", "A"}, {"b", "B"}, {"c", "A"}},
}

const (
	good  = `"assertion_results":[{"assertion":"all of h is there","passed":true},{"assertion":"it is new","passed":true,"detail":null}]`
	given = `"output_variables":{"A":"1","B":2.50}`
)

// in returns a scope in which all tools were called.
func in() run {
	return run{vars: map[string]any{"HOST": "h"}, calls: []plan.ToolCall{
		{Name: "web_find", Server: "web", Tool: "find"}, {Name: "post"}, {Name: "web_find", Server: "web", Tool: "find"},
	}}
}

// TestReport (§7): reports lead to these verdicts.
func TestReport(t *testing.T) {
	for _, c := range []struct{ arguments, want string }{
		{`{"step_number":2,"status":"passed",` + good + `,` + given + `}`, "pass A=1 B=2.50"},
		{`{"step_number":2.0,"status":"passed","extra":1,"error_message":null,` + good + `,` + given + `}`, "pass A=1 B=2.50"},
		{`{"step_number":2,"status":"passed",` + given + `}`, "held A=1 B=2.50 [assertion-unverified] [assertion-unverified]"},
		{`{"step_number":2,"status":"passed","assertion_results":null,` + given + `}`, "held A=1 B=2.50 [assertion-unverified] [assertion-unverified]"},
		{`{"step_number":2,"status":"passed",` + strings.Replace(good, "true", "false", 1) + `,` + given + `}`, "held A=1 B=2.50 [assertion-failed]"},
		{`{"step_number":2,"status":"passed",` + strings.Replace(good, "]", `,{"assertion":"else","passed":false}]`, 1) + `,` + given + `}`, "held A=1 B=2.50 [assertion-text] [assertion-failed]"},
		{`{"step_number":2,"status":"failed",` + good + `,` + given + `}`, "fail A=1 B=2.50"},
		{`{"step_number":2,"status":"failed"}`, "fail [output-missing] [output-missing]"},
		{`{"step_number":2,"status":"passed",` + good + `,"output_variables":{"A":"","B":null,"C":1}}`, "pass A= [output-missing] [undeclared-output]"},
		{`{"step_number":2,"status":"passed",` + good + `,"output_variables":null}`, "pass [output-missing] [output-missing]"},
		{`{"step_number":2,"status":"failed","error_message":"no disk","assertion_results":null,"output_variables":{"A":[1]}}`, "fail A=[1] [output-missing]"},
		{`{"step_number":1,"status":"passed"}`, "reply [step-out-of-order]"},
		{`{"step_number":1e30,"status":"passed"}`, "reply [step-out-of-order]"},
		{`{"step_number":2,"status":"passed","assertion_results":[{"assertion":"else","passed":false}],` + given + `}`, "held A=1 B=2.50 [assertion-text] [assertion-failed] [assertion-unverified] [assertion-unverified]"},
		{`{"step_number":1,"status":"done"}`, "reply [malformed-report]"},
	} {
		if got := verdict(judge.Judge(reply(c.arguments), in())); got != c.want {
			t.Errorf("%s: %s, want %s", c.arguments, got, c.want)
		}
	}
}

// TestMalformed: the reply to a malformed report names the field, and the step fails if the model is not asked again
// (§7).
func TestMalformed(t *testing.T) {
	for arguments, field := range map[string]string{
		`[]`: "call", `{} {}`: "call", `null`: "call", `{`: "call", ``: "call",
		`{"status":"passed"}`:                                                                                 "step_number",
		`{"step_number":"2","status":"passed"}`:                                                               "step_number",
		`{"step_number":true,"status":"passed"}`:                                                              "step_number",
		`{"step_number":2.5,"status":"passed"}`:                                                               "step_number",
		`{"step_number":1e999,"status":"passed"}`:                                                             "step_number",
		`{"step_number":2}`:                                                                                   "status",
		`{"step_number":2,"status":"PASSED"}`:                                                                 "status",
		`{"step_number":2,"status":"passed","assertion_results":{}}`:                                          "assertion_results",
		`{"step_number":2,"status":"passed","assertion_results":[1]}`:                                         "assertion_results[0]",
		`{"step_number":2,"status":"passed","assertion_results":[{"passed":true}]}`:                           "assertion_results[0].assertion",
		`{"step_number":2,"status":"passed","assertion_results":[{"assertion":"a","passed":"yes"}]}`:          "assertion_results[0].passed",
		`{"step_number":2,"status":"passed","assertion_results":[{"assertion":"","passed":true,"detail":1}]}`: "assertion_results[0].detail",
		`{"step_number":2,"status":"passed","output_variables":[]}`:                                           "output_variables",
		`{"step_number":2,"status":"passed","error_message":1}`:                                               "error_message",
		`{"step_number":2,"status":"passed","error_message":"` + strings.Repeat("x", maxReportBytes) + `"}`:   "call",
	} {
		v := judge.Judge(reply(arguments), in())
		var said struct {
			Error, Suggestion string
			ErrorType         string `json:"error_type"`
			Problems          []fieldProblem
		}
		if err := json.Unmarshal([]byte(v.RejectionReply), &said); err != nil {
			t.Errorf("%.80s: %v in %q", arguments, err, v.RejectionReply)
			continue
		}
		if len(said.Problems) != 1 || said.Problems[0].Field != field || said.ErrorType != "validation" || said.Error == "" || said.Suggestion == "" {
			t.Errorf("%.80s: %+v", arguments, said)
		}
		if v.Result != plan.Failed || v.Source != "engine" || v.Reason == "" || len(v.Assignments) > 0 {
			t.Errorf("%.80s: without another attempt the outcome is %+v", arguments, v.Outcome)
		}
	}
}

// TestNoReport: a reply without a report, or with other calls beside it, is rejected (§7).
func TestNoReport(t *testing.T) {
	v := judge.Judge(plan.Product{Text: "All done."}, in())
	if got := verdict(v); got != "reply [no-report]" || !strings.Contains(v.RejectionReply, "report_step_result") || strings.HasPrefix(v.RejectionReply, "{") {
		t.Errorf("%s: %s", got, v.RejectionReply)
	}
	whole := `{"step_number":2,"status":"passed",` + good + `,` + given + `}`
	for _, p := range []plan.Product{reply(whole, "post"), reply(whole, reportToolName)} {
		if got := verdict(judge.Judge(p, in())); got != "reply [malformed-report]" {
			t.Errorf("with other calls: %s", got)
		}
	}
	other := judge.Judge(reply(`{"step_number":0,"status":"passed"}`), in())
	if !strings.Contains(other.RejectionReply, `"error_type":"step_out_of_order"`) || !strings.Contains(other.RejectionReply, "it is 0, but must be 2 (steps are counted from 0)") {
		t.Error(other.RejectionReply)
	}
}

// TestChecks: the outcome has the declared assertions in their order, with the texts that the model saw, and then other
// reported ones (§7).
func TestChecks(t *testing.T) {
	for results, want := range map[string]string{
		``: "unverified all of h is there; unverified it is new",
		`,"assertion_results":[{"assertion":"It is new.","passed":false,"detail":"of May"}]`: "unverified all of h is there; fail it is new (of May)",
		`,"assertion_results":[{"assertion":"else","passed":true}]`:                          "unverified all of h is there; unverified it is new; pass else",
		"," + good: "pass all of h is there; pass it is new",
	} {
		for _, status := range []string{"passed", "failed"} {
			var got []string
			for _, c := range judge.Judge(reply(`{"step_number":2,"status":"`+status+`"`+results+`}`), in()).Checks {
				text := string(c.Verdict) + " " + c.Text
				if c.Detail != "" {
					text += " (" + c.Detail + ")"
				}
				got = append(got, text)
			}
			if strings.Join(got, "; ") != want {
				t.Errorf("%s %s: %q", status, results, got)
			}
		}
	}
	if v := judge.Judge(reply(`{"step_number":2}`), in()); v.Checks != nil {
		t.Errorf("a report that cannot be read has checks: %v", v.Checks)
	}
}

// TestCalls: declared tools that were not called, or in another order, give warnings (§5).
func TestCalls(t *testing.T) {
	whole := reply(`{"step_number":2,"status":"passed",` + good + `,` + given + `}`)
	for _, c := range []struct {
		calls []plan.ToolCall
		want  string
	}{
		{nil, "pass A=1 B=2.50 [tool-not-called] [tool-not-called]"},
		{[]plan.ToolCall{{Name: "mcp__web__find", Server: "web", Tool: "find"}}, "pass A=1 B=2.50 [tool-not-called]"},
		{[]plan.ToolCall{{Name: "post"}, {Name: "web_find", Server: "web", Tool: "find"}, {Name: "post"}}, "pass A=1 B=2.50 [tool-order]"},
	} {
		scope := in()
		scope.calls = c.calls
		if got := verdict(judge.Judge(whole, scope)); got != c.want {
			t.Errorf("%v: %s", c.calls, got)
		}
	}
}

// TestPairing matches reported results with declared assertions (§7). A ! marks a false result, a ? an unverified
// assertion; unmatched results come last.
func TestPairing(t *testing.T) {
	for _, c := range []struct{ declared, reported, want, notes string }{
		{"a b", "a b", "a b", ""},
		{"a b", "b a", "a b", ""},
		{"a b", "b", "a? b", ""},
		{"a b", "x y", "a b", " [assertion-text] [assertion-text]"},
		{"a b", "x b", "a b", " [assertion-text]"},
		{"a b", "x", "a? b? x", " [assertion-text]"},
		{"a b", "b! x", "a? b b!", " [assertion-text] [assertion-text]"},
		{"a a", "a! a", "a! a", ""},
		{"a a", "a!", "a! a?", ""},
		{"a b a", "b a", "a b a?", ""},
		{"a", "a b", "a b", " [assertion-text]"},
		{"", "x!", "x!", " [assertion-text]"},
		{"a", "a a", "a a", " [assertion-text]"},
	} {
		var reported []assertionResult
		for _, text := range strings.Fields(c.reported) {
			passed := !strings.HasSuffix(text, "!")
			reported = append(reported, assertionResult{assertion: strings.TrimSuffix(text, "!"), passed: &passed})
		}
		results, notes := matchResults(strings.Fields(c.declared), reported)
		var got []string
		for _, r := range results {
			mark := ""
			switch {
			case r.passed == nil:
				mark = "?"
			case !*r.passed:
				mark = "!"
			}
			got = append(got, r.assertion+mark)
		}
		if out := strings.Join(got, " "); out != c.want || noted(notes) != c.notes {
			t.Errorf("%q with %q: %q%s, want %q%s", c.declared, c.reported, out, noted(notes), c.want, c.notes)
		}
	}
}

// TestCompared: case, blanks, quotes, list numbers and the final period do not count when assertions are compared (§7).
func TestCompared(t *testing.T) {
	for _, same := range []string{"It is new.", "1. it  is\tnew", "`it is new`", "2) \"It is new.\"", "'it is new'.", "(3) it is new", " it is new ", "“It is new”"} {
		if comparableText(same) != comparableText("it is new") {
			t.Errorf("%q is %q", same, comparableText(same))
		}
	}
	for _, other := range []string{"it is new!", "it is", "1.5 it is new", "it-is new", ""} {
		if comparableText(other) == comparableText("it is new") {
			t.Errorf("%q is the same", other)
		}
	}
	for _, pair := range [][2]string{{"ΣΑΣ", "σας"}, {"ſo µ", "So Μ"}, {"GROẞ", "groß"}} { // letters with more than two cases
		if comparableText(pair[0]) != comparableText(pair[1]) {
			t.Errorf("%q is %q, %q is %q", pair[0], comparableText(pair[0]), pair[1], comparableText(pair[1]))
		}
	}
}

// TestReportSchema: the report tool's schema lists the assertions and outputs of the step (§7).
func TestReportSchema(t *testing.T) {
	s := steps(example(t, "HOST=db1"))
	const want = `{"type":"object","additionalProperties":false,"required":["step_number","status","assertion_results","output_variables"],"properties":{` +
		`"assertion_results":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["assertion","passed"],"properties":{"assertion":{"type":"string"},"detail":{"type":"string"},"passed":{"type":"boolean"}}}},` +
		`"error_message":{"type":"string"},"output_variables":{"type":"object","properties":{"ARCHIVE_ID":{},"SHA256":{}}},"status":{"type":"string","enum":["passed","failed"]},"step_number":{"type":"integer","enum":[0],"minimum":0}}}`
	if got := string(modelOf(s[0]).ReportTool.Schema); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(modelOf(s[1]).ReportTool.Schema); !strings.Contains(got, `"required":["step_number","status","assertion_results"]`) || !strings.Contains(got, `"enum":[1]`) {
		t.Error(got)
	}
}

// TestAdvice: each warning of a run has the error type of §5 and a suggestion.
func TestAdvice(t *testing.T) {
	p := parse(head)
	for errorType, codes := range map[string]string{
		"variable_missing":   "missing-value",
		"not_found":          "unknown-tool",
		"step_out_of_order":  "step-out-of-order",
		"assertion_mismatch": "assertion-failed assertion-unverified",
		"internal":           "model-failed turn-limit",
		"validation":         "malformed-report no-report assertion-text output-missing undeclared-output tool-not-called tool-order unknown-placeholder",
	} {
		for _, code := range strings.Fields(codes) {
			if a := p.AdviceByCode[Format+"/"+code]; a.ErrorType != errorType || a.Suggestion == "" {
				t.Errorf("%s: %+v", code, a)
			}
		}
	}
}
