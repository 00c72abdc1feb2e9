package workflow

import (
	"slices"
	"testing"

	"playhead/parse/plan"
)

const formDoc = head + `### 📤 OUTPUTS:
- path → OUT
- sizes → SIZES
### ✅ ASSERT:
- [NAME] is there
- it is new
`

// TestForm: a person reports in a form, which asks only the fields that apply, and the report is judged like a model's
// (§6, §7).
func TestForm(t *testing.T) {
	p := parse(formDoc)
	if !p.Runnable() {
		t.Fatal(told(p))
	}
	step := steps(p)[0]
	model, scope := modelOf(step), run{vars: map[string]any{"NAME": "a.tar"}}
	fields := model.ReportTool.Form.Fields(scope)
	if len(fields) != 8 {
		t.Fatalf("%d fields: %+v; %s", len(fields), fields, told(p))
	}
	for name, c := range map[string]struct {
		answers []string
		asked   int
		result  plan.Result
		reason  string
		set     int
	}{
		"passed":    {[]string{"passed", "", "true", "seen", "true", "", `"/a.tar"`, `[1, 2]`}, 7, plan.Passed, "", 2},
		"no value":  {[]string{"passed", "", "true", "", "true", "", "", ""}, 7, plan.Passed, "", 0},
		"failed":    {[]string{"failed", "no disk", "unchecked", "", "unchecked", "", "", ""}, 4, plan.Failed, "no disk", 0},
		"no reason": {[]string{"failed", "", "true", "", "false", "of May", "", ""}, 6, plan.Failed, "assertion failed: it is new (of May)", 0},
		"refuted":   {[]string{"passed", "", "true", "", "false", "of May", "", ""}, 7, plan.Undecided, "assertion failed: it is new (of May)", 0},
		"unchecked": {[]string{"passed", "", "unchecked", "", "true", "", "", ""}, 6, plan.Undecided, "not verified: a.tar is there", 0},
		"neither":   {[]string{"passed", "", "unchecked", "", "unchecked", "", "", ""}, 5, plan.Undecided, "not verified: a.tar is there (and 1 more)", 0},
	} {
		asked := plan.AskedFields(fields, c.answers)
		if n := len(asked) - len(slices.DeleteFunc(slices.Clone(asked), func(yes bool) bool { return yes })); n != c.asked {
			t.Errorf("%s: %d fields are asked, not %d", name, n, c.asked)
		}
		call := plan.ToolCall{Name: model.ReportTool.Name, Arguments: model.ReportTool.Form.Arguments(scope, c.answers)}
		v := judgeOf(step).Judge(plan.Product{ToolCalls: []plan.ToolCall{call}, RepliedBy: "person"}, scope)
		if v.Result != c.result || v.Reason != c.reason || len(v.Assignments) != c.set || v.RejectionReply != "" {
			t.Errorf("%s: %s gives %+v", name, call.Arguments, v)
		}
		if slices.ContainsFunc(v.Warnings, func(n plan.RunWarning) bool { return n.Code == Format+"/tool-not-called" }) {
			t.Errorf("%s: a person is told to call tools: %+v", name, v.Warnings)
		}
	}
}
