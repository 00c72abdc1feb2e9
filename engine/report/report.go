// Package report turns a run into one document: what was done, what the results were, why the run took
// its routes, and what a person overrode. Build makes a Report of a journal at any time of the run.
// Markdown, HTML and JSON write it.
//
// Output and replies are untrusted. In Markdown they stand in fences and code spans that they cannot
// end, in HTML they are escaped, and control characters are removed from all three. Only the two ends of
// a long output are included, so that a report stays small enough to read and send. Secrets were masked
// before anything was recorded.
package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"time"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Unfinished is the Result of a run that is still in progress or was interrupted.
const Unfinished = "unfinished"

// Report describes a run. docs/reports.md describes its JSON, in which keys are absent when empty,
// except lists and numbers.
type Report struct {
	RunID        string     `json:"run"`
	Format       string     `json:"format"`
	formatTitle  string     // as in plan.FormatTitle
	DocumentPath string     `json:"path"` // of the document, as it was named
	Title        string     `json:"title,omitempty"`
	Result       string     `json:"result"` // a plan.RunResult, or Unfinished
	Message      string     `json:"message,omitempty"`
	Started      time.Time  `json:"started"`
	Ended        time.Time  `json:"ended"` // the time of the newest event if the run is not over
	Took         Duration   `json:"duration_ms"`
	Prompted     bool       `json:"prompted,omitempty"` // nothing was executed: a person decided instead
	Fork         *Fork      `json:"fork,omitempty"`
	WaitingFor   *Waiting   `json:"waiting,omitempty"`
	Usage        *Usage     `json:"used,omitempty"`
	Output       *Output    `json:"output,omitempty"`
	EnteredSteps []string   `json:"taken"` // the labels of the steps, in the order in which the run entered them
	Changes      []Change   `json:"changes"`
	Files        []File     `json:"files,omitempty"` // that Playhead's own tools changed, and nobody has restored
	Warnings     []Warning  `json:"warnings"`
	Inputs       []Variable `json:"inputs"`
	Variables    []Variable `json:"variables"`
	Steps        []*Step    `json:"steps"`
	Graphs       []Graph    `json:"routes"`

	supersededEffectCount int // how many side effects the run had on branches that it abandoned by rewinding
}

// File is a file that a run changed.
type File struct {
	Path  string   `json:"path"`
	IsNew bool     `json:"new,omitempty"`
	Steps []string `json:"steps"`          // the labels of those that changed it
	Diff  *Excerpt `json:"diff,omitempty"` // absent: the contents are not kept
}

// Duration is a duration, in JSON as whole milliseconds.
type Duration time.Duration

// Fork names the run that this run is a fork of, and the event after which it was forked.
type Fork struct {
	OriginalRunID string `json:"run"`
	EventSeq      int    `json:"event"`

	moment string // what that event is
}

// Waiting is what a run that is not over waits for.
type Waiting struct {
	Step       string `json:"step"`
	Kind       string `json:"kind"`
	Prompt     string `json:"prompt,omitempty"`
	Breakpoint string `json:"breakpoint,omitempty"` // of a pause: the breakpoint that paused the run
	text       string // where the run waits, and for what
}

// Usage is what models used.
type Usage struct {
	InputTokens  int      `json:"tokens_in"`
	OutputTokens int      `json:"tokens_out"`
	Cost         *float64 `json:"cost_usd,omitempty"` // of the replies whose cost is known
	text         string
}

// Output is the final output of a run that completed.
type Output struct {
	Type string  `json:"type"`
	Step string  `json:"step,omitempty"` // empty: the document no longer has it
	Text Excerpt `json:"output"`
}

// Description returns the type of the output and the step that produced it.
func (o *Output) Description() string { return wording.FinalOutputText(o.Type, o.Step) }

// Change is something a person did to the run instead of answering it.
type Change struct {
	EventSeq         int       `json:"event"`
	Time             time.Time `json:"time"`
	Step             string    `json:"step,omitempty"`
	Title            string    `json:"title,omitempty"`
	Description      string    `json:"what"`             // in a few words: overridden with pass, jump to 3, rerun, rewound to 2
	Before           *Excerpt  `json:"before,omitempty"` // the text or the value that was changed
	After            *Excerpt  `json:"after,omitempty"`  // what a person put in its place
	Note             string    `json:"reason,omitempty"`
	EffectsNotUndone []string  `json:"kept,omitempty"`       // of a rewind: commands and calls that it does not undo
	SupersededBySeq  int       `json:"superseded,omitempty"` // the rewind event that undid it

	diff *Excerpt // of Before and After in full; nil: they are equal
}

// Warning is a warning of the run about a step.
type Warning struct {
	Step    string `json:"step,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// WarningsOfProblems returns the warnings without the lines of logpoints, which count as warnings only in
// journals and in JSON.
func (r *Report) WarningsOfProblems() []Warning { return r.warnings(false) }

// Logpoints returns the lines of logpoints.
func (r *Report) Logpoints() []Warning { return r.warnings(true) }

func (r *Report) warnings(ofLogpoints bool) (out []Warning) {
	for _, w := range r.Warnings {
		if (w.Code == machine.LogpointCode) == ofLogpoints {
			out = append(out, w)
		}
	}
	return out
}

// text returns the message for people.
func (w Warning) text() string {
	if w.Code == machine.LogpointCode {
		return track.LogpointText(w.Message)
	}
	return w.Message
}

// Variable is a variable with its value and what set it.
type Variable struct {
	Name  string   `json:"name"`
	Value any      `json:"value,omitempty"`
	Text  *Excerpt `json:"text,omitempty"` // an excerpt of a long value, in place of Value
	Step  string   `json:"step,omitempty"` // the step that set it, or at which a person set it; empty: it is an input, was set before the first step, or StepGone
	By    string   `json:"by,omitempty"`   // who set it, if it was no step

	StepGone        bool `json:"step_gone,omitempty"`  // the document no longer has the step that set it
	SupersededBySeq int  `json:"superseded,omitempty"` // of a value in an attempt: the rewind event that undid it
	seq             int  // of a value in an attempt: the event that set it
}

// Step is a step of the tree, an instance of one, or an included document.
type Step struct {
	Label      string     `json:"label"`
	ID         string     `json:"id,omitempty"` // where it differs from the label
	Title      string     `json:"title,omitempty"`
	Kind       string     `json:"kind,omitempty"` // as in show --json; document: an included one
	Line       int        `json:"line,omitempty"`
	Status     string     `json:"status"`                // pending, running, waiting, passed, failed, skipped, left
	SkipReason string     `json:"skip_reason,omitempty"` // person, or after_failure
	Overridden bool       `json:"forced,omitempty"`
	Edited     bool       `json:"edited,omitempty"`
	Message    string     `json:"message,omitempty"`
	Text       *Excerpt   `json:"text,omitempty"` // the document's text
	Attempts   []*Attempt `json:"visits,omitempty"`
	Children   []*Step    `json:"children,omitempty"`

	armName    string // what a person reads in place of the label of an arm
	notRunText string // what is true of a step in place of "pending": "not reached", "used in prompts" …; empty: pending
}

// Attempt is one attempt of a step or a group.
type Attempt struct {
	EntrySeq        int          `json:"event"` // the event that began it
	Number          int          `json:"attempt"`
	Started         time.Time    `json:"started"`
	Took            Duration     `json:"duration_ms"`      // how long its commands and calls took, with those of its substeps
	Result          string       `json:"result,omitempty"` // pass, fail, skipped; empty: not over, or left
	OutcomeSource   string       `json:"source,omitempty"` // exit 1, person, children …
	Reason          string       `json:"reason,omitempty"`
	Overridden      bool         `json:"forced,omitempty"`
	Override        *Override    `json:"override,omitempty"`
	Checks          []plan.Check `json:"checks,omitempty"` // the criteria of the outcome, with their verdicts
	Work            []*Work      `json:"work,omitempty"`
	Assignments     []Variable   `json:"set,omitempty"`
	Decisions       []*Decision  `json:"decisions,omitempty"`
	SupersededBySeq int          `json:"superseded,omitempty"` // the rewind event that undid it
	visit           int          // which visit of the step it belongs to; 0: the step had only one
	endedAt         time.Time    // when the outcome was decided, else when the next attempt began, else the time of the newest event
	activeStart     Duration     // Started and endedAt on the clock of the run's active time
	activeEnd       Duration
}

// Override is a person's change of an outcome. The attempt's Work shows what the outcome was judged
// by.
type Override struct {
	From string    `json:"from,omitempty"` // pass, fail, error, held; empty: there was none yet
	To   string    `json:"to"`
	Note string    `json:"reason,omitempty"`
	Time time.Time `json:"at"`
}

// Work is one thing an attempt did: a command, a call, or a question to a person.
type Work struct {
	Kind            string    `json:"kind"` // command, model, tool …, question
	Started         time.Time `json:"started,omitzero"`
	Took            *Duration `json:"duration_ms,omitempty"`
	Language        string    `json:"language,omitempty"`
	Request         *Excerpt  `json:"request,omitempty"` // the command, the prompt, the question
	SystemMessage   *Excerpt  `json:"system,omitempty"`
	Edited          bool      `json:"edited,omitempty"` // a person changed the request, for this run
	Model           string    `json:"model,omitempty"`
	Server          string    `json:"server,omitempty"`
	Tool            string    `json:"tool,omitempty"`
	Arguments       *Excerpt  `json:"arguments,omitempty"`
	WantedCalls     []Call    `json:"calls,omitempty"` // that a reply asks for
	Result          *Excerpt  `json:"result,omitempty"`
	Reasoning       *Excerpt  `json:"reasoning,omitempty"`
	ExitCode        *int      `json:"exit_code,omitempty"`
	Signal          string    `json:"signal,omitempty"`
	IsInterrupted   bool      `json:"interrupted,omitempty"` // it did not finish
	Error           string    `json:"error,omitempty"`
	Usage           *Usage    `json:"used,omitempty"`
	QuestionKind    string    `json:"question,omitempty"` // its kind: decide, ask, approve …
	Options         []string  `json:"options,omitempty"`
	Answer          *Excerpt  `json:"answer,omitempty"`
	By              string    `json:"by,omitempty"` // who answered, or replied in a model's place
	Note            string    `json:"note,omitempty"`
	SupersededBySeq int       `json:"superseded,omitempty"` // the rewind event that undid it
	startSeq        int       // of the event that started it
	isDone          bool
}

// Call is a tool that a reply asks for.
type Call struct {
	Name      string  `json:"name"`
	Arguments Excerpt `json:"arguments"`
}

// Decision is a decision of the run: its candidates, the route taken, and why.
type Decision struct {
	EventSeq        int         `json:"event"`
	Candidates      []Candidate `json:"candidates"`
	To              string      `json:"to"`
	Overridden      bool        `json:"forced,omitempty"`
	Note            string      `json:"reason,omitempty"`
	SupersededBySeq int         `json:"superseded,omitempty"` // the rewind event that undid it

	destination string // To as a person reads it
}

// Destination returns where the decision leads, as a person reads it.
func (d *Decision) Destination() string { return d.destination }

// OverrideMark says that the decision is an override, and whether a prepared answer made it.
func (d *Decision) OverrideMark() string { return overrideMark(d.Note) }

// Candidate is a route that a decision considered.
type Candidate struct {
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text"`
	Matched  bool   `json:"matched"`
	IsTaken  bool   `json:"taken"`
	Why      string `json:"why,omitempty"`
	Implicit bool   `json:"implicit,omitempty"`

	shownWhy string // Why as a person reads it
}

// ShownWhy returns why the route was taken or not, as a person reads it.
func (c Candidate) ShownWhy() string { return c.shownWhy }

// JSON returns the report as indented JSON. It is safe to print on a terminal.
func (r *Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return sanitize.EscapeJSON(b.Bytes()), err
}

// Schema is the JSON Schema of a Report's JSON. It allows unknown keys, because keys may be added later.
//
//go:embed schema.json
var Schema string
