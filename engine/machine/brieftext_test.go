package machine_test

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestWithOutputCut: WithOutputCut limits an output to 64 KiB of whole characters, and leaves the event itself as it
// is.
func TestWithOutputCut(t *testing.T) {
	text := "x" + strings.Repeat("é", machine.MaxOutputBytes)
	o := &plan.Outcome{Result: plan.Passed, Text: text}
	for _, body := range []machine.Body{
		&machine.ActionFinished{Output: text, Outcome: o}, &machine.StepFinished{Outcome: o}, &machine.Decision{Outcome: o},
	} {
		line, err := machine.Event{Body: body}.WithOutputCut().MarshalJSON()
		if n := len(line); err != nil || n > 3*machine.MaxOutputBytes || strings.Contains(string(line), "\ufffd") {
			t.Errorf("%s takes %d bytes, %v", body.Type(), n, err)
		}
		if b, ok := body.(*machine.ActionFinished); ok && b.Output != text || o.Text != text {
			t.Error("the event was changed")
		}
	}
	given := machine.Event{Body: &machine.VariableCaptured{Variable: "v", Value: text}}
	if given.WithOutputCut().Body.(*machine.VariableCaptured).Value != text {
		t.Error("a value was cut")
	}
}
