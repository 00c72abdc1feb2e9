package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// The values of Report.Status.
const (
	StatusPass    = "pass"
	StatusFail    = "fail"
	StatusSkipped = "skipped"
)

// Report is the result of a scenario, in the format of `test --json` (docs/json.md).
type Report struct {
	Name           string         `json:"name"`
	ExpectedResult plan.RunResult `json:"expected,omitempty"`
	ActualResult   plan.RunResult `json:"actual,omitempty"`
	Status         string         `json:"status"`
	Reason         string         `json:"reason,omitempty"`
	ActualPath     []string       `json:"path"`
	QueuedAnswers  []string       `json:"-"` // the answers of the scenario's queue, for people
}

// failureReason returns how a run differs from what the scenario declares, "" if it does not. missingResult is a
// sentence about a tool result that was missing, "" if none was.
func (s Scenario) failureReason(p *plan.Plan, e engine.Ending, events []machine.Event, missingResult string) string {
	if why := unusedAnswerWarning(events, p.UnavailableActionCode); why != "" {
		return why
	}
	switch {
	case missingResult != "" && s.ExpectedResult != plan.RunFailed:
		return missingResult
	case e.Result == plan.Awaiting && s.ExpectedResult != plan.Awaiting:
		return missingAnswerText(e.WaitingFor, events) + s.expectedResultText()
	case s.ExpectedResult != "" && e.Result != s.ExpectedResult:
		return fmt.Sprintf("the result is %s%s, not %s", e.Result, quotedMessage(e.Message), s.ExpectedResult)
	case s.ExpectedPath != nil && !slices.Equal(s.ExpectedPath, e.EnteredStepLabels):
		return "the path should be " + strings.Join(s.ExpectedPath, " ")
	}
	for _, name := range sortedKeys(s.ExpectedVariables) {
		if got, want := e.Variables[name], s.ExpectedVariables[name]; !equalValues(got, want) {
			return fmt.Sprintf("%s is %s, not %s", name, jsonText(got), jsonText(want))
		}
	}
	return ""
}

// missingAnswerText returns which answer a waiting run lacks.
func missingAnswerText(w *machine.Waiting, events []machine.Event) string {
	switch w.Kind {
	case machine.KindReply:
		return fmt.Sprintf("there is no reply for %s: add one to replies", newestCallKey(w.Step, events))
	case machine.KindAsk:
		return fmt.Sprintf("the run is still waiting at %s for a value: add one to answers", w.Step)
	default:
		return fmt.Sprintf("the run is still waiting at %s: the scenario has no answer for it", w.Step)
	}
}

// newestCallKey returns the latest call of a step, as replies name it.
func newestCallKey(label string, events []machine.Event) string {
	for _, e := range slices.Backward(events) {
		if b, ok := e.Body.(*machine.ActionStarted); ok && b.Call != nil && e.Step == label {
			return model.CallKey(label, b.CallName)
		}
	}
	return label
}

// equalValues reports whether a variable has the expected value. If that is a text, or a text in an object or a list,
// they are compared as text: exported scenarios have numbers as they were written, in quotes. Without quotes, a number
// equals one that is written in another way, such as 1.5 and 1.50.
func equalValues(got, want any) bool {
	switch want := want.(type) {
	case string:
		return got != nil && plan.ValueText(got) == want
	case map[string]any:
		if got, isObject := got.(map[string]any); isObject {
			return maps.EqualFunc(got, want, equalValues)
		}
	case []any:
		if got, isList := got.([]any); isList {
			return slices.EqualFunc(got, want, equalValues)
		}
	}
	g, w := jsonText(got), jsonText(want)
	x, isNumber := plan.ParseNumber(g)
	y, wantsNumber := plan.ParseNumber(w)
	return g == w || isNumber && wantsNumber && x == y && math.Abs(x) < maxExactInteger
}

// maxExactInteger is the number from which on a float64 does not hold all whole numbers.
const maxExactInteger = 1 << 53

// unusedAnswerWarning returns the warning about an answer that could not be used, such as a jump to
// a step that does not exist, "" if there is none. unavailableActionCode is the format's own code of such warnings.
func unusedAnswerWarning(events []machine.Event, unavailableActionCode string) string {
	for _, e := range events {
		if w, ok := e.Body.(*machine.WarningRecorded); ok && (w.Code == machine.UnusableAnswerCode || w.Code == unavailableActionCode) {
			return w.Message
		}
	}
	return ""
}

func (s Scenario) expectedResultText() string {
	if s.ExpectedResult == "" {
		return ""
	}
	return fmt.Sprintf("; the expected result is %s", s.ExpectedResult)
}

func quotedMessage(message string) string {
	if message == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", message)
}

// jsonText returns a value as JSON, so that 1 from a file equals 1 from a run.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
