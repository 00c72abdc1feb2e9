package plan

import (
	"fmt"
	"strings"
)

// Reason is what was compared when a candidate of a decision was weighed, as data.
type Reason struct {
	Condition string `json:"condition,omitempty"` // as the document writes it
	Reading
	Expected string `json:"wanted,omitempty"`
	Unfit    string `json:"unfit,omitempty"`  // how the value differs from what the document asks for
	Tested   bool   `json:"tested,omitempty"` // beside the result the value was compared

	Budget
	Exhausted []Budget `json:"exhausted,omitempty"` // budgets before this one that were used up, in their order
	Move      string   `json:"move,omitempty"`      // the document's own name for the move, where that says where it leads
	Evaluated bool     `json:"asked"`               // false: an earlier candidate was taken
}

// Budget is how far a limit was used before a decision.
type Budget struct {
	Kind  string `json:"budget,omitempty"` // what is bounded: retry, repeat, goto, fallback
	Limit *int   `json:"limit,omitempty"`  // nil: it is counted only
	Used  *int   `json:"used,omitempty"`   // before this decision; nil: there is no budget
	Then  string `json:"then,omitempty"`   // the move behind the Limit, once that is used up
	Bound string `json:"bound,omitempty"`  // min or max: executions are counted against it, of which Limit are repetitions
}

// Reading is the part of a Reason that a format's Judge reads in a reply, or in how a
// command ended.
type Reading struct {
	Variable   string `json:"variable,omitempty"` // or the field of the reply
	Actual     string `json:"actual,omitempty"`   // a text as it is, all else as JSON
	NotText    bool   `json:"not_text,omitempty"` // Actual is JSON
	HasNoValue bool   `json:"unset,omitempty"`    // there is no value
	Intent     string `json:"intent,omitempty"`
	Alias      string `json:"alias,omitempty"`     // the word in the reply that stands for the intent
	Fallback   string `json:"fallback,omitempty"`  // the intent that was taken since the reply named none
	Validator  string `json:"validator,omitempty"` // that failed

	NoObject    bool         `json:"no_object,omitempty"`   // the reply holds no object to read
	Implied     bool         `json:"implied,omitempty"`     // the intent is that of a step without a gate
	Refused     string       `json:"refused,omitempty"`     // the code of the problem for which the reply is not accepted
	Check       string       `json:"check,omitempty"`       // what a check came to: ok or ng
	Completion  string       `json:"completion,omitempty"`  // the rule by which the run is done or not
	Iteration   int          `json:"iteration,omitempty"`   // that the rule looked at
	IsDone      bool         `json:"done,omitempty"`        // by the rule
	ExitCode    *int         `json:"exit_code,omitempty"`   // of the command in the place of a reply
	Ended       string       `json:"ended,omitempty"`       // how that command ended without an exit status
	Rule        *Rule        `json:"rule,omitempty"`        // that was looked up for the intent
	Validations []Validation `json:"validations,omitempty"` // of the reply, in their order
}

// Rule is a value of a reply by which a target was looked up.
type Rule struct {
	Key     string `json:"key"`
	Value   string `json:"value,omitempty"`   // as JSON; "": there is none
	Default bool   `json:"default,omitempty"` // no target is for the value: the default's was taken
}

// Validation is what a validator found.
type Validation struct {
	Validator string `json:"validator"`
	Passed    bool   `json:"passed"`
	Pattern   string `json:"pattern,omitempty"` // of the failure
	Skipped   bool   `json:"skipped,omitempty"` // the failure was passed over
	Nth       int    `json:"nth,omitempty"`     // which of all it is, from 1
	Of        int    `json:"of,omitempty"`
}

// Compared says which value a condition found. It names a difference that is hard to see.
func (r *Reason) Compared() string {
	text := fmt.Sprintf("%s = %q", r.Variable, r.Actual)
	switch {
	case r.HasNoValue:
		return r.Variable + " is not set"
	case r.Unfit != "":
		return text + " (" + r.Unfit + ")"
	}
	if hard := slightDifference(r.Expected, r.Actual); hard != "" {
		return text + " (only " + hard + ")"
	}
	return text
}

// slightDifference says in what two texts differ if that is hard to see, empty if it is not.
func slightDifference(a, b string) string {
	without := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case a == b || a == "":
		return ""
	case without(a) == without(b):
		return "blanks differ"
	case strings.EqualFold(a, b):
		return "case differs"
	case strings.EqualFold(without(a), without(b)):
		return "case and blanks differ"
	}
	return ""
}
