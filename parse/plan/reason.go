package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reason is what a decision compared for one candidate.
type Reason struct {
	Condition string `json:"condition,omitempty"` // as the document writes it
	Reading
	Expected      string `json:"wanted,omitempty"`
	Violation     string `json:"unfit,omitempty"`  // how the value violates what the document asks for
	IsValueTested bool   `json:"tested,omitempty"` // the value was compared, not only the result

	Budget
	ExhaustedBudgets []Budget `json:"exhausted,omitempty"` // the budgets before this one that were used up, in order
	MoveText         string   `json:"move,omitempty"`      // the document's own text for the move, if that names the target
	Evaluated        bool     `json:"asked"`               // false: an earlier candidate was taken
}

// Budget says how much of a limit was used before a decision.
type Budget struct {
	Kind           string `json:"budget,omitempty"` // what is limited: retry, repeat, goto, fallback
	Limit          *int   `json:"limit,omitempty"`  // nil: counted without a limit
	Used           *int   `json:"used,omitempty"`   // before this decision; nil: there is no budget
	MoveAfterLimit string `json:"then,omitempty"`   // the move to take once the limit is used up
	MinOrMax       string `json:"bound,omitempty"`  // min or max: the document bounds the iterations, which are Limit + 1
}

// Reading is what a format's Judge reads in a reply or in a command's exit.
type Reading struct {
	Variable           string `json:"variable,omitempty"` // a variable, or a field of the reply
	Actual             string `json:"actual,omitempty"`   // text as it is, anything else as JSON
	IsJSON             bool   `json:"not_text,omitempty"` // Actual is JSON
	HasNoValue         bool   `json:"unset,omitempty"`    // there is no value
	Intent             string `json:"intent,omitempty"`
	IntentAlias        string `json:"alias,omitempty"`         // the word in the reply that means the intent
	FallbackIntent     string `json:"fallback,omitempty"`      // the intent that was used because the reply named none
	FallbackIntentLine int    `json:"fallback_line,omitempty"` // where the document names that intent; 0: it does not
	FailedValidator    string `json:"validator,omitempty"`     // the one that failed

	HasNoObject      bool              `json:"no_object,omitempty"`   // the reply holds no object to read
	IsIntentImplied  bool              `json:"implied,omitempty"`     // the step has no gate, so its intent is implied
	RejectionCode    string            `json:"refused,omitempty"`     // why the reply was rejected, as a code
	CheckResult      string            `json:"check,omitempty"`       // the result of a check: ok or ng
	CompletionRule   string            `json:"completion,omitempty"`  // the rule that decides whether the run is done
	Iteration        int               `json:"iteration,omitempty"`   // the iteration that the rule checked
	IsDone           bool              `json:"done,omitempty"`        // by the rule
	ExitCode         *int              `json:"exit_code,omitempty"`   // of the command that ran in place of a model call
	AbnormalEnd      string            `json:"ended,omitempty"`       // how that command ended without an exit status
	TargetSelector   *TargetSelector   `json:"rule,omitempty"`        // the conditional rule of the intent
	ValidatorResults []ValidatorResult `json:"validations,omitempty"` // of the reply, in their order
}

// TargetSelector is the value of a reply that selected a target.
type TargetSelector struct {
	Key       string `json:"key"`
	Path      string `json:"path,omitempty"`    // where the reply has the value, if that is not Key; "" in old journals
	Value     string `json:"value,omitempty"`   // as JSON; "": there is none
	IsDefault bool   `json:"default,omitempty"` // no target matches the value, so the default was taken
}

// ValueText returns the value as text, "" if there is none.
func (s *TargetSelector) ValueText() string {
	var value any
	if json.Unmarshal([]byte(s.Value), &value) != nil {
		return s.Value
	}
	return ValueText(value)
}

// ValidatorResult is the result of one validator.
type ValidatorResult struct {
	Validator      string `json:"validator"`
	Passed         bool   `json:"passed"`
	FailurePattern string `json:"pattern,omitempty"` // of the failure
	FailureIgnored bool   `json:"skipped,omitempty"` // the failure was ignored
	Position       int    `json:"nth,omitempty"`     // from 1
	ValidatorCount int    `json:"of,omitempty"`
}

// ComparisonText returns the value that a condition found. It names a difference that is hard to see.
func (r *Reason) ComparisonText() string {
	text := fmt.Sprintf("%s = %q", r.Variable, r.Actual)
	switch {
	case r.HasNoValue:
		return r.Variable + " is not set"
	case r.Violation != "":
		return text + " (" + r.Violation + ")"
	}
	return text + DifferenceNote(r.Expected, r.Actual)
}

// SlightDifference returns how the value differs from the expected one if that is hard to see, such
// as "whitespace differs", else "".
func (r *Reason) SlightDifference() string { return SlightDifference(r.Expected, r.Actual) }

// SlightDifference returns how two texts differ if that is hard to see, else "".
func SlightDifference(a, b string) string {
	without := func(s string) string { return strings.Join(strings.Fields(s), "") }
	switch {
	case a == b || a == "":
		return ""
	case without(a) == without(b):
		return "whitespace differs"
	case strings.EqualFold(a, b):
		return "case differs"
	case strings.EqualFold(without(a), without(b)):
		return "case and whitespace differ"
	case isTypo(a, b) || isTypo(b, a):
		return "spelling differs"
	}
	return ""
}

// DifferenceNote returns SlightDifference as a note behind the second text, such as " (only whitespace differs)", else "".
func DifferenceNote(a, b string) string {
	if difference := SlightDifference(a, b); difference != "" {
		return " (only " + difference + ")"
	}
	return ""
}

// minTypoLength is the length from which a word can be a typo of another one: short words are often one letter
// apart.
const minTypoLength = 4

// isTypo reports whether b is a with a letter left out, or with two neighbours swapped. Another letter in
// the same place mostly makes another word, and another digit another number.
func isTypo(a, b string) bool {
	if len(a) < minTypoLength || len(b) < minTypoLength-1 || len(a)-len(b) > utf8.UTFMax {
		return false
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	switch {
	case len(x) == len(y)+1:
		return unicode.IsLetter(x[i]) && slices.Equal(x[i+1:], y[i:])
	case len(x) == len(y) && i+1 < len(x):
		return unicode.IsLetter(x[i]) && unicode.IsLetter(x[i+1]) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:])
	}
	return false
}
