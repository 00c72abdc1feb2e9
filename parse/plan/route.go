package plan

import "strings"

// Route is a road out of a step: taken if When matches and no earlier one does.
type Route struct {
	When Matcher
	Do   Move
}

// Condition is the part of a route that says when it is taken, as written where
// the format writes it in front of a colon or an arrow.
func (r *Route) Condition() string {
	if r.When.Text != "" {
		return r.When.Text
	}
	for _, mark := range []string{":", "→"} {
		if when, _, found := strings.Cut(r.Do.Text, mark); found {
			return strings.TrimSpace(when)
		}
	}
	switch {
	case r.When.Test != nil:
		return r.When.Test.Text
	case r.When.Intent != "" && r.When.Result == Failed:
		return r.When.Intent + ", failed"
	case r.When.Intent != "":
		return r.When.Intent
	default:
		return string(r.When.Result)
	}
}

// Matcher is a condition on an outcome. What is set must hold; the zero Matcher
// matches every outcome but skipped.
type Matcher struct {
	Result Result // pass, fail (an error too, unless an earlier route names it), error or skipped
	Intent string // the gate's word
	Test   *Test
	Mode   string // all or any, as the document writes it: for show
	Text   string // as the document writes it: for show; "": it is a part of the Move's Text
}

// Matches reports whether an outcome is what the matcher wants, apart from its Test. An
// error is a failure too, unless another route has dealt with it.
func (w Matcher) Matches(o *Outcome, dealt bool) bool {
	ok := o.Result != Skipped
	switch w.Result {
	case "":
	case Failed:
		ok = o.Result == Failed || o.Result == Errored && !dealt
	default:
		ok = o.Result == w.Result
	}
	return ok && (w.Intent == "" || o.Intent == w.Intent)
}

// Move is where a route leads.
type Move struct {
	Verb        Verb
	Implicit    bool // supplied by the format
	Repeat      bool // of Again: it goes on until the Limit, and is no retry
	Keep        bool // arriving at the unit it left goes on with its visit, as a retry
	Call        bool // the target remembers its caller
	To          Target
	Result      RunResult // of End
	Message     Prompt    // of End
	Code        string    // of an End that is an error, or of a Fallback: the diagnostic's
	Prompt      Prompt    // replaces the next execution's prompt, once
	Limit       *Limit    // a budget: while it lasts this move, then Then
	Then        *Move
	Text        string // as the document writes it
	NamesTarget bool   // Text says where it leads: a decision names the move, and not its target
	Bound       string // min or max: the Limit that the document writes bounds executions
	Span        Span
}

// Verb is the kind of a Move.
type Verb uint8

const (
	// Continue goes to the next sibling; after the last the parent joins.
	Continue Verb = iota
	// Leave ends the group at once: the parent joins.
	Leave
	// Again runs the same unit or group again, in the same visit.
	Again
	// Goto goes to a target.
	Goto
	// Fallback is a Goto that is recorded as a warning.
	Fallback
	// End ends the document.
	End
)

// Limit is a budget. The counter "attempt" counts by itself, others when spent;
// Max 0 is counted and unbounded.
type Limit struct {
	Counter string
	Max     int
	Run     bool // kept for the whole run instead of a visit
}

// Attempt is the counter that every visit has: which execution of the unit or
// group this is, from 1.
const AttemptCounter = "attempt"

// RetryCounter counts the retries of a visit, where an attempt may be more than that.
const RetryCounter = "retry"

// Target names a destination: a step, its next instance, the caller, or the step
// that the outcome's data names.
type Target struct {
	Step    string
	Next    bool
	Caller  bool
	DataKey string // a key of the outcome's data
}

// Test compares a variable, or the outcome's data, with a value.
type Test struct {
	Data  bool // Path reads the outcome's data; otherwise Path[0] is a variable
	Path  []string
	Op    Op
	Value string
	Text  string // as the document writes it

	Source string // where the variable comes from: input, output or unknown; for show
}

// Op is the comparison of a Test.
type Op int

const (
	// Is holds when the value's text equals Value.
	Is Op = iota
	// IsNot holds when it does not.
	IsNot
	// IsSet holds when there is a value.
	IsSet
)
