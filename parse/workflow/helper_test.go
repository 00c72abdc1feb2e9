package workflow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// head is the beginning of most tests' documents: a complete step.
const head = "### 🔧 WORKFLOW STEP: A\n```\nx\n```\n### 🛠️ TOOL: t\n"

func parse(doc string, given ...string) *plan.Plan {
	return Parse("dir/case.md", []byte(doc), Options{Flags: map[string][]string{"input": given}})
}

// told returns the diagnostics of a Plan as "line:column code", errors with an E before them.
func told(p *plan.Plan) string {
	var out []string
	for _, d := range p.Diagnostics {
		e := ""
		if d.Severity == plan.Error {
			e = "E "
		}
		out = append(out, fmt.Sprintf("%s%d:%d %s", e, d.Line, d.Column, strings.TrimPrefix(d.Code, Format+"/")))
	}
	return strings.Join(out, ", ")
}

// steps returns the executable steps of a Plan.
func steps(p *plan.Plan) (out []*plan.Step) {
	p.Walk(func(s, _ *plan.Step) bool {
		if s.IsExecutable() {
			out = append(out, s)
		}
		return true
	})
	return out
}

func messageOf(s *plan.Step) stepPrompt { return modelOf(s).Prompt.(stepPrompt) }

func modelOf(s *plan.Step) plan.Model {
	return s.Actions[len(s.Actions)-1].Work.(plan.Model)
}

func judgeOf(s *plan.Step) plan.Judge { return s.Actions[len(s.Actions)-1].Judge }

// run is a scope for tests.
type run struct {
	vars     map[string]any
	reported []string // variables that a model reported
	calls    []plan.ToolCall
}

func (r run) Var(name string) (any, bool)  { v, ok := r.vars[name]; return v, ok }
func (r run) Instance(string) int          { return 0 }
func (r run) Outcome() plan.Outcome        { return plan.Outcome{} }
func (r run) SetByPerson(name string) bool { return !slices.Contains(r.reported, name) }
func (r run) Conversation() []plan.Message { return []plan.Message{{ToolCalls: r.calls}} }

// render renders a prompt and appends its warnings.
func render(t *testing.T, p plan.Prompt, scope plan.Scope) string {
	t.Helper()
	r, err := p.Render(scope)
	if err != nil {
		t.Fatal(err)
	}
	return r.Text + noted(r.Warnings)
}

func noted(notes []plan.RunWarning) string {
	var out string
	for _, n := range notes {
		out += " [" + strings.TrimPrefix(n.Code, Format+"/") + "]"
	}
	return out
}

// reply returns a model's reply that calls the report tool and the other tools.
func reply(arguments string, others ...string) plan.Product {
	calls := []plan.ToolCall{{ID: "r", Name: reportToolName, Arguments: arguments}}
	for _, name := range others {
		calls = append(calls, plan.ToolCall{Name: name})
	}
	return plan.Product{Text: "done", ToolCalls: calls}
}

// verdict returns the result, the variables and the warnings of a verdict.
func verdict(v plan.Verdict) string {
	out := string(v.Result)
	if v.RejectionReply != "" {
		out = "reply"
	}
	for _, a := range v.Assignments {
		out += fmt.Sprintf(" %s=%s", a.Name, plan.ValueText(a.Value))
	}
	return out + noted(v.Warnings)
}
