// Package track folds a run's events into what a person sees: the tree of steps with their states,
// the totals, the history.
//
// A Track begins with the document's steps, all pending. Each event changes a row or adds rows,
// because dynamic instances and the steps of included documents appear during the run. Folding is
// pure, and the cost per event does not grow with the run, so the screen, lines and reports can all
// follow a run with it, live or from a journal.
package track

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"playhead/engine/artifact"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// Track is the state of a run as a person sees it.
type Track struct {
	FirstPlan           *plan.Plan // the document with which the run began
	Plan                *plan.Plan // the version of the document that is in force
	Rows                []*Row     // the top of the tree
	UnknownSteps        []*Row     // steps that the run visited and that the document does not have, or no longer has
	RunID               string
	SecretInputs        []string // secret inputs, whose values the run does not store
	CurrentRow          *Row     // the step that the run is at
	DecidedRow          *Row     // where the newest decision was made
	StartedAt           time.Time
	LastEventTime       time.Time
	Finished            *machine.RunFinished // the newest end, also if the run only waits for a person (see IsOver); nil while it goes on
	EndPreparedBy       string               // where Finished was prepared, if no person ended the run right then: flag, file
	EnteredSteps        []EnteredStep        // in order, with repetitions
	Overrides           []Override           // what a person overrode
	ApprovalPolicy      string               // the approval policy for tools that models want called
	BackgroundProcesses []string             // processes that steps left running
	ModelUsage          Usage                // by models
	Todos               []tools.Todo         // the list that models keep
	Variables           []Variable           // in the order of their first assignment

	RowsVersion int // increases when rows are added or the document is reloaded
	EventCount  int // the number of events folded

	finalOutput                   artifact.Artifact // if Finished has one; its step is "" if the document no longer has it
	newestOverrideSeq             int               // the number of the event that made the newest of Overrides
	firstEndedAt                  time.Time         // when the run first ended with Finished
	inactivity                    inactivity
	waitingRow                    *Row // the row that waits although no event says so
	doneStepCount, totalStepCount int
	doneEarlierCount              int // steps that ran, and are pending because their group was entered again
	frames                        []*documentFrame
	rowByLabel                    map[string]*Row
	variableIndex                 map[string]int
	limitedEntryCount             int                // the number of entries that count against the limit of the run
	outputByLabel                 map[string]string  // the newest output of steps, by label
	stepCounts                    map[*plan.Plan]int // the number of steps in included documents
}

// EnteredStep is a step that the run entered.
type EnteredStep struct {
	Label        string // as the step was called then
	CurrentLabel string // as the document calls it now; empty: it no longer has the step
}

// Override is something that a person overrode in the step with this label.
type Override struct {
	Step   string
	Kind   OverrideKind
	Result plan.Result // of OverriddenOutcome
	Object string      // what was changed: the variable, the tool, the limits, or where the run was sent; else ""
	Note   string

	isUncompared bool // of OverriddenVariable: no step produced the value, and no decision has compared it since
}

// OverrideKind is what a person overrode.
type OverrideKind int

const (
	OverriddenOutcome  OverrideKind = iota
	OverriddenRoute                 // the run was sent to another step
	RerunByPerson                   // the step, or another one, was run again
	EditedAction                    // a command, prompt or call was edited
	EditedRule                      // a route, a condition or another rule was edited
	OverriddenVariable              // a variable was set
	ChangedReply                    // a model's reply was changed
	GivenResult                     // a person gave the result of a tool call
	ChangedArguments                // the arguments of a tool call were changed
	LimitsMarkedAsUsed              // limits of retries or iterations were marked as used
)

// Text describes the override in a few words, such as "overridden with pass".
func (o Override) Text() string {
	switch o.Kind {
	case OverriddenOutcome:
		return OutcomeOverrideText(o.Result)
	case OverriddenRoute:
		return "jump to " + o.Object
	case RerunByPerson:
		if o.Object != o.Step {
			return o.Object + " rerun"
		}
		return "rerun"
	case EditedAction:
		return "edited"
	case EditedRule:
		return "rule edited"
	case OverriddenVariable:
		return o.Object + " set"
	case ChangedReply:
		return "reply changed"
	case GivenResult:
		return "result of " + o.Object + " entered"
	case ChangedArguments:
		return "arguments of " + o.Object + " changed"
	}
	return markedLimitsText(o.Object)
}

// Variable is a variable with its newest value.
type Variable struct {
	Name      string
	Value     any
	SetByStep string // the label of the step that set it; empty: an input, or IsStepGone
	SetBy     string // who set it, if not a step

	IsStepGone bool // the document no longer has the step that set it

	setByStepBeforePerson string // the label of the step that produced the newest value before a person set it; empty: none
}

// New returns the Track of a run of p that has not started.
func New(p *plan.Plan) *Track {
	t := &Track{FirstPlan: p, Plan: p, rowByLabel: map[string]*Row{}, variableIndex: map[string]int{}, outputByLabel: map[string]string{}, stepCounts: map[*plan.Plan]int{}}
	root := newDocumentFrame(p, "", nil)
	t.frames = []*documentFrame{root}
	t.Rows = t.groupByPhase(root, t.makeRows(root, nil, p.Steps))
	return t
}

// VariableNames returns the names of the variables that have had a value.
func (t *Track) VariableNames() []string {
	names := make([]string, len(t.Variables))
	for i, x := range t.Variables {
		names[i] = x.Name
	}
	return names
}

// DestinationRow returns the row of the step at which a run goes on after a decision or the entry of a step, nil if
// it does not go on to a step.
func (t *Track) DestinationRow(e machine.Event) *Row {
	switch b := e.Body.(type) {
	case *machine.StepEntered:
		return t.RowOfEvent(e)
	case *machine.Decision:
		if b.Destination.Kind == machine.ToStep {
			return t.RowByLabel(b.To)
		}
	}
	return nil
}

// DestinationOrCurrentRow returns the row that the run is at: the one that it is about to enter, else the last one entered,
// nil before the first.
func (t *Track) DestinationOrCurrentRow() *Row {
	if t.CurrentRow != nil && !t.CurrentRow.Status.IsOpen() {
		if d := t.lastDecision(); d != nil && d.Destination.Kind == machine.ToStep {
			return cmp.Or(t.RowByLabel(t.DecidedRow.CurrentLabel(d, d.To)), t.CurrentRow)
		}
	}
	return t.CurrentRow
}

// IsAboutToFollow reports whether d is the newest decision, and the run has not gone yet where it leads.
func (t *Track) IsAboutToFollow(d *machine.Decision) bool {
	return !t.IsOver() && d == t.lastDecision() && t.CurrentRow != nil && !t.CurrentRow.Status.IsOpen()
}

// RowByLabel returns the row with a label, nil if there is none.
func (t *Track) RowByLabel(label string) *Row { return t.rowByLabel[label] }

// RowOfEvent returns the row of the step of an event, nil if there is none.
func (t *Track) RowOfEvent(e machine.Event) *Row { return t.rowByLabel[e.Step] }

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

// Progress returns how many of the known executable steps are done, and how many there are, including
// those of included documents. Steps that only a jump reaches count when they are entered.
func (t *Track) Progress() (done, total int) { return t.doneStepCount, t.totalStepCount }

// RanStepCount returns how many of the steps that Progress counts have run, also those that are pending because their
// group was entered again.
func (t *Track) RanStepCount() int { return t.doneStepCount + t.doneEarlierCount }

// WaitingFor returns what the run waits for, or did when it was interrupted, nil if for nothing.
func (t *Track) WaitingFor() *machine.Waiting {
	switch r := t.CurrentRow; {
	case t.Finished != nil:
		return t.Finished.WaitingFor
	case r == nil || r.Status != Waiting || r == t.waitingRow:
		return nil
	default:
		all := r.AllAttempts()
		questions := all[len(all)-1].Questions
		question := questions[len(questions)-1]
		return &machine.Waiting{Step: r.Label, Kind: question.Kind, Prompt: question.Prompt, Options: question.Options}
	}
}

// EndedAtFailure reports whether the run ended at a failed step, which can be run again, passed or
// skipped.
func (t *Track) EndedAtFailure() bool {
	return t.Finished != nil && t.Finished.Result == plan.RunFailed && t.CurrentRow != nil && t.CurrentRow.Status == Failed
}

// IsOver reports whether the run has ended, and does not only wait.
func (t *Track) IsOver() bool { return t.Finished != nil && t.Finished.WaitingFor == nil }

// FailedRow returns the step that failed last in a run that is over and not completed, nil if
// there is none.
func (t *Track) FailedRow() *Row {
	if !t.IsOver() || t.Finished.Result == plan.Completed || t.RowWithFailingRoute() != nil {
		return nil
	}
	for r := range t.EnteredRows() {
		if r.HasFailed() {
			return r
		}
	}
	return nil
}

// EnteredStepLabels returns the labels of the steps that the run entered, in order, with repetitions, as the steps were
// called then.
func (t *Track) EnteredStepLabels() []string {
	labels := make([]string, len(t.EnteredSteps))
	for i, s := range t.EnteredSteps {
		labels[i] = s.Label
	}
	return labels
}

// EnteredRows yields the rows of EnteredSteps, the last one first, without the steps that the document no longer has.
func (t *Track) EnteredRows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, s := range slices.Backward(t.EnteredSteps) {
			if r := t.rowByLabel[s.CurrentLabel]; r != nil && !yield(r) {
				return
			}
		}
	}
}

// RowWithFailingRoute returns the step that did not fail and whose route ended the run as failed, nil if there is none.
func (t *Track) RowWithFailingRoute() *Row {
	r := t.DecidedRow
	if !t.IsOver() || t.Finished.Result != plan.RunFailed || r == nil || r.HasFailed() || r.Decision == nil || r.Decision.ByPerson {
		return nil
	}
	if to := r.Decision.Destination; to.Kind != machine.ToDocumentEnd || to.Result != plan.RunFailed {
		return nil
	}
	return r
}

// LimitFlag returns the flag that allows a longer run, if the run failed because it made too many
// moves, else "".
func (t *Track) LimitFlag() string {
	if limit := t.Plan.EntryLimit; t.Finished != nil && limit.IsCauseOf(t.Finished.ErrorCode) {
		return limit.Flag
	}
	return ""
}

// IsStoppedByLimit reports whether the limit of entries keeps the run from going where the decision leads that it is
// about to make, or, in a run that is over, kept it from going where its newest decision leads.
func (t *Track) IsStoppedByLimit(d *machine.Decision) bool {
	switch {
	case d == nil || d.Destination.Kind != machine.ToStep || d.Destination.ExemptFromEntryLimit:
		return false
	case t.IsOver():
		return t.LimitFlag() != "" && t.DecidedRow != nil && t.DecidedRow.Decision == d
	}
	return t.Plan.EntryLimit.Max > 0 && t.limitedEntryCount >= t.Plan.EntryLimit.Max
}

// frameOfLabel returns the frame of the document to which a label belongs.
func (t *Track) frameOfLabel(label string) *documentFrame {
	for i := len(t.frames) - 1; i > 0; i-- {
		if strings.HasPrefix(label, t.frames[i].labelPrefix) {
			return t.frames[i]
		}
	}
	return t.frames[0]
}

// ensureRow returns the row of an event's step. It makes the row if it does not exist yet.
func (t *Track) ensureRow(e machine.Event) *Row {
	if r := t.RowOfEvent(e); r != nil || e.Step == "" {
		return r
	}
	return t.instanceRow(t.frameOfLabel(e.Step), e.StepID(), e.Step)
}

// storeOutput keeps the output of a step that passed, for FinalArtifact.
func (t *Track) storeOutput(e machine.Event, o *plan.Outcome) {
	if o != nil && o.Result == plan.Passed && o.Text != "" {
		t.outputByLabel[e.Step] = o.Text
	}
}

// FinalArtifact returns the final output of a completed run, if there is one.
func (t *Track) FinalArtifact() (a artifact.Artifact, ok bool) {
	if t.Finished == nil || t.Finished.Artifact == nil {
		return a, false
	}
	return t.finalOutput, true
}

// MaxShownPathEntries is how many entries are shown at the end of a long path, because nobody reads more.
const MaxShownPathEntries = 60

// LabelsWithRepeats returns the path of a run from the labels of the steps entered, with the number of
// repetitions in a row. Labels are made safe to show.
func LabelsWithRepeats(labels []string) []string {
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
