package track

import (
	"maps"
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Row is a line of the tree: a step, an instance of one, an included document, or the
// phase that steps of a flow are in.
type Row struct {
	Label    string // in the run: 1/lint/2.1
	Local    string // in its document: 2.1
	Title    string
	Parent   *Row
	Children []*Row
	Step     *plan.Step // nil for a document and a phase
	Doc      *plan.Child
	Template bool // stands for instances that do not exist yet
	Hidden   bool // a template of which there are instances

	Status      Status
	Skip        string // why it is Skipped: SkipPerson, SkipFailure; empty: its document says so
	Overridden  bool   // a person set the outcome
	Changed     bool   // a person put another reply, or another value, in the place of what came of it
	Attempt     int
	Visits      []*Visit      // of a unit: its visits, oldest first
	GroupVisits []*Visit      // of a group: its visits, oldest first
	Took        time.Duration // by commands and calls of the last visit
	Outcome     *plan.Outcome
	Decision    *machine.Decision   // the last one made here
	Choices     []*machine.Decision // which of its arms were taken, in this visit
	EnteredBy   *machine.Decision   // the one that led here
	From        *Row                // and where it was made
	By          string              // who made the decision, if a person did
	Reason      string              // and why
	Warnings    []machine.Warned    // of the last visit
	Message     string              // of an included document's end

	Edits map[int]string // what a person put in the place of what its actions say, for this run; by their places

	frame   *frame
	numbers map[string]int // instance numbers when the row was last entered
	counted bool
	ahead   int // steps of a document that is not expanded, in the total already
}

// Status is where a row is in its life.
type Status int

// The states of a row. Left is a unit that a person jumped away from.
const (
	Pending Status = iota
	Running
	Waiting
	Passed
	Failed
	Skipped
	Left
)

// Why a row is Skipped.
const (
	SkipPerson  = "person"        // who goes on without it
	SkipFailure = "after_failure" // of a step before it
)

var statusWords = [...]string{"pending", "running", "waiting", "passed", "failed", "skipped", "left"}

// String is the status in a word.
func (s Status) String() string { return statusWords[s] }

// IsOver reports whether nothing more is to come of the row, for now.
func (s Status) IsOver() bool { return s >= Passed }

// IsOpen reports whether the run is in the row.
func (s Status) IsOpen() bool { return s == Running || s == Waiting }

// statusOf is the status that a result leads to.
func statusOf(r plan.Result) Status {
	switch r {
	case plan.Passed:
		return Passed
	case plan.Skipped:
		return Skipped
	default:
		return Failed
	}
}

// IsPhase reports whether the row stands for a phase, which has no life of its own.
func (r *Row) IsPhase() bool { return r.Step == nil && r.Doc == nil }

// IsUnit reports whether the run can stand at the row.
func (r *Row) IsUnit() bool { return r.Step != nil && r.Step.IsUnit() }

// IsAside reports whether only a jump leads to the row.
func (r *Row) IsAside() bool { return r.Step != nil && r.Step.Aside }

// Last is the newest visit of a unit, or nil.
func (r *Row) Last() *Visit {
	if len(r.Visits) == 0 {
		return nil
	}
	return r.Visits[len(r.Visits)-1]
}

// Before is the visit of a unit that was entered last before an event, or the zero one.
func (r *Row) Before(seq int) Visit {
	for _, x := range slices.Backward(r.Visits) {
		if x.Seq < seq {
			return *x
		}
	}
	return Visit{}
}

// Times is how often the row was executed, whatever led to it: attempts of all visits. Of
// a group it is the attempts of this visit.
func (r *Row) Times() int { return max(r.Attempt, len(r.Visits)) }

// addDuration adds what a command or call took to the row, and to what holds it.
func (r *Row) addDuration(d time.Duration) {
	for ; r != nil; r = r.Parent {
		r.Took += d
		if x := r.newest(); x != nil {
			x.Took = r.Took
		}
	}
}

// Elapsed is how long the row's commands and calls have taken at now. What a person takes
// to answer is no part of it.
func (r *Row) Elapsed(now time.Time) time.Duration { return r.Took + r.runningTime(now) }

// runningTime returns how long the current action in the row has been running.
func (r *Row) runningTime(now time.Time) time.Duration {
	if a := r.Newest(); a != nil && !a.Done {
		return max(0, now.Sub(a.Started))
	}
	for _, c := range r.Children {
		if c.Status == Running {
			return c.runningTime(now)
		}
	}
	return 0
}

// Action is what there is to see of a unit's newest visit: the action in
// progress, else the newest that left a log, else the newest, or nil.
func (r *Row) Action() *Action {
	x := r.Last()
	if x == nil || len(x.Actions) == 0 {
		return nil
	}
	newest := x.Actions[len(x.Actions)-1]
	if !newest.Done {
		return newest
	}
	for _, a := range slices.Backward(x.Actions) {
		if a.Log != nil {
			return a
		}
	}
	return newest
}

// Newest is the newest action of the newest visit, or nil.
func (r *Row) Newest() *Action {
	x := r.Last()
	if x == nil || len(x.Actions) == 0 {
		return nil
	}
	return x.Actions[len(x.Actions)-1]
}

// LastIsModel reports whether the newest action is a call of a model.
func (r *Row) LastIsModel() bool { return r != nil && r.Newest() != nil && r.Newest().Kind == "model" }

// LastIsTool reports whether the newest action is a call of a tool.
func (r *Row) LastIsTool() bool { return r != nil && r.Newest() != nil && r.Newest().Kind == "tool" }

// AsksModel reports whether an action of the row's step is to ask a model, whatever that made it do.
func (r *Row) AsksModel(action int) bool {
	if r == nil || r.Step == nil || action >= len(r.Step.Actions) {
		return false
	}
	_, model := r.Step.Actions[action].Work.(plan.Model)
	return model
}

// HasTool reports whether the row's step calls a tool itself, in the place of a model.
func (r *Row) HasTool() bool {
	return r != nil && r.Step != nil && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		_, tool := a.Work.(plan.Tool)
		return tool
	})
}

// Request is the newest request to a model in the newest visit, or nil. What a
// conversation goes on with is not one.
func (r *Row) Request() *Action {
	if x := r.Last(); x != nil {
		for _, a := range slices.Backward(x.Actions) {
			if a.Kind == "model" && a.Text != "" {
				return a
			}
		}
	}
	return nil
}

// Choice is the decision for or against the arm that the row is, or is in, and
// whether that was taken: nil where there is no arm, or it was not decided on.
func (r *Row) Choice() (d *machine.Decision, chosen bool) {
	for ; r != nil && r.Parent != nil; r = r.Parent {
		if r.Step == nil || !r.Step.IsArm() {
			continue
		}
		for _, d := range slices.Backward(r.Parent.Choices) {
			at := slices.IndexFunc(d.Candidates, func(c machine.Candidate) bool { return c.Line == r.Step.Span.Line })
			if at >= 0 {
				return d, d.CandidateIndex != nil && *d.CandidateIndex == at
			}
		}
	}
	return nil, false
}

// Plan is the document that the row's step is in.
func (r *Row) Plan() *plan.Plan { return r.frame.plan }

// Document returns the file of the included document that the row's step is in, as plan.Child has
// it; empty: it is in the root document.
func (r *Row) Document() string {
	if r.frame == nil || r.frame.row == nil {
		return ""
	}
	return r.frame.row.Doc.File
}

// IsLatest reports whether a jump to the row's step leads to this row, and not to
// a newer instance of the step.
func (r *Row) IsLatest() bool {
	return r.Step != nil && (r.frame.place[r.Step.ID] == r || r.Template)
}

// Target names the row's step to a jump, from wherever the run is.
func (r *Row) Target() string {
	if r.frame.prefix == "" {
		return "/" + r.Step.ID
	}
	return r.frame.prefix + r.Step.ID
}

// BreakName names the row's step to a breakpoint: in the document itself by its id, which
// all instances share, elsewhere by its label.
func (r *Row) BreakName() string {
	if r.Step == nil || r.frame.prefix != "" {
		return r.Label
	}
	return r.Step.ID
}

// ChangedByPerson reports whether a person changed what the row does, or what came of it.
func (r *Row) ChangedByPerson() bool {
	return r.Overridden || r.Changed || len(r.Edits) > 0 || r.Decision != nil && r.Decision.ByPerson
}

// HasWarnings reports whether the last visit had something to warn of. A line that a
// breakpoint leaves is no warning.
func (r *Row) HasWarnings() bool {
	return r.Status != Pending && slices.ContainsFunc(r.Warnings, func(w machine.Warned) bool { return w.Code != machine.BreakpointCode })
}

// edit keeps a person's text, or takes it back. Rows of other moments and of other instances
// may have the same ones.
func (r *Row) edit(b *machine.Edited) {
	edits := maps.Clone(r.Edits)
	if edits == nil {
		edits = map[int]string{}
	}
	if edits[b.Action] = b.Text; b.Text == "" {
		delete(edits, b.Action)
	}
	r.Edits = edits
}
