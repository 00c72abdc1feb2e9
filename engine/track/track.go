// Package track folds a run's events into what a person sees of it: the tree of
// steps with their states, the totals, the history.
//
// A Track begins as the document's steps, all pending. Each event changes one row
// or adds some: dynamic instances and the steps of included documents appear as
// they come to exist. Folding is pure and costs about the same however long the
// run has been, so the screen, plain output and reports can all follow a run with
// it, live or from a journal.
package track

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"playhead/engine/artifact"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// Track is a run as it is seen.
type Track struct {
	Began      *plan.Plan // the document as the run began with it
	Plan       *plan.Plan // the version of the document that is in force
	Rows       []*Row     // the top of the tree
	Unknown    []*Row     // steps that the run visited and the document does not have, or has no more
	Run        string     // the run's id
	Secrets    []string   // inputs that are secret: the run does not keep their values
	Current    *Row       // the unit the run is at
	Routed     *Row       // where the newest decision was made
	Started    time.Time
	Last       time.Time         // of the newest event
	Finished   *machine.Finished // nil while the run goes on
	Path       []string          // the labels of the units entered
	Overrides  []Override        // what a person overrode
	Approve    string            // the policy for tools that models want called
	Background []string          // processes that steps left running
	Logged     int64             // bytes that commands printed
	Used       Usage             // by models
	Todos      []tools.Todo      // the list that models keep
	Vars       []Var             // in the order in which they first got a value

	Shape int // grows when rows are added
	Count int // events folded so far

	ended       time.Time // when it first ended as Finished says
	active      time.Time // of the newest event that is no trace of an absence
	absences    []absence
	awaited     *Row // waits for what no event says
	done, total int
	frames      []*frame
	byLabel     map[string]*Row
	vars        map[string]int
	texts       map[string]string  // the newest that units put out, by label
	sizes       map[*plan.Plan]int // steps of included documents
}

// Override is one thing a person overrode: the step of this label passed, was
// skipped, sent to another, edited; its reply was changed, its value set.
type Override struct {
	Step, What, Reason string
}

// Var is a variable with its newest value and the step that gave it.
type Var struct {
	Name  string
	Value any
	Step  string // whose it is; empty: an input
	By    string // who set it, when it was no step
}

// New is the track of a run of p that has not started.
func New(p *plan.Plan) *Track {
	t := &Track{Began: p, Plan: p, byLabel: map[string]*Row{}, vars: map[string]int{}, texts: map[string]string{}, sizes: map[*plan.Plan]int{}}
	root := newFrame(p, "", nil)
	t.frames = []*frame{root}
	t.Rows = t.phases(root, t.makeRows(root, nil, p.Steps))
	return t
}

// Variables are the names of those that have got a value.
func (t *Track) Variables() []string {
	names := make([]string, len(t.Vars))
	for i, x := range t.Vars {
		names[i] = x.Name
	}
	return names
}

// Row finds the row of a label, or nil.
func (t *Track) Row(label string) *Row { return t.byLabel[label] }

// AllRows returns the rows of the tree from top to bottom, without phases.
func (t *Track) AllRows() []*Row {
	var out []*Row
	var walk func([]*Row)
	walk = func(rows []*Row) {
		for _, r := range rows {
			if !r.IsPhase() {
				out = append(out, r)
			}
			walk(r.Children)
		}
	}
	walk(t.Rows)
	return out
}

// Progress says how many of the steps known so far are done, those of included
// documents among them. Steps aside count once they were entered.
func (t *Track) Progress() (done, total int) { return t.done, t.total }

// Elapsed is how long the run has taken at now, or took. The time between being left and being
// resumed is no part of it.
func (t *Track) Elapsed(now time.Time) time.Duration {
	if t.Started.IsZero() {
		return 0
	}
	if t.Finished != nil {
		now = t.ended
	}
	took := now.Sub(t.Started)
	for _, a := range t.absences {
		took -= a.before(now)
	}
	return max(0, took) // clocks are set back
}

// absence is a time in which the run was left, or over.
type absence struct{ from, until time.Time }

// before returns how much of the absence was before a time.
func (a absence) before(now time.Time) time.Duration {
	if now.Before(a.until) {
		a.until = now
	}
	return max(0, a.until.Sub(a.from))
}

// trackAbsence notes a time in which nobody ran the run, of the event that ends it. What a crash
// cut off gets its end when the run is resumed, just before that is recorded.
func (t *Track) trackAbsence(e machine.Event) {
	if e.KeepsRunOver() || e.Time.IsZero() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.Finished:
		if t.Finished != nil { // it is said again
			return
		}
	case *machine.ActionFinished:
		if b.IsCutOff() && b.DurationMS == nil {
			return
		}
	default:
		if _, resumed := b.(*machine.Resumed); (resumed || t.Finished != nil) && !t.active.IsZero() {
			t.absences = append(t.absences, absence{t.active, e.Time})
		}
	}
	t.active = e.Time
}

// EndedAtFailure reports whether the run ended at a step that failed: it can be done again, passed
// by hand, or passed over.
func (t *Track) EndedAtFailure() bool {
	return t.Finished != nil && t.Finished.Result == plan.RunFailed && t.Current != nil && t.Current.Status == Failed
}

// FailedStep returns the step that failed last in a run that is over and did not complete; nil: none
// did.
func (t *Track) FailedStep() *Row {
	if t.Finished == nil || t.Finished.Result == plan.Completed || t.Finished.Waiting != nil {
		return nil
	}
	for _, label := range slices.Backward(t.Path) {
		if r := t.byLabel[label]; r != nil && r.Outcome != nil && r.Outcome.Result == plan.Failed {
			return r
		}
	}
	return nil
}

// Exceeded is the flag that would have let a run go on that failed because it made too many
// moves; "" if that is not why it ended.
func (t *Track) Exceeded() string {
	if limit := t.Plan.Limit; t.Finished != nil && t.Finished.Code != "" && t.Finished.Code == limit.Code {
		return limit.Flag
	}
	return ""
}

// frameOf is the frame of the document that a label belongs to.
func (t *Track) frameOf(label string) *frame {
	for i := len(t.frames) - 1; i > 0; i-- {
		if strings.HasPrefix(label, t.frames[i].prefix) {
			return t.frames[i]
		}
	}
	return t.frames[0]
}

// at is the row of an event's step, made if it does not exist yet.
func (t *Track) at(e machine.Event) *Row {
	if r := t.byLabel[e.Step]; r != nil || e.Step == "" {
		return r
	}
	return t.instance(t.frameOf(e.Step), e.StepID(), e.Step)
}

// keepOutput keeps the text that a unit put out, for the end of the run.
func (t *Track) keepOutput(e machine.Event, o *plan.Outcome) {
	if o != nil && o.Result == plan.Passed && o.Text != "" {
		t.texts[e.Step] = o.Text
	}
}

// Final is the final output of a run that completed, if there is one.
func (t *Track) Final() (a artifact.Artifact, ok bool) {
	if t.Finished == nil || t.Finished.Artifact == nil {
		return a, false
	}
	end := t.Finished.Artifact
	return artifact.Artifact{Type: end.Type, Step: end.Step, Text: t.texts[end.Step]}, true
}

// LongPath is how many visits of a long path are listed at its end: more are not read.
const LongPath = 60

// FormatPath returns the path of a run, given the labels of what it entered: each with how often
// it was entered in a row. Labels are made safe to show.
func FormatPath(labels []string) []string {
	var out []string
	for i := 0; i < len(labels); {
		n := 1
		for i+n < len(labels) && labels[i+n] == labels[i] {
			n++
		}
		place := sanitize.Plain(labels[i])
		if n > 1 {
			place += fmt.Sprintf(" ×%d", n)
		}
		out = append(out, place)
		i += n
	}
	return out
}
