package journal

import (
	"bytes"

	"playhead/engine/machine"
)

// MaskedText is a text without the secrets.
func (r *Run) MaskedText(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return text
	}
	return r.mask.text(text)
}

// Masked is the event as the journal has it, without the secrets: what anybody
// but the machine gets to see.
func (r *Run) Masked(e machine.Event) machine.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return e
	}
	line, err := e.MarshalJSON()
	if err == nil && !r.mask.suspects(line) {
		return e
	}
	var out machine.Event
	if err == nil {
		plain := line
		if line, err = r.mask.rewrite(plain); bytes.Equal(line, plain) {
			return e
		}
	}
	if err == nil {
		err = out.UnmarshalJSON(line)
	}
	if err != nil {
		return machine.Event{Seq: e.Seq, Time: e.Time, Step: e.Step, ID: e.ID, Body: &machine.Other{
			Kind: e.Body.Type(), Raw: []byte(`{"type":"warning","message":"an event could not be masked"}`),
		}}
	}
	return out
}
