package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// The outcomes of a scenario.
const (
	Pass    = "pass"
	Fail    = "fail"
	Skipped = "skipped"
)

// Report is the result of a scenario, in the format of `test --json` (docs/json.md).
type Report struct {
	Name     string         `json:"name"`
	Expected plan.RunResult `json:"expected,omitempty"`
	Actual   plan.RunResult `json:"actual,omitempty"`
	Status   string         `json:"status"`
	Reason   string         `json:"reason,omitempty"`
	Path     []string       `json:"path"`
	Answers  []string       `json:"-"` // the answers of its queue that were used, for people
}

// compare returns how a run differs from what the scenario declares, "" if it does not. missed is a
// sentence about a tool result that was missing.
func (s Scenario) compare(p *plan.Plan, e engine.Ending, events []machine.Event, missed string) string {
	if why := unusedAnswerWarning(events, p.RefusalCode); why != "" {
		return why
	}
	switch {
	case missed != "" && s.Result != plan.RunFailed:
		return missed
	case e.Result == plan.Awaiting && s.Result != plan.Awaiting:
		return missingAnswer(e.Waiting, events) + s.expectedResult()
	case s.Result != "" && e.Result != s.Result:
		return fmt.Sprintf("ended %s%s%s", e.Result, quotedMessage(e.Message), s.expectedResult())
	case s.Path != nil && !slices.Equal(s.Path, e.Path):
		return "took another path; expected " + strings.Join(s.Path, " ")
	}
	for _, name := range sortedKeys(s.Variables) {
		if got, want := e.Variables[name], s.Variables[name]; !equal(got, want) {
			return fmt.Sprintf("%s is %s, not %s", name, text(got), text(want))
		}
	}
	return ""
}

// missingAnswer returns which answer a waiting run lacks.
func missingAnswer(w *machine.Waiting, events []machine.Event) string {
	switch w.Kind {
	case machine.KindReply:
		return fmt.Sprintf("there is no reply for %s: add it to replies", newestCall(w.Step, events))
	case machine.KindAsk:
		return fmt.Sprintf("still waits at %s for a value: add it to answers", w.Step)
	default:
		return fmt.Sprintf("still waits at %s after the last command", w.Step)
	}
}

// newestCall returns the latest call of a step, as replies name it.
func newestCall(label string, events []machine.Event) string {
	for _, e := range slices.Backward(events) {
		if b, ok := e.Body.(*machine.ActionStarted); ok && b.Call != nil && e.Step == label {
			return model.Key(label, b.Part)
		}
	}
	return label
}

// equal compares a variable with the expected value. If that is a text, they are compared as text.
func equal(got, want any) bool {
	if want, isText := want.(string); isText {
		return got != nil && plan.TextOf(got) == want
	}
	return text(got) == text(want)
}

// unusedAnswerWarning returns the warning about an answer that could not be used, such as a jump to
// a step that does not exist.
func unusedAnswerWarning(events []machine.Event, refused string) string {
	for _, e := range events {
		if w, ok := e.Body.(*machine.Warned); ok && (w.Code == machine.UnusableCode || w.Code == refused) {
			return w.Message
		}
	}
	return ""
}

func (s Scenario) expectedResult() string {
	if s.Result == "" {
		return ""
	}
	return fmt.Sprintf("; expected %s", s.Result)
}

func quotedMessage(message string) string {
	if message == "" {
		return ""
	}
	return fmt.Sprintf(", %q", message)
}

// text returns a value as JSON, so that 1 from a file equals 1 from a run.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
