package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"playhead/parse/plan"
)

// eventHead is the part of an event that all kinds share, as JSON.
type eventHead struct {
	Seq            int       `json:"seq"`
	Time           time.Time `json:"time"`
	Type           string    `json:"type"`
	Step           string    `json:"step,omitempty"`
	ExplicitStepID string    `json:"id,omitempty"`
	Attempt        int       `json:"attempt,omitempty"`
	By             string    `json:"by,omitempty"`
	Note           string    `json:"reason,omitempty"`

	PreparedBy string `json:"prepared,omitempty"`
	Client     string `json:"client,omitempty"`
}

// newBodyByType returns an empty body for each kind of event.
var newBodyByType = map[string]func() Body{
	"run.started":     func() Body { return new(RunStarted) },
	"step.entered":    func() Body { return new(StepEntered) },
	"action.started":  func() Body { return new(ActionStarted) },
	"action.finished": func() Body { return new(ActionFinished) },
	"input.needed":    func() Body { return new(InputNeeded) },
	"input.given":     func() Body { return new(InputGiven) },
	"captured":        func() Body { return new(VariableCaptured) },
	"step.finished":   func() Body { return new(StepFinished) },
	"routed":          func() Body { return new(Decision) },
	"child.entered":   func() Body { return new(ChildEntered) },
	"child.finished":  func() Body { return new(ChildFinished) },
	"warning":         func() Body { return new(WarningRecorded) },
	"run.finished":    func() Body { return new(RunFinished) },
	"approval":        func() Body { return new(ApprovalChanged) },
	"resumed":         func() Body { return new(RunResumed) },
	"rewound":         func() Body { return new(RunRewound) },
	"forked":          func() Body { return new(RunForked) },
	"edited":          func() Body { return new(ActionEdited) },
	"limits.used":     func() Body { return new(LimitsUsed) },
	"reloaded":        func() Body { return new(DocumentReloaded) },
	"file.changing":   func() Body { return new(FileChanging) },
	"file.restored":   func() Body { return new(FileRestored) },
	"shell.opened":    func() Body { return new(ShellOpened) },
	"called":          func() Body { return new(PlayheadToolCalled) },
}

// MarshalJSON writes head and body as one flat object.
func (e Event) MarshalJSON() ([]byte, error) {
	if o, ok := e.Body.(*UnknownBody); ok {
		return o.Raw, nil
	}
	out, err := plan.EncodeJSON(eventHead{e.Seq, e.Time, e.Body.Type(), e.Step, e.ExplicitStepID, e.Attempt, e.By, e.Note, e.PreparedBy, e.Client})
	if err != nil {
		return nil, err
	}
	body, err := plan.EncodeJSON(e.Body)
	if err != nil || len(body) == len("{}") {
		return out, err
	}
	out[len(out)-1] = ','
	return append(out, body[1:]...), nil
}

// UnmarshalJSON reads an event from JSON. An event of an unknown kind keeps its JSON unchanged.
func (e *Event) UnmarshalJSON(data []byte) error {
	var h eventHead
	if err := json.Unmarshal(data, &h); err != nil {
		return err
	}
	if h.Type == "" {
		return fmt.Errorf("event %d has no type", h.Seq)
	}
	*e = Event{h.Seq, h.Time, h.Step, h.ExplicitStepID, h.Attempt, h.By, h.Note, h.PreparedBy, h.Client, nil}
	empty, known := newBodyByType[h.Type]
	if !known {
		e.Body = &UnknownBody{Kind: h.Type, Raw: bytes.Clone(data)}
		return nil
	}
	e.Body = empty()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // keeps numbers as they were written, because prompts show them
	return dec.Decode(e.Body)
}

// MaxOutputBytes is the limit for the output of a command in its events, and for any output after
// WithOutputCut. The log has all of it (docs/json.md).
const MaxOutputBytes = 64 << 10

// WithOutputCut returns the event with long outputs cut, for readers who do not fold it. Values of
// variables stay whole.
func (e Event) WithOutputCut() Event {
	switch b := e.Body.(type) {
	case *ActionFinished:
		c := *b
		c.Output, c.Outcome = truncateOutput(b.Output), withTextCut(b.Outcome)
		e.Body = &c
	case *StepFinished:
		c := *b
		c.Outcome = withTextCut(b.Outcome)
		e.Body = &c
	case *Decision:
		e.Body = b.withOutputCut()
	case *RunFinished:
		c := *b
		c.WaitingFor = b.WaitingFor.WithOutputCut()
		e.Body = &c
	}
	return e
}

// WithOutputCut does for a Waiting, which may be nil, what it does for an event.
func (w *Waiting) WithOutputCut() *Waiting {
	if w == nil || w.NextDecision == nil {
		return w
	}
	c := *w
	c.NextDecision = w.NextDecision.withOutputCut()
	return &c
}

func (d *Decision) withOutputCut() *Decision {
	c := *d
	c.Outcome = withTextCut(d.Outcome)
	return &c
}

func withTextCut(o *plan.Outcome) *plan.Outcome {
	if o == nil || len(o.Text) <= MaxOutputBytes {
		return o
	}
	c := *o
	c.Text = truncateOutput(o.Text)
	return &c
}

// truncateOutput returns the beginning of a text, cut between characters.
func truncateOutput(text string) string {
	if len(text) <= MaxOutputBytes {
		return text
	}
	return strings.ToValidUTF8(text[:MaxOutputBytes], "")
}
