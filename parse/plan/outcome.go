package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Result is how a step or an action ended.
type Result string

// The results. A Matcher with Failed matches Errored too, unless an earlier route names it. Undecided
// means that a person has to decide.
const (
	Passed    Result = "pass"
	Failed    Result = "fail"
	Errored   Result = "error"
	Skipped   Result = "skipped"
	Undecided Result = "held"
)

// RunResult is how a run or an included document ended.
type RunResult string

// The results of a run. Awaiting means that a person is needed and nobody is there.
const (
	Completed RunResult = "completed"
	Stopped   RunResult = "stopped"
	RunFailed RunResult = "failed"
	Cancelled RunResult = "cancelled"
	Awaiting  RunResult = "awaiting_input"
)

// IsFinal reports whether a run with this result continues only if a person intervenes.
func (r RunResult) IsFinal() bool { return r == Completed || r == Stopped || r == RunFailed }

// ChildrenSource is the Source of an outcome that is joined from the children's results.
const ChildrenSource = "children"

// Outcome is the result of a step, with the data that later routes and prompts read.
type Outcome struct {
	Result           Result         `json:"result"`
	Intent           string         `json:"intent,omitempty"`
	Source           string         `json:"source,omitempty"`  // exit 1, signal KILL, person, answer, automatic, children …
	Reason           string         `json:"reason,omitempty"`  // why it has the result; of an answer or an override: the note
	UntakenBranches  []Reason       `json:"untaken,omitempty"` // if no branch was taken: what was compared for each; old journals have a Reason instead
	OldReadingText   string         `json:"why,omitempty"`     // the reading as text, in old journals only
	Reading          *Reading       `json:"read,omitempty"`    // what the format's Judge compared
	Text             string         `json:"text,omitempty"`
	Data             map[string]any `json:"data,omitempty"`
	ChildResults     ChildResults   `json:"results,omitempty"`    // of children, by label, in the order of recording
	Checks           []Check        `json:"checks,omitempty"`     // in the order of the document
	UndeclaredValues []Assignment   `json:"undeclared,omitempty"` // values that a reply reports and the step does not declare, by name
	Overridden       bool           `json:"forced,omitempty"`     // a person overrode it
	OriginalResult   Result         `json:"from,omitempty"`       // the result before the override, if there was one
}

// MaxListedItems is how many items of a list a sentence names.
const MaxListedItems = 3

// Verdict is what a Judge decides about a product.
type Verdict struct {
	Outcome
	Assignments    []Assignment // the variables to set if the action passes
	RejectionReply string       // not accepted: send this to the model and ask again
	Warnings       []RunWarning
}

// Assignment sets a variable. Values are JSON.
type Assignment struct {
	Name      string `json:"variable"`
	Value     any    `json:"value"`
	Violation string `json:"unfit,omitempty"` // how the value differs from what the document demands; "": it does not
}

// RunWarning is a warning about a step of a run, with its diagnostic code.
type RunWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"` // of the document; 0: none
}

// WarningAdvice is what a format adds to a warning of a run: the kind of error, and what to do.
type WarningAdvice struct {
	ErrorType  string
	Suggestion string
	FailsStep  bool // it is an error: the step fails
	IsFallback bool // it says that the fallback intent was used
}

// Judge decides what a product means. It is plain data with one pure method.
type Judge interface {
	Judge(Product, Scope) Verdict
}

// PassingJudge is a Judge that passes every product.
type PassingJudge interface {
	Judge
	PassesAll()
}

// PersonJudge is a Judge that also decides what a person's pass or fail means. There may be no product,
// for example if a command was interrupted.
type PersonJudge interface {
	Judge
	Decide(pass bool, note string, scope Scope) Verdict
}

// Product is the result of an effect.
type Product struct {
	ExitCode     int    // of a command that ended by itself
	Signal       string // the signal that ended the command: KILL, TERM …
	Err          string // why it could not start, or why a call failed
	Cancelled    bool   // a person cancelled it
	TimedOut     bool
	Text         string // what the command printed, at most 64 KiB, or what was replied
	Stdout       string // of a command with pipes
	Stderr       string
	Data         map[string]any
	SetupProblem string     // why a model cannot be asked at all, which a person must resolve
	ToolCalls    []ToolCall // the functions that the model wants to call
	RepliedBy    string     // who replied in place of the model; "": nobody
}

// Scope is the read-only view of a run that Judges and Prompts get.
type Scope interface {
	// Var reads a variable.
	Var(name string) (any, bool)
	// Instance returns the current instance number of a template step, 0 if it was never entered.
	Instance(step string) int
	// Outcome returns the step's outcome so far.
	Outcome() Outcome
}

// Check is one criterion of an outcome, with its result.
type Check struct {
	Text    string `json:"text"`
	Verdict Result `json:"verdict"` // Passed, Failed or Unverified
	Detail  string `json:"detail,omitempty"`
}

// Unverified is the verdict of a Check without a result.
const Unverified Result = "unverified"

// ChildResults are the results of children by label, in the order in which they were first recorded. In
// JSON they are one object.
type ChildResults []ChildResult

// ChildResult is one child's result.
type ChildResult struct {
	Label  string
	Result Result
}

// Count returns how many of the results are r.
func (cr ChildResults) Count(r Result) int {
	n := 0
	for _, c := range cr {
		if c.Result == r {
			n++
		}
	}
	return n
}

// MarshalJSON writes the results as one object, in order.
func (cr ChildResults) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range cr {
		if i > 0 {
			b.WriteByte(',')
		}
		label, _ := json.Marshal(c.Label) // a string always encodes
		result, _ := json.Marshal(c.Result)
		b.Write(label)
		b.WriteByte(':')
		b.Write(result)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the object, keeping its order.
func (cr *ChildResults) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return fmt.Errorf("results must be an object")
	}
	var out ChildResults
	for dec.More() {
		label, err := dec.Token()
		if err != nil {
			return err
		}
		var r Result
		if err := dec.Decode(&r); err != nil {
			return err
		}
		out = append(out, ChildResult{label.(string), r})
	}
	*cr = out
	return nil
}
