package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// The outcomes of a scenario.
const (
	Pass    = "pass"
	Fail    = "fail"
	Skipped = "skipped"
)

// Report is how a scenario went, in the shape of contract.md.
type Report struct {
	Name     string         `json:"name"`
	Expected plan.RunResult `json:"expected,omitempty"`
	Actual   plan.RunResult `json:"actual,omitempty"`
	Status   string         `json:"status"`
	Reason   string         `json:"reason,omitempty"`
	Path     []string       `json:"path"`
	Answers  []string       `json:"-"` // of its queue, for a person who wonders
}

// compare says how a run differs from what the scenario declares, "" if it does
// not.
func (s Scenario) compare(e engine.Ending, events []machine.Event) string {
	if why := undone(events); why != "" {
		return why
	}
	switch {
	case e.Result == plan.Awaiting && s.Result != plan.Awaiting:
		return fmt.Sprintf("still waits at %s after the last command%s", e.Waiting.Step, s.expected())
	case s.Result != "" && e.Result != s.Result:
		return fmt.Sprintf("ended %s%s%s", e.Result, said(e.Message), s.expected())
	case s.Path != nil && !slices.Equal(s.Path, e.Path):
		return "took another path; expected " + strings.Join(s.Path, " ")
	}
	for _, name := range sortedKeys(s.Variables) {
		if got, want := text(e.Variables[name]), text(s.Variables[name]); got != want {
			return fmt.Sprintf("%s is %s, not %s", name, got, want)
		}
	}
	return ""
}

// undone is the warning about an answer that could not be used, such as a jump to
// a step that does not exist.
func undone(events []machine.Event) string {
	for _, e := range events {
		if w, ok := e.Body.(*machine.Warned); ok && w.Code == "playhead/answer-unusable" {
			return w.Message
		}
	}
	return ""
}

func (s Scenario) expected() string {
	if s.Result == "" {
		return ""
	}
	return fmt.Sprintf("; expected %s", s.Result)
}

func said(message string) string {
	if message == "" {
		return ""
	}
	return fmt.Sprintf(", %q", message)
}

// text is a value as JSON, so that 1 from a file equals 1 from a run.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
