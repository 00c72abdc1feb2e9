package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// context is the system message of every call (spec §7): the system prompt, the
// output of each earlier step, and each named output and answer. It is a Prompt.
type context struct {
	System template
	Values []string // names of outputs and answers
}

// Render implements plan.Prompt: with a nil scope it is the system prompt as
// written.
func (c context) Render(scope plan.Scope) (plan.Rendered, error) {
	system, err := c.System.Render(scope)
	if err != nil || scope == nil {
		return system, err
	}
	var parts []string
	if system.Text != "" {
		parts = append(parts, system.Text)
	}
	past := outputs(plan.History(scope))
	if len(past) > 0 {
		parts = append(parts, "These are the results of the earlier steps.")
	}
	where := map[string]string{}
	for _, r := range past {
		parts = append(parts, fmt.Sprintf("<step %slabel=%q title=%s>\n%s\n</step>", numberOf(r.Step), r.Label, attribute(r.Step.Title), r.Outcome.Text))
		where[r.Outcome.Text] = r.Label
	}
	if values := c.values(scope, where); len(values) > 0 {
		parts = append(parts, "These are named values of this run.\n"+strings.Join(values, "\n"))
	}
	return plan.Rendered{Text: strings.Join(parts, "\n\n"), Notes: system.Notes}, nil
}

// outputs are the records of steps that put something out.
func outputs(all []plan.Record) []plan.Record {
	var out []plan.Record
	for _, r := range all {
		if r.Step != nil && r.Outcome.Result == plan.Passed && r.Outcome.Text != "" {
			out = append(out, r)
		}
	}
	return out
}

// values are the named outputs and answers that there are. A long one that is a
// step's whole output is not said twice.
func (c context) values(scope plan.Scope, where map[string]string) []string {
	var out []string
	for _, name := range c.Values {
		v, ok := scope.Var(name)
		if !ok {
			continue
		}
		text := plan.TextOf(v)
		if label := where[text]; label != "" && len(text) > longValue {
			text = "(the result of step " + label + ")"
		}
		out = append(out, fmt.Sprintf("<value name=%q>%s</value>", name, text))
	}
	return out
}

// longValue is the length in bytes from which a reference costs less than a copy.
const longValue = 200

func numberOf(s *plan.Step) string {
	if s.Number == nil {
		return ""
	}
	return fmt.Sprintf("number=\"%d\" ", *s.Number)
}

// attribute quotes a title; quotes in it become single ones.
func attribute(text string) string { return `"` + strings.ReplaceAll(text, `"`, "'") + `"` }
