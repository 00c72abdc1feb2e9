package machine

import "playhead/parse/plan"

// Decision is the record of one move (routed): what was there to choose from,
// what was chosen and why, and where it leads. Inspector, report and JSON stream
// all show this one record.
type Decision struct {
	Outcome    *plan.Outcome `json:"outcome,omitempty"`
	Mode       string        `json:"mode,omitempty"` // how children's results were joined: all have to pass, or any
	Candidates []Candidate   `json:"candidates"`
	Taken      *int          `json:"taken,omitempty"` // an index into Candidates; nil: none matched, or a person chose
	To         string        `json:"to"`              // the label entered, the group whose side is next, or end
	Forced     bool          `json:"forced"`
	Notes      []plan.Note   `json:"notes,omitempty"` // warnings to be recorded
	Arrival    Arrival       `json:"arrival"`
}

// Candidate is one route as it was weighed.
type Candidate struct {
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text"`
	Matched  bool   `json:"matched"`
	Why      string `json:"why,omitempty"` // what Reason says, in words: in old journals, and in JSON that is printed
	Implicit bool   `json:"implicit"`
	Depth    int    `json:"depth,omitempty"` // how many budgets were used up: 1 is the move behind the first

	Reason *plan.Reason `json:"reason,omitempty"` // what was compared; nil in old journals
}

// Untaken reports whether this is a choice of which no arm was taken.
func (d *Decision) Untaken() bool {
	return d.Outcome == nil && d.Taken == nil && !d.Forced && len(d.Candidates) > 0
}

// ToEnd is Decision.To where a move ends the document.
const ToEnd = "end"

// Onward is the label, and the id where it differs, of the step at which a run goes on
// after the event: its own, or the one that it leads to.
func (e Event) Onward() (label, id string) {
	if d, is := e.Body.(*Decision); is && d.To != "" && d.To != ToEnd {
		return d.To, idIfDifferent(d.Arrival.Step, d.To)
	}
	return e.Step, e.ID
}

// Arrival is where a decision leads, in the words of the Plan: all that Apply
// needs to know.
type Arrival struct {
	Kind       ArrivalKind    `json:"kind"`
	Step       string         `json:"step,omitempty"`   // the id of the target, or of the group whose side is next
	Into       string         `json:"into,omitempty"`   // the label of the group that records the outcome
	Up         int            `json:"up,omitempty"`     // how many included documents are left on the way
	Again      bool           `json:"again,omitempty"`  // the same visit goes on
	Keep       bool           `json:"keep,omitempty"`   // the same visit, if it leads to the unit it came from
	Chosen     bool           `json:"chosen,omitempty"` // the target is an arm, and its choice is made
	Next       bool           `json:"next,omitempty"`   // the target's next instance
	Free       bool           `json:"free,omitempty"`   // a person's move: does not count against the guard
	Caller     string         `json:"caller,omitempty"`
	Spent      string         `json:"spent,omitempty"`        // the budget used
	SpentInRun bool           `json:"spent_in_run,omitempty"` // … of the run instead of the visit
	Result     plan.RunResult `json:"result,omitempty"`
	Message    string         `json:"message,omitempty"`
	Code       string         `json:"code,omitempty"`   // of an end that is an error
	Prompt     string         `json:"prompt,omitempty"` // in the place of the target's own, once
	plan.Origin
}

// ArrivalKind says what a decision leads to.
type ArrivalKind string

// A decision enters a step, goes on to a group's side, or ends the document.
const (
	ToStep ArrivalKind = "step"
	ToSide ArrivalKind = "side"
	ToOver ArrivalKind = "over"
)
