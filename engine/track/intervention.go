package track

import (
	"fmt"
	"strings"

	"playhead/engine/machine"
)

// Intervention is what a person did to a run, in a few words: edit of 3.
func Intervention(e machine.Event) string {
	switch b := e.Body.(type) {
	case *machine.Edited:
		return "edit of " + e.Step
	case *machine.InputGiven:
		return "answer to " + e.Step
	case *machine.Captured:
		return assigned(b)
	case *machine.ActionFinished:
		return "reply of " + e.Step
	case *machine.StepFinished:
		return e.Step + " set to " + string(b.Result)
	case *machine.Rewound:
		return fmt.Sprintf("going back to event %d", b.To)
	case *machine.Decision:
		if b.Arrival.Again {
			return "another attempt at " + e.Step
		}
		return "jump to " + b.To
	}
	return Describe(e)
}

// shortValue is how long a value is, in bytes, that is said with its name.
const shortValue = 40

func assigned(b *machine.Captured) string {
	if text := fmt.Sprint(b.Value); len(text) <= shortValue && !strings.Contains(text, "\n") {
		return b.Variable + " = " + text
	}
	return "value of " + b.Variable
}
