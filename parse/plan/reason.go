package plan

import "fmt"

// Reason is what was compared when a candidate of a decision was weighed, as data.
type Reason struct {
	Condition string `json:"condition,omitempty"` // as the document writes it
	Reading
	Wanted string `json:"wanted,omitempty"`
	Unfit  string `json:"unfit,omitempty"` // how the value differs from what the document asks for

	Budget string `json:"budget,omitempty"` // what Limit bounds: retry, repeat, goto, fallback
	Limit  *int   `json:"limit,omitempty"`  // nil: it is counted only
	Used   *int   `json:"used,omitempty"`   // before this decision
	Then   string `json:"then,omitempty"`   // the move behind the Limit, once that is used up
	Asked  bool   `json:"asked"`            // false: an earlier candidate was taken
}

// Reading is the part of a Reason that a format's Judge reads in a reply.
type Reading struct {
	Variable  string `json:"variable,omitempty"` // or the field of the reply
	Actual    string `json:"actual,omitempty"`
	Unset     bool   `json:"unset,omitempty"` // there is no value
	Intent    string `json:"intent,omitempty"`
	Alias     string `json:"alias,omitempty"`     // the word in the reply that stands for the intent
	Fallback  string `json:"fallback,omitempty"`  // the intent that was taken since the reply named none
	Validator string `json:"validator,omitempty"` // that failed
}

// Compared says which value a condition found.
func (r *Reason) Compared() string {
	text := fmt.Sprintf("%s = %q", r.Variable, r.Actual)
	switch {
	case r.Unset:
		return r.Variable + " is not set"
	case r.Unfit != "":
		return text + " (" + r.Unfit + ")"
	}
	return text
}

// Spent says how much of a budget was used before the decision, "" where there is none.
func (r *Reason) Spent() string {
	if r == nil || r.Used == nil {
		return ""
	}
	text := fmt.Sprintf("%s %d used", r.Budget, *r.Used)
	if r.Limit != nil {
		text = fmt.Sprintf("%s %d of %d used", r.Budget, *r.Used, *r.Limit)
	}
	if r.Then != "" {
		text += ": " + r.Then
	}
	return text
}
