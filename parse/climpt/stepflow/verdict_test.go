package stepflow

import (
	"strings"
	"testing"

	"playhead/parse/plan"
)

// repliedStep is the Scope of a step whose own call has a reply.
type repliedStep struct{}

func (repliedStep) Var(string) (any, bool) { return nil, false }
func (repliedStep) Instance(string) int    { return 0 }
func (repliedStep) Outcome() plan.Outcome {
	return plan.Outcome{Result: plan.Passed, Text: "the essay"}
}

// TestVerdict (spec §5): the judge reads the verdict and the message from a reply to a check.
func TestVerdict(t *testing.T) {
	const unread = "could not parse the check reply"
	for _, c := range []struct {
		text, reason string
		ok           bool
	}{
		{`{"result": "ok"}`, "", true},
		{`{"result": " PASS "}`, "", true},
		{`{"result": true}`, "", true},
		{`{"result": "True"}`, "", true},
		{`{"result": "ng", "message": "2 tests fail"}`, "2 tests fail", false},
		{`{"result": "good"}`, "", false},
		{`{"result": null}`, "", false},
		{`{"result": 1}`, "", false},
		{`{"result": "ng", "message": "thin", "score": 1e400}`, "thin", false},
		{`well: {"result": "good", "message": "ok?", "score": 1e400}`, "ok?", false},
		{"```json\n{\"result\": \"ng\"}\n```\n```json\n{\"result\": \"ok\"}\n```\n", "", false},
		{"```python\n{\"result\": \"ok\"}\n```\nthen {\"result\": \"ng\"}", "", false},
		{"```\n{\"result\": \"ok\"}\n```\n{\"result\": \"ng\"}", "", true},
		{"```json\n{\"other\": 1}\n```\n{\"result\": \"ok\"}", "", true},
		{`first {"result": "ok"} then {"result": "ng"}`, "", false},
		{`then {"result": "ok"} and {"other": 1}`, "", true},
		{"Result: pass", "", true},
		{"result = \"OK\", result=ng", "", false},
		{"\"result\": \"ok|ng\" is wanted; result: true", "", true},
		{"The result: okay", unread, false},
		{"", unread, false},
		{"all is well", unread, false},
	} {
		v := checkJudge{"checks/a.md"}.Judge(plan.Product{Text: c.text}, repliedStep{})
		if check := (plan.Check{Text: "checks/a.md", Verdict: v.Result, Detail: c.reason}); len(v.Checks) != 1 || v.Checks[0] != check {
			t.Errorf("%q: %+v", c.text, v.Checks)
		}
		if v.Text != "the essay" || (v.Result == plan.Passed) != c.ok || v.Reason != c.reason || (len(v.Warnings) > 0) != (c.reason == unread) {
			t.Errorf("%q: %s %q %v", c.text, v.Result, v.Reason, v.Warnings)
		}
	}
}

// FuzzVerdict: any reply can be read, and a reply passes only if it contains a word for ok.
func FuzzVerdict(f *testing.F) {
	for _, seed := range []string{`{"result":"ok"}`, "```\n{\"result\": 1}\n```", "result: ok|", "{\"a\":{\"result\":true}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := checkJudge{}.Judge(plan.Product{Text: text}, repliedStep{})
		lower := strings.ToLower(text)
		if v.Result == plan.Passed && !strings.Contains(lower, "ok") && !strings.Contains(lower, "pass") && !strings.Contains(lower, "tru") && !strings.Contains(text, `\`) {
			t.Errorf("%q passes", text)
		}
	})
}
