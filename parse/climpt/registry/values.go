package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// staticValues are what all prompts of a run are filled in with, besides variables.
type staticValues struct {
	MaxIterations  int
	MaxChecks      int // 0: none
	Keyword        string
	SignalType     string
	RequiredFields string
	Input          *string // nil: none
	Custom         []climpt.Pair
	Agent          string
	Criteria       string
}

// limitNames are the names whose values depend on the limits of the run.
var limitNames = []string{"max_iterations", "remaining", "max_checks", "check_count", "verdict_criteria"}

// namedBy returns the values for a prompt that names variables. It has no limits if none of the
// names depends on them, because a changed limit does not change such a prompt.
func (v *staticValues) namedBy(names []string) *staticValues {
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(limitNames, name) }) {
		return v
	}
	out := *v
	out.MaxIterations, out.MaxChecks, out.Criteria = 0, 0, ""
	return &out
}

// runtimeNames are the names that the run itself supplies.
var runtimeNames = []string{
	"iteration", "completed_iterations", "completion_keyword", "step_id", "step_name", "step_iteration",
	"max_iterations", "remaining", "max_checks", "check_count", "signal_type", "required_fields", "previous_summary",
}

// loadValues returns the values that are known when the registry is read.
func (r *registry) loadValues() *staticValues {
	v := r.verdict
	out := &staticValues{
		MaxIterations: v.MaxIterations, MaxChecks: v.MaxChecks, Keyword: v.Keyword, SignalType: v.SignalType,
		RequiredFields: requiredNames(v), Custom: r.Options.Pairs("custom"), Agent: r.id, Criteria: criteria(v),
	}
	if r.Agent != nil && r.Agent.Name != "" {
		out.Agent = r.Agent.Name
	}
	if text, ok := r.Stdin(); ok {
		out.Input = &text
	}
	return out
}

func requiredNames(v climpt.Verdict) string {
	names := slices.Clone(v.RequiredKeys)
	for _, m := range v.Required.Members() {
		names = append(names, m.Key())
	}
	return strings.Join(names, ", ")
}

// criteria describes in a sentence when the run ends.
func criteria(v climpt.Verdict) string {
	limit := "within at most " + plan.Count(v.MaxIterations, "iteration")
	switch v.Type {
	case "detect:keyword":
		return fmt.Sprintf("The work is done when a reply contains %s, %s.", v.Keyword, limit)
	case "count:check":
		return fmt.Sprintf("The work is done after %s, %s.", plan.Count(v.MaxChecks, "check"), limit)
	case "detect:structured":
		return fmt.Sprintf("The work is done when a reply contains a JSON object with the signal %s, %s.", v.SignalType, limit)
	case "poll:state":
		return "The work is done when the state that is asked for is reached, " + limit + "."
	case "detect:graph":
		return "The work is done when a closing step closes it, " + limit + "."
	}
	return "The work is done " + limit + "."
}

// view is the state of a run as one prompt sees it.
type view struct {
	*staticValues
	scope      plan.Scope
	step, name string // the step that asks; "" if none
	after      string // the current step, if the prompt is for the visit after it; else ""
	inputs     []promptInput
}

// forStep returns the view for the prompt of a step.
func (v view) forStep(s *plan.Step) view {
	v.step, v.name = s.ID, s.Title
	if p, ok := s.Text.(*prompt); ok {
		v.inputs = p.Inputs
	}
	return v
}

// promptInput is an input of a step, as its prompt needs it.
type promptInput struct {
	Name, Step, Key string
	Required        bool
	Default         *string
}

// variable returns the value from the first source that has one (spec §5).
func (v view) variable(name string) (string, bool) {
	if value, ok := v.scope.Var(name); ok {
		return plan.TextOf(value), true
	}
	if value, ok := v.runtimeValue(name); ok {
		return value, true
	}
	for _, in := range v.inputs {
		if in.Name == name {
			return v.input(in)
		}
	}
	return "", false
}

// runtimeValue returns what the run itself supplies.
func (v view) runtimeValue(name string) (string, bool) {
	count := func(n int, ok bool) (string, bool) { return strconv.Itoa(n), ok }
	iteration := v.iteration()
	switch name {
	case "iteration":
		return count(iteration, true)
	case "completed_iterations":
		return count(iteration-1, iteration > 1)
	case "max_iterations":
		return count(v.MaxIterations, true)
	case "remaining":
		return count(max(0, v.MaxIterations-iteration), true)
	case "max_checks":
		return count(v.MaxChecks, v.MaxChecks > 0)
	case "check_count":
		return count(iteration, v.MaxChecks > 0)
	case "step_iteration":
		return count(v.stepIteration(), v.step != "")
	case "step_id":
		return v.step, v.step != ""
	case "step_name":
		return v.name, v.step != ""
	case "completion_keyword":
		return v.Keyword, v.Keyword != ""
	case "signal_type":
		return v.SignalType, v.SignalType != ""
	case "required_fields":
		return v.RequiredFields, v.RequiredFields != ""
	case "previous_summary":
		return v.summary(), true
	case "agent_name":
		return v.Agent, v.step == "" && v.after == ""
	case "verdict_criteria":
		return v.Criteria, v.step == "" && v.after == ""
	}
	return "", false
}

// offset returns 1 for the prompt of a visit that has not begun, else 0.
func (v view) offset() int {
	if v.after != "" {
		return 1
	}
	return 0
}

// summary describes the iteration before the one that the prompt is for.
func (v view) summary() string {
	if v.after != "" {
		return summary(v.after, v.scope.Outcome())
	}
	r, ok := lastRecord(v.scope)
	if !ok || r.Step == nil {
		return ""
	}
	return summary(r.Step.ID, r.Outcome)
}

func (v view) iteration() int {
	if m, ok := v.scope.(plan.Memory); ok {
		return max(1, m.EntryCount()+v.offset())
	}
	return 1
}

func (v view) stepIteration() int {
	if m, ok := v.scope.(plan.Memory); ok {
		return max(1, m.Entered(v.step)+v.offset())
	}
	return 1
}

// input returns what a step handed over, or else the default.
func (v view) input(in promptInput) (string, bool) {
	if in.Step != "" {
		if value, ok := lastOutput(v.scope, in.Step)[in.Key]; ok {
			return plan.TextOf(value), true
		}
	}
	if in.Default != nil {
		return *in.Default, true
	}
	return "", false
}
