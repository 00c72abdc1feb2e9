package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"playhead/parse/plan"
)

// head is the part of an event that all kinds share, as JSON.
type head struct {
	Seq     int       `json:"seq"`
	Time    time.Time `json:"time"`
	Type    string    `json:"type"`
	Step    string    `json:"step,omitempty"`
	ID      string    `json:"id,omitempty"`
	Attempt int       `json:"attempt,omitempty"`
	By      string    `json:"by,omitempty"`
	Reason  string    `json:"reason,omitempty"`

	Prepared string `json:"prepared,omitempty"`
	Client   string `json:"client,omitempty"`
}

// bodies returns an empty body for each kind of event.
var bodies = map[string]func() Body{
	"run.started":     func() Body { return new(Started) },
	"step.entered":    func() Body { return new(Entered) },
	"action.started":  func() Body { return new(ActionStarted) },
	"action.finished": func() Body { return new(ActionFinished) },
	"input.needed":    func() Body { return new(InputNeeded) },
	"input.given":     func() Body { return new(InputGiven) },
	"captured":        func() Body { return new(Captured) },
	"step.finished":   func() Body { return new(StepFinished) },
	"routed":          func() Body { return new(Decision) },
	"child.entered":   func() Body { return new(ChildEntered) },
	"child.finished":  func() Body { return new(ChildFinished) },
	"warning":         func() Body { return new(Warned) },
	"run.finished":    func() Body { return new(Finished) },
	"approval":        func() Body { return new(Approval) },
	"resumed":         func() Body { return new(Resumed) },
	"rewound":         func() Body { return new(Rewound) },
	"forked":          func() Body { return new(Forked) },
	"edited":          func() Body { return new(Edited) },
	"limits.used":     func() Body { return new(LimitsUsed) },
	"reloaded":        func() Body { return new(Reloaded) },
	"file.changing":   func() Body { return new(FileChanging) },
	"file.restored":   func() Body { return new(FileRestored) },
	"shell.opened":    func() Body { return new(ShellOpened) },
	"called":          func() Body { return new(Called) },
}

// MarshalJSON writes head and body as one flat object.
func (e Event) MarshalJSON() ([]byte, error) {
	if o, ok := e.Body.(*Other); ok {
		return o.Raw, nil
	}
	out, err := encode(head{e.Seq, e.Time, e.Body.Type(), e.Step, e.ID, e.Attempt, e.By, e.Reason, e.Prepared, e.Client})
	if err != nil {
		return nil, err
	}
	body, err := encode(e.Body)
	if err != nil || len(body) == len("{}") {
		return out, err
	}
	out[len(out)-1] = ','
	return append(out, body[1:]...), nil
}

// encode is like json.Marshal, but does not escape <, > and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// UnmarshalJSON reads an event from JSON. An event of an unknown kind gets the body Other.
func (e *Event) UnmarshalJSON(data []byte) error {
	var h head
	if err := json.Unmarshal(data, &h); err != nil {
		return err
	}
	if h.Type == "" {
		return fmt.Errorf("event %d has no type", h.Seq)
	}
	*e = Event{h.Seq, h.Time, h.Step, h.ID, h.Attempt, h.By, h.Reason, h.Prepared, h.Client, nil}
	empty, known := bodies[h.Type]
	if !known {
		e.Body = &Other{Kind: h.Type, Raw: bytes.Clone(data)}
		return nil
	}
	e.Body = empty()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // keeps numbers as they were written, because prompts show them
	return dec.Decode(e.Body)
}

// MaxOutput is the number of bytes of an action's output that its events show. The log has all of
// it (docs/json.md).
const MaxOutput = 64 << 10

// Brief returns the event with long outputs cut, for readers who do not fold it. Values of
// variables stay whole.
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

// brief returns the beginning of a text, cut between characters.
func brief(text string) string {
	if len(text) <= MaxOutput {
		return text
	}
	return strings.ToValidUTF8(text[:MaxOutput], "")
}
