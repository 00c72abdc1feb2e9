package machine

import (
	"cmp"

	"playhead/parse/plan"
)

// scope is the read-only view of a run that Judges and Prompts get.
type scope struct {
	machine *Machine
	frame   *documentFrame
}

// Judges and Prompts find out at run time whether their Scope is one of these.
var (
	_ plan.HistoryScope        = scope{}
	_ plan.ConversationScope   = scope{}
	_ plan.VariableOriginScope = scope{}
	_ plan.NextStepScope       = nextStepScope{}
)

func (m *Machine) scope(f *documentFrame) scope { return scope{m, f} }

// render fills in a prompt. Most prompts are literals, which need no scope.
func (m *Machine) render(p plan.Prompt, f *documentFrame) string {
	if t, ok := p.(plan.Text); ok && t.IsLiteral() {
		return t[0].Literal
	}
	return plan.TextForDisplay(p, m.scope(f))
}

// nextStepScope is the scope of a prompt for the step that is entered next.
type nextStepScope struct {
	scope
	next *plan.Step
}

// NextStep returns the step that is entered next.
func (n nextStepScope) NextStep() *plan.Step { return n.next }

// Var returns the value of a variable, and whether it has one.
func (s scope) Var(name string) (any, bool) {
	v, ok := s.machine.variables[name]
	return v, ok
}

// SetByPerson reports whether a person gave a variable its value, before the run or during it.
func (s scope) SetByPerson(name string) bool { return !s.machine.setBySteps[name] }

// Instance returns the current instance number of a template step.
func (s scope) Instance(id string) int { return labelScope{s.frame, nil}.Instance(id) }

// Outcome returns the step's outcome so far.
func (s scope) Outcome() plan.Outcome { return *s.frame.outcome }

// History returns the finished attempts of the run, the latest of each label.
func (s scope) History() []plan.FinishedAttempt {
	var out []plan.FinishedAttempt
	for i, v := range s.machine.finishedAttempts {
		if s.machine.latestAttemptIndexByLabel[v.Label] == i {
			out = append(out, v)
		}
	}
	return out
}

// Fetched returns the text that was fetched for the current prompt, and whether there is one.
func (s scope) Fetched() (string, bool) {
	if s.frame.fetchedText == nil {
		return "", false
	}
	return *s.frame.fetchedText, true
}

// Conversation returns the messages so far of the conversation with the model.
func (s scope) Conversation() []plan.Message { return s.frame.openAction.messages }

// EntryCount returns how many steps the run has entered.
func (s scope) EntryCount() int { return len(s.machine.enteredStepLabels) }

// EntryCountOf returns how often the run has entered a step of the current document.
func (s scope) EntryCountOf(id string) int { return s.frame.entryCounts[id] }

// ConditionHolds reports whether a condition on a variable holds.
func (m *Machine) ConditionHolds(t *plan.Test) bool {
	return scope{m, nil}.evaluate(t, &plan.Reason{})
}

// evaluate evaluates a condition and records what was compared.
func (s scope) evaluate(t *plan.Test, r *plan.Reason) bool {
	value, set := s.testedValue(t)
	r.Condition, r.Variable, r.Expected = cmp.Or(t.SourceText, r.Condition), t.Path[len(t.Path)-1], t.Value
	r.Actual, r.HasNoValue = plan.ValueText(value), !set
	if set && !t.ReadsOutcomeData {
		r.Violation = s.machine.violationByVariable[t.Path[0]]
	}
	switch t.Op {
	case plan.OpNotEqual:
		return r.Actual != t.Value
	case plan.OpIsSet:
		return set
	default: // a missing value in the outcome's data equals nothing, not even the empty text (climpt-registry.md §8)
		return r.Actual == t.Value && (set || !t.ReadsOutcomeData)
	}
}

func (s scope) testedValue(t *plan.Test) (any, bool) {
	if !t.ReadsOutcomeData {
		return s.Var(t.Path[0])
	}
	return valueAtPath(s.frame.outcome.Data, t.Path)
}

// valueAtPath follows a path into nested objects.
func valueAtPath(data map[string]any, path []string) (any, bool) {
	var at any = data
	for _, key := range path {
		object, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = object[key]; !ok {
			return nil, false
		}
	}
	return at, true
}

// labelScope has only the instance numbers that labels show. Its numbers take precedence over the frame's.
type labelScope struct {
	frame           *documentFrame
	instanceNumbers []InstanceNumber
}

func (l labelScope) Var(string) (any, bool) { return nil, false }
func (l labelScope) Outcome() plan.Outcome  { return plan.Outcome{} }
func (l labelScope) Instance(id string) int {
	node := l.frame.graph.byID[id]
	if node == nil {
		return 0
	}
	return l.frame.instanceNumber(node, l.instanceNumbers)
}
