package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// staticValues are the values for prompts that are known when the registry is read.
type staticValues struct {
	MaxIterations   int
	MaxChecks       int // 0: none
	Keyword         string
	SignalType      string
	RequiredFields  string
	InputText       *string // nil: none
	CustomValues    []climpt.NameValue
	AgentName       string
	VerdictCriteria string
}

// limitVariables are the variables whose values depend on the limits of the run.
var limitVariables = []string{"max_iterations", "remaining", "max_checks", "check_count", "verdict_criteria"}

// withoutUnusedLimits returns the values for a prompt that uses the named variables. If none of them depends on
// the limits, the values have no limits, so that a changed limit does not change the prompt.
func (v *staticValues) withoutUnusedLimits(names []string) *staticValues {
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(limitVariables, name) }) {
		return v
	}
	out := *v
	out.MaxIterations, out.MaxChecks, out.VerdictCriteria = 0, 0, ""
	return &out
}

// runtimeVariables are the variables of step prompts that the run itself supplies; see runtimeValue.
var runtimeVariables = []string{
	"iteration", "completed_iterations", "completion_keyword", "step_id", "step_name", "step_iteration",
	"max_iterations", "remaining", "max_checks", "check_count", "signal_type", "required_fields", "previous_summary",
}

// newStaticValues returns the values from the registry, agent.json and the flags.
func (r *registry) newStaticValues() *staticValues {
	v := r.verdict
	out := &staticValues{
		MaxIterations: v.MaxIterations, MaxChecks: v.MaxChecks, Keyword: v.Keyword, SignalType: v.SignalType,
		RequiredFields: requiredFieldNames(v), CustomValues: r.Options.NameValues("custom"), AgentName: r.agentID, VerdictCriteria: verdictCriteriaText(v),
	}
	if r.Agent != nil && r.Agent.Name != "" {
		out.AgentName = r.Agent.Name
	}
	if text, ok := r.StdinText(); ok {
		out.InputText = &text
	}
	return out
}

// requiredFieldNames returns the names of the required fields, joined with commas.
func requiredFieldNames(v climpt.VerdictConfig) string {
	names := slices.Clone(v.RequiredKeys)
	for _, m := range v.RequiredValues.Members() {
		names = append(names, m.Key())
	}
	return strings.Join(names, ", ")
}

// verdictCriteriaText describes when the run ends.
func verdictCriteriaText(v climpt.VerdictConfig) string {
	limit := "You have at most " + plan.CountText(v.MaxIterations, "iteration") + "."
	switch v.Type {
	case "detect:keyword":
		return fmt.Sprintf("The work is done when a reply contains %s. %s", v.Keyword, limit)
	case "count:check":
		return fmt.Sprintf("The work is done after %s. %s", plan.CountText(v.MaxChecks, "check"), limit)
	case "detect:structured":
		return fmt.Sprintf("The work is done when a reply contains a JSON object with the signal %s. %s", v.SignalType, limit)
	case "poll:state":
		return "The work is done when the requested state is reached. " + limit
	case "detect:graph":
		return "The work is done when a closure step closes it. " + limit
	}
	return limit
}

// promptContext is the state of a run as one prompt sees it.
type promptContext struct {
	*staticValues
	scope            plan.Scope
	stepID, stepName string // the step that asks; "" if none
	finishedStepID   string // the current step, if the prompt is for the visit after it; else ""
	inputs           []promptInput
}

// forStep returns the context for the prompt of a step.
func (c promptContext) forStep(s *plan.Step) promptContext {
	c.stepID, c.stepName = s.ID, s.Title
	if p, ok := s.Text.(*prompt); ok {
		c.inputs = p.Inputs
	}
	return c
}

// promptInput is an input of a step, as its prompt needs it.
type promptInput struct {
	Name, SourceStep, SourceKey string
	Required                    bool
	Default                     *string
}

// variableValue returns the value from the first source that has one (spec §5).
func (c promptContext) variableValue(name string) (string, bool) {
	if value, ok := c.scope.Var(name); ok {
		return plan.ValueText(value), true
	}
	if value, ok := c.runtimeValue(name); ok {
		return value, true
	}
	for _, in := range c.inputs {
		if in.Name == name {
			return c.inputValue(in)
		}
	}
	return "", false
}

// runtimeValue returns the value of a variable that the run itself supplies.
func (c promptContext) runtimeValue(name string) (string, bool) {
	count := func(n int, ok bool) (string, bool) { return strconv.Itoa(n), ok }
	iteration := c.iteration()
	switch name {
	case "iteration":
		return count(iteration, true)
	case "completed_iterations":
		return count(iteration-1, iteration > 1)
	case "max_iterations":
		return count(c.MaxIterations, true)
	case "remaining":
		return count(max(0, c.MaxIterations-iteration), true)
	case "max_checks":
		return count(c.MaxChecks, c.MaxChecks > 0)
	case "check_count":
		return count(iteration, c.MaxChecks > 0)
	case "step_iteration":
		return count(c.stepIteration(), c.stepID != "")
	case "step_id":
		return c.stepID, c.stepID != ""
	case "step_name":
		return c.stepName, c.stepID != ""
	case "completion_keyword":
		return c.Keyword, c.Keyword != ""
	case "signal_type":
		return c.SignalType, c.SignalType != ""
	case "required_fields":
		return c.RequiredFields, c.RequiredFields != ""
	case "previous_summary":
		return c.previousSummary(), true
	case "agent_name":
		return c.AgentName, c.stepID == "" && c.finishedStepID == ""
	case "verdict_criteria":
		return c.VerdictCriteria, c.stepID == "" && c.finishedStepID == ""
	}
	return "", false
}

// upcomingVisitOffset returns 1 for the prompt of a visit that has not begun, else 0.
func (c promptContext) upcomingVisitOffset() int {
	if c.finishedStepID != "" {
		return 1
	}
	return 0
}

// previousSummary describes the iteration before the one that the prompt is for.
func (c promptContext) previousSummary() string {
	if c.finishedStepID != "" {
		return iterationSummary(c.finishedStepID, c.scope.Outcome())
	}
	r, ok := lastFinishedAttempt(c.scope)
	if !ok || r.Step == nil {
		return ""
	}
	return iterationSummary(r.Step.ID, r.Outcome)
}

// iteration returns the number of the iteration that the prompt is for, from 1.
func (c promptContext) iteration() int {
	if m, ok := c.scope.(plan.HistoryScope); ok {
		return max(1, m.EntryCount()+c.upcomingVisitOffset())
	}
	return 1
}

// stepIteration returns which visit to its step the prompt is for, from 1.
func (c promptContext) stepIteration() int {
	if m, ok := c.scope.(plan.HistoryScope); ok {
		return max(1, m.EntryCountOf(c.stepID)+c.upcomingVisitOffset())
	}
	return 1
}

// inputValue returns what a step handed over, or else the default.
func (c promptContext) inputValue(in promptInput) (string, bool) {
	if in.SourceStep != "" {
		if value, ok := lastOutputOfStep(c.scope, in.SourceStep)[in.SourceKey]; ok {
			return plan.ValueText(value), true
		}
	}
	if in.Default != nil {
		return *in.Default, true
	}
	return "", false
}
