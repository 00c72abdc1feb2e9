package plan

import "strings"

// Route is a way out of a step. It is taken if When matches and no earlier route does.
type Route struct {
	When Matcher
	Do   Move
}

// Condition returns the part of a route that says when it is taken: the text in front of a colon or
// an arrow.
func (r *Route) Condition() string {
	if r.When.SourceText != "" {
		return r.When.SourceText
	}
	for _, mark := range []string{":", "→"} {
		if when, _, found := strings.Cut(r.Do.SourceText, mark); found {
			return strings.TrimSpace(when)
		}
	}
	switch {
	case r.When.Test != nil:
		return r.When.Test.SourceText
	case r.When.Intent != "" && r.When.Result == Failed:
		return r.When.Intent + ", failed"
	case r.When.Intent != "":
		return r.When.Intent
	default:
		return string(r.When.Result)
	}
}

// WrittenMoves returns the moves of a route that the document writes: the first one, and those behind its limits
// that have a text of their own.
func (r *Route) WrittenMoves() (out []*Move) {
	for m := &r.Do; m != nil; m = m.AfterLimit {
		if !m.Implicit && (m == &r.Do || m.TextNamesTarget) {
			out = append(out, m)
		}
	}
	return out
}

// Matcher is a condition on an outcome. All fields that are set must hold. The zero Matcher matches
// every outcome except skipped.
type Matcher struct {
	Result     Result // pass, fail (an error too, unless an earlier route names it), error or skipped
	Intent     string // the intent that the gate reads
	Test       *Test
	AllOrAny   string // for display: all or any, as the document writes it
	SourceText string // for display: as the document writes it; "" if the Move's SourceText contains it
}

// MatchesOutcome reports whether an outcome satisfies the matcher, apart from its Test. An error counts as a failure unless
// an earlier route was taken for it.
func (m Matcher) MatchesOutcome(o *Outcome, earlierTaken bool) bool {
	ok := o.Result != Skipped
	switch m.Result {
	case "":
	case Failed:
		ok = o.Result == Failed || o.Result == Errored && !earlierTaken
	default:
		ok = o.Result == m.Result
	}
	return ok && (m.Intent == "" || o.Intent == m.Intent)
}

// Move is where a route leads.
type Move struct {
	Verb            Verb
	Implicit        bool // not written in the document
	IsRepeat        bool // of RunAgain: repeats up to the Limit and is not a retry
	KeepsVisit      bool // returning to the same step continues its visit, as a retry does
	RemembersCaller bool // the target remembers its caller
	To              Target
	Result          RunResult // of EndDocument
	Message         Prompt    // of EndDocument
	DiagnosticCode  string    // of an EndDocument that is an error, or of a Fallback: the diagnostic's
	NextVisitPrompt Prompt    // replaces the prompt of the next visit once
	Limit           *Limit    // a budget: this move until it is used up, then AfterLimit
	AfterLimit      *Move
	SourceText      string // as the document writes it
	TextNamesTarget bool   // SourceText contains the target, so a decision shows nothing else
	MinOrMax        string // min or max: the document bounds the iterations, which are Limit + 1
	Span            Span
}

// Verb is the kind of a Move.
type Verb uint8

const (
	// Continue goes to the next sibling; after the last the parent joins.
	Continue Verb = iota
	// LeaveGroup ends the group at once: the parent joins.
	LeaveGroup
	// RunAgain runs the same step or group again, in the same visit.
	RunAgain
	// Goto goes to a target.
	Goto
	// Fallback is a Goto that is recorded as a warning.
	Fallback
	// EndDocument ends the document.
	EndDocument
)

// Limit is a budget for a move. Every visit counts its attempts (AttemptCounter). Any other counter counts how often
// a move with this counter was made. Max 0 is no bound.
type Limit struct {
	Counter string
	Max     int
	PerRun  bool // counts for the whole run, not for one visit
}

// AttemptCounter is the counter that every visit has: the number of the attempt, from 1.
const AttemptCounter = "attempt"

// RetryCounter counts the retries of a visit, for formats in which an attempt can be something
// else.
const RetryCounter = "retry"

// Target is a destination: a step, its next instance, the caller, or the step that the outcome's
// data names.
type Target struct {
	Step           string
	IsNextInstance bool
	IsCaller       bool
	OutcomeDataKey string // a key of the outcome's data
}

// Test compares a variable, or the outcome's data, with a value.
type Test struct {
	ReadsOutcomeData bool // Path reads the outcome's data; otherwise Path[0] is a variable
	Path             []string
	Op               Op
	Value            string
	SourceText       string // as the document writes it

	VariableSource string // for display: input, output or UnknownSource
}

// UnknownSource is the source of a variable that neither an input nor an earlier step defines.
const UnknownSource = "unknown"

// Op is the comparison of a Test.
type Op int

const (
	// OpEqual holds when the value's text equals Value. A missing variable equals the empty text; a missing value in the
	// outcome's data equals nothing.
	OpEqual Op = iota
	// OpNotEqual holds when the value's text differs from Value. Every missing value counts as the empty text here.
	OpNotEqual
	// OpIsSet holds when there is a value.
	OpIsSet
)
