package playbook

import (
	"fmt"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// head is the beginning of most tests' documents: a title and one input of each kind.
const head = "# T\n## INPUTS\n- `topic` (string)\n- `depth` (enum: quick, deep)\n- `on` (boolean)\n"

func parsed(t *testing.T, doc string) *plan.Plan {
	t.Helper()
	p := Parse("dir/case.playbook.md", []byte(doc), Options{})
	if !p.Runnable() {
		t.Fatalf("%s: %s", doc, listed(p, plan.Info))
	}
	return p
}

// ranks order severities.
var ranks = map[plan.Severity]int{plan.Info: 0, plan.Warning: 1, plan.Error: 2}

// listed returns the diagnostics of a Plan with at least a severity, as "line:column code".
func listed(p *plan.Plan, from plan.Severity) string {
	var out []string
	for _, d := range p.Diagnostics {
		if ranks[d.Severity] >= ranks[from] {
			out = append(out, fmt.Sprintf("%d:%d %s", d.Line, d.Column, strings.TrimPrefix(d.Code, Format+"/")))
		}
	}
	return strings.Join(out, ", ")
}

// tree returns steps in the notation of the tests: ids with their actions, children in parentheses.
func tree(steps []*plan.Step) string {
	var out []string
	for _, s := range steps {
		text := s.ID
		for _, a := range s.Actions {
			text += " " + verb(a)
		}
		if len(s.Children) > 0 {
			text += " (" + tree(s.Children) + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func verb(a plan.Action) string {
	switch w := a.Work.(type) {
	case plan.Ask:
		return "ask:" + w.Fields[0].Type
	case plan.Tool:
		return "tool:" + w.Name
	case plan.Fetch:
		return "fetch:" + w.Scheme
	case plan.Model:
		return "model"
	case plan.JudgeOnly:
		return "store:" + a.Judge.(plan.Describer).Describe().Variable
	}
	return "?"
}

// run is a scope for tests.
type run struct {
	vars    map[string]any
	fetched string
	past    []plan.FinishedAttempt
	outcome plan.Outcome
}

func (r run) Var(name string) (any, bool)     { v, ok := r.vars[name]; return v, ok }
func (r run) Instance(string) int             { return 0 }
func (r run) Outcome() plan.Outcome           { return r.outcome }
func (r run) History() []plan.FinishedAttempt { return r.past }
func (r run) Fetched() (string, bool)         { return r.fetched, r.fetched != "" }
func (r run) EntryCount() int                 { return len(r.past) + 1 }
func (r run) EntryCountOf(string) int         { return 1 }

// render renders a prompt and appends its warnings and its error.
func render(p plan.Prompt, scope plan.Scope) string {
	r, err := p.Render(scope)
	text := r.Text
	for _, n := range r.Warnings {
		text += " [" + n.Code + "]"
	}
	if err != nil {
		text += " error: " + err.Error()
	}
	return text
}
