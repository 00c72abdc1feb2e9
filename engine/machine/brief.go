package machine

import (
	"strings"

	"playhead/parse/plan"
)

// MaxOutput is how many bytes of what an action put out are shown with its events;
// its log has the rest (docs/json.md).
const MaxOutput = 64 << 10

// Brief is the event for somebody who does not fold it: without the rest of a long
// output. Values of variables stay whole.
func (e Event) Brief() Event {
	switch b := e.Body.(type) {
	case *ActionFinished:
		c := *b
		c.Output, c.Outcome = brief(b.Output), briefOutcome(b.Outcome)
		e.Body = &c
	case *StepFinished:
		c := *b
		c.Outcome = briefOutcome(b.Outcome)
		e.Body = &c
	case *Decision:
		c := *b
		c.Outcome = briefOutcome(b.Outcome)
		e.Body = &c
	}
	return e
}

func briefOutcome(o *plan.Outcome) *plan.Outcome {
	if o == nil || len(o.Text) <= MaxOutput {
		return o
	}
	c := *o
	c.Text = brief(o.Text)
	return &c
}

// brief is the beginning of a text, up to a whole character.
func brief(text string) string {
	if len(text) <= MaxOutput {
		return text
	}
	return strings.ToValidUTF8(text[:MaxOutput], "")
}
