package track

import (
	"maps"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Row is a line of the tree: a step, an instance of a step, an included document, or the phase of
// steps in a flow.
type Row struct {
	Label            string // in the run, such as 1/lint/2.1
	LocalLabel       string // in its document, such as 2.1
	Title            string
	Parent           *Row
	Children         []*Row
	Step             *plan.Step // nil for a document and for a phase
	IncludedDocument *plan.IncludedDocument
	IsTemplate       bool // it stands for instances that do not exist yet
	IsHidden         bool // a template that has instances

	Status           Status
	SkipReason       string // why it is Skipped, one of the constants below; empty: because the document says so
	Overridden       bool   // a person overrode the outcome
	ReplacedByPerson bool   // a person replaced a reply or a value
	Attempt          int
	StepAttempts     []*Attempt    // of a step, oldest first
	GroupAttempts    []*Attempt    // of a group, oldest first
	Duration         time.Duration // of the finished commands and calls of the last attempt, also below it
	Outcome          *plan.Outcome
	Decision         *machine.Decision         // the last one made here
	ArmChoices       []*machine.Decision       // which of its arms were taken in this attempt
	EntryDecision    *machine.Decision         // the decision that led here
	EnteredFrom      *Row                      // where EntryDecision was made
	Warnings         []machine.WarningRecorded // of the last attempt
	EndMessage       string                    // with which an included document ended

	EditedTexts map[int]string // a person's texts for this run, by the index of the action
	RuleEdited  bool           // a person edited one of its rules in this run

	frame                *documentFrame
	armChoice            *machine.Decision // of an arm: the newest choice that it was a candidate of
	armIndex             int               // the arm's index among the candidates of armChoice
	decisionBeforeReload *machine.Decision // its labels are those of an older version of the document
	newLabelByOld        map[string]string // the current labels of the steps that decisionBeforeReload names, by the labels in it
	instanceNumbers      map[string]int    // the instance numbers when the row was last entered
	isCounted            bool
	unexpandedStepCount  int // the number of steps that the total already contains, if the document is not expanded
}

// Status is the state of a row.
type Status int

// The states of a row. LeftUndecided is a step or group that the run left, or ended in, without an outcome.
const (
	Pending Status = iota
	Running
	Waiting
	Passed
	Failed
	Skipped
	LeftUndecided
)

// The reasons of a Skipped row, apart from the document's own.
const (
	SkipByPerson     = "person"        // a person continued without it
	SkipAfterFailure = "after_failure" // a step before it failed
)

var statusWords = [...]string{"pending", "running", "waiting", "passed", "failed", "skipped", "left"}

// String returns the status as a word.
func (s Status) String() string { return statusWords[s] }

// IsOver reports whether the row has ended, unless it is visited again.
func (s Status) IsOver() bool { return s >= Passed }

// isDone reports whether the row has ended with an outcome.
func (s Status) isDone() bool { return s.IsOver() && s != LeftUndecided }

// IsOpen reports whether the run is in the row.
func (s Status) IsOpen() bool { return s == Running || s == Waiting }

// statusOf returns the status for a result.
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

// LastStatus returns the status of the row. If it is a step that ran before its group was entered again, and the run has
// not come back to it, it is the status with which its last attempt ended.
func (row *Row) LastStatus() Status {
	attempt := row.NewestStepAttempt()
	switch {
	case attempt == nil || row.Status != Pending && row.SkipReason != SkipAfterFailure:
		return row.Status
	case attempt.Outcome == nil:
		return LeftUndecided
	}
	return statusOf(attempt.Outcome.Result)
}

// EarlierVisitText returns the status of a step that the run did not come back to after its group was entered again, such
// as "failed in an earlier visit", else "".
func (row *Row) EarlierVisitText() string {
	if last := row.LastStatus(); last != row.Status {
		return last.String() + " in an earlier visit"
	}
	return ""
}

// IsPhase reports whether the row stands for a phase, which has no state of its own.
func (row *Row) IsPhase() bool { return row.Step == nil && row.IncludedDocument == nil }

// StepLabel returns the label of the row. For an arm, which has a label only for programs, it is that of its step.
func (row *Row) StepLabel() string {
	if row.Step != nil && row.Step.IsArm() && row.Parent != nil {
		return row.Parent.Label
	}
	return row.Label
}

// DisplayLabel returns the label of the row as a person reads it. For an arm it is that of its step and the condition,
// such as "2 else".
func (row *Row) DisplayLabel() string {
	if row.Step != nil && row.Step.IsArm() {
		return strings.TrimSpace(row.StepLabel() + " " + row.Step.ArmText())
	}
	return row.Label
}

// DisplayLabel returns the label of a step as a person reads it, see Row.DisplayLabel.
func (t *Track) DisplayLabel(label string) string {
	if r := t.rowByLabel[label]; r != nil {
		return r.DisplayLabel()
	}
	return label
}

// IsExecutable reports whether the run can be at the row.
func (row *Row) IsExecutable() bool { return row.Step != nil && row.Step.IsExecutable() }

// IsCountable reports whether the progress of the run includes the row's step, at the latest when the run gets there.
func (row *Row) IsCountable() bool { return row.Step != nil && row.Step.IsCountable() && !row.IsHidden }

// StepCountWithoutRows returns how many steps an included document has if nobody has unfolded it and the
// run has not been there, else 0.
func (row *Row) StepCountWithoutRows() int { return row.unexpandedStepCount }

// IsPromptText reports whether the row is a text for the prompts of other steps, which no run enters.
func (row *Row) IsPromptText() bool { return row.Step != nil && row.Step.IsPromptText }

// IsTargetOnly reports whether only a jump leads to the row.
func (row *Row) IsTargetOnly() bool { return row.Step != nil && row.Step.IsTargetOnly }

// IsOutsideOrder reports whether only a jump leads to the row or to a row around it, out of the order of the steps. Such a
// row counts only once the run has been there.
func (row *Row) IsOutsideOrder() bool {
	for ; row != nil; row = row.Parent {
		if row.IsTargetOnly() && row.frame.hasStepOrder {
			return true
		}
	}
	return false
}

// IsCounted reports whether the progress of the run includes the row.
func (row *Row) IsCounted() bool { return row.isCounted }

// HasFailed reports whether the newest outcome of a row is a failure or an error. The row may be nil.
func (row *Row) HasFailed() bool {
	return row != nil && row.Outcome != nil && (row.Outcome.Result == plan.Failed || row.Outcome.Result == plan.Errored)
}

// Contains reports whether r, which may be nil, is the row or below it.
func (row *Row) Contains(r *Row) bool {
	for ; r != nil; r = r.Parent {
		if r == row {
			return true
		}
	}
	return false
}

// GroupRow returns the group of steps around a row in its document, nil if there is none.
func (row *Row) GroupRow() *Row {
	p := row.Parent
	for p != nil && p.IsPhase() {
		p = p.Parent
	}
	if p == nil || p.Step == nil {
		return nil
	}
	return p
}

// NextRow returns the row to which a step of a document leads on: the next step that is not entered only by a
// jump, or the first arm of the next choice, else the group around it if that has routes of its own to evaluate; nil: the
// document ends. A step with instances is represented by its template. known is false if the document no longer has the step.
func (row *Row) NextRow() (to *Row, known bool) {
	if row.frame == nil {
		return nil, false
	}
	group, siblings := row.GroupRow(), row.frame.plan.Steps
	if group != nil {
		siblings = group.Step.Children
	}
	at := slices.Index(siblings, row.Step)
	if at < 0 {
		return nil, false
	}
	if next := row.Step.NextAmong(siblings[at+1:]); next != nil {
		if to = row.frame.rowInGroup(group, next); !next.IsArm() {
			to = to.entryRow()
		}
		return to, to != nil
	}
	if group == nil || group.Step.HasExplicitRoutes() {
		return group, true
	}
	return group.NextRow()
}

// rowInGroup returns the row of a step below a group, or at the top of the document if group is nil. It returns
// the template or first instance of a step with instances, nil if there is no row.
func (f *documentFrame) rowInGroup(group *Row, s *plan.Step) *Row {
	if group != nil {
		for _, r := range group.Children {
			if r.Step == s {
				return r
			}
		}
	}
	if r := f.templateByStep[s.ID]; r != nil {
		return r
	}
	return f.rowByStep[s.ID]
}

// entryRow returns the row at which a step is entered: the first one below a group, or the group whose arm is
// chosen. It returns nil if that has no row.
func (row *Row) entryRow() *Row {
	for row != nil && !row.IsExecutable() && !row.Step.EntryChild().IsArm() {
		row = row.frame.rowInGroup(row, row.Step.EntryChild())
	}
	return row
}

// DecisionNote returns what a person wrote with a decision of the row, "" if nothing.
func (row *Row) DecisionNote(d *machine.Decision) string {
	_, e := row.AttemptOfDecision(d)
	return e.Note
}

// AttemptOfDecision returns the attempt in which the row made a decision, and the event of the decision. The attempt is
// nil if there is none.
func (row *Row) AttemptOfDecision(d *machine.Decision) (*Attempt, machine.Event) {
	for _, x := range slices.Backward(row.AllAttempts()) {
		for _, e := range x.Events {
			if e.Body == machine.Body(d) {
				return x, e
			}
		}
	}
	return nil, machine.Event{}
}

// IsDestination reports whether a decision that was made at another row led here.
func (row *Row) IsDestination(decider *Row, d *machine.Decision) bool {
	if slices.ContainsFunc(row.StepAttempts, func(x *Attempt) bool { return x.EntryDecision == d }) {
		return true
	}
	return row.Label == d.To && d != decider.decisionBeforeReload
}

// CurrentLabel returns the current label of the step that a decision of the row calls label. A reload may have changed it.
func (row *Row) CurrentLabel(d *machine.Decision, label string) string {
	if to := row.newLabelByOld[label]; to != "" && d == row.decisionBeforeReload {
		return to
	}
	return label
}

// NewestDecisionBelow returns the newest decision of the rows below a row, nil if there is none.
func (row *Row) NewestDecisionBelow() *machine.Decision {
	var newest machine.Event
	var walk func([]*Row)
	walk = func(rows []*Row) {
		for _, r := range rows {
			for _, attempt := range r.AllAttempts() {
				for _, e := range attempt.Events {
					if _, is := e.Body.(*machine.Decision); is && e.Seq > newest.Seq {
						newest = e
					}
				}
			}
			walk(r.Children)
		}
	}
	walk(row.Children)
	d, _ := newest.Body.(*machine.Decision)
	return d
}

// EndedBeforeRoutes reports whether the run left the row's group, or ended in it, before the group's own
// routes were evaluated.
func (row *Row) EndedBeforeRoutes() bool {
	return len(row.Children) > 0 && row.Decision == nil && (row.Status == LeftUndecided || row.Status == Failed && row.Outcome == nil)
}

// NewestStepAttempt returns the newest attempt of a step, nil if there is none or the row is a group.
func (row *Row) NewestStepAttempt() *Attempt {
	if len(row.StepAttempts) == 0 {
		return nil
	}
	return row.StepAttempts[len(row.StepAttempts)-1]
}

// AttemptBefore returns the last attempt of a step that was entered before an event, else the zero Attempt.
func (row *Row) AttemptBefore(seq int) Attempt {
	for _, x := range slices.Backward(row.StepAttempts) {
		if x.EntrySeq < seq {
			return *x
		}
	}
	return Attempt{}
}

// TotalAttempts returns how often the row was executed: the attempts of all visits of a step, or of this
// visit of a group.
func (row *Row) TotalAttempts() int { return max(row.Attempt, len(row.StepAttempts)) }

// addDuration adds the duration of a command or call to the row and to the rows around it.
func (row *Row) addDuration(d time.Duration) {
	for ; row != nil; row = row.Parent {
		row.Duration += d
		if x := row.NewestAttempt(); x != nil {
			x.Duration = row.Duration
		}
	}
}

// Elapsed returns how long the row's commands and calls have taken at now. The time in which a
// person answers does not count.
func (row *Row) Elapsed(now time.Time) time.Duration {
	took := row.Duration
	if a := row.runningAction(); a != nil {
		took += max(0, now.Sub(a.StartedAt))
	}
	return took
}

// IsExecuting reports whether an action is in progress in the row or below it. In a run that is paused within a step,
// none is.
func (row *Row) IsExecuting() bool { return row.Status == Running && row.runningAction() != nil }

// runningAction returns the action in progress, nil if there is none. In an included document it is an action of its steps.
func (row *Row) runningAction() *Action {
	if a := row.NewestAction(); a != nil && !a.IsDone && a.Kind != "include" {
		return a
	}
	for _, c := range row.Children {
		if c.Status == Running {
			return c.runningAction()
		}
	}
	return nil
}

// ShownAction returns the action of a step's newest attempt to show: the one in progress, else the newest
// that has a log, else the newest that executes something, else the newest, nil if there is none.
func (row *Row) ShownAction() *Action {
	newest := row.NewestAction()
	if newest == nil || !newest.IsDone {
		return newest
	}
	x := row.NewestStepAttempt()
	for _, a := range slices.Backward(x.Actions) {
		if a.Log != nil {
			return a
		}
	}
	for _, a := range slices.Backward(x.Actions) {
		if a.IsExecuted() {
			return a
		}
	}
	return newest
}

// NewestAction returns the newest action of the newest attempt, nil if there is none.
func (row *Row) NewestAction() *Action {
	x := row.NewestStepAttempt()
	if x == nil || len(x.Actions) == 0 {
		return nil
	}
	return x.Actions[len(x.Actions)-1]
}

// NewestIsModelCall reports whether the newest action is a call of a model.
func (row *Row) NewestIsModelCall() bool {
	return row != nil && row.NewestAction() != nil && row.NewestAction().Kind == "model"
}

// HasManualReply reports whether a person replied in the last attempt, in place of a model or a tool.
func (row *Row) HasManualReply() bool {
	x := row.NewestStepAttempt()
	return x != nil && slices.ContainsFunc(x.Actions, func(a *Action) bool { return a.RepliedBy == machine.ByPerson })
}

// NewestIsToolCall reports whether the newest action is a call of a tool.
func (row *Row) NewestIsToolCall() bool {
	return row != nil && row.NewestAction() != nil && row.NewestAction().Kind == "tool"
}

// HasToolResult reports whether the newest reply is a tool's result, not a model's text.
func (row *Row) HasToolResult() bool {
	if x := row.NewestStepAttempt(); x != nil {
		for _, a := range slices.Backward(x.Actions) {
			if a.Kind == "tool" || a.Kind == "model" {
				return a.Kind == "tool"
			}
		}
	}
	return false
}

// AsksModel reports whether the step's action with this index asks a model.
func (row *Row) AsksModel(action int) bool {
	if row == nil || row.Step == nil || action >= len(row.Step.Actions) {
		return false
	}
	_, model := row.Step.Actions[action].Work.(plan.Model)
	return model
}

// CallsTool reports whether the row's step itself calls a tool.
func (row *Row) CallsTool() bool {
	return row != nil && row.Step != nil && slices.ContainsFunc(row.Step.Actions, func(a plan.Action) bool {
		_, tool := a.Work.(plan.Tool)
		return tool
	})
}

// NewestRequest returns the newest request to a model in the newest attempt, nil if there is none. Later
// requests of the same conversation do not count.
func (row *Row) NewestRequest() *Action {
	if x := row.NewestStepAttempt(); x != nil {
		for _, a := range slices.Backward(x.Actions) {
			if a.Kind == "model" && a.Text != "" {
				return a
			}
		}
	}
	return nil
}

// ArmDecision returns the decision about the arm that the row is or is in, and whether the arm was
// chosen. It returns nil if there is no arm, or no decision yet.
func (row *Row) ArmDecision() (d *machine.Decision, chosen bool) {
	for ; row != nil && row.Parent != nil; row = row.Parent {
		if row.Step == nil || !row.Step.IsArm() {
			continue
		}
		if d := row.armChoice; d != nil && slices.Contains(row.Parent.ArmChoices, d) {
			return d, d.CandidateIndex != nil && *d.CandidateIndex == row.armIndex
		}
	}
	return nil, false
}

// IsInUntakenArm reports whether the row is in an arm, or is one, that the newest decision did not choose, and
// the run has not been there before.
func (row *Row) IsInUntakenArm() bool {
	if row.Status != Pending {
		return false
	}
	choice, chosen := row.ArmDecision()
	return choice != nil && !chosen
}

// Plan returns the document of the row's step.
func (row *Row) Plan() *plan.Plan { return row.frame.plan }

// DocumentFile returns the file of the included document of the row's step, as in plan.IncludedDocument, "" for
// the root document.
func (row *Row) DocumentFile() string {
	if row.frame == nil || row.frame.documentRow == nil {
		return ""
	}
	return row.frame.documentRow.IncludedDocument.File
}

// IsLatestInstance reports whether a jump to the row's step leads to this row, and not to a newer instance.
func (row *Row) IsLatestInstance() bool {
	return row.Step != nil && (row.frame.rowByStep[row.Step.ID] == row || row.IsTemplate)
}

// JumpTarget returns the name of the row's step for a jump from anywhere in the run.
func (row *Row) JumpTarget() string {
	if row.frame.labelPrefix == "" {
		return "/" + row.Step.ID
	}
	return row.frame.labelPrefix + row.Step.ID
}

// BreakpointName returns the name of the row's step for a breakpoint: in the root document its ID, which
// all instances share, elsewhere its label.
func (row *Row) BreakpointName() string {
	if row.Step == nil || row.frame.labelPrefix != "" {
		return row.Label
	}
	return row.Step.ID
}

// IsLeftByPerson reports whether a person sent the run from the row to another step before it had an outcome.
// Decision may belong to an earlier attempt, because entering a step does not clear it.
func (row *Row) IsLeftByPerson() bool {
	x := row.NewestAttempt()
	if row.Status != LeftUndecided || x == nil {
		return false
	}
	for _, e := range slices.Backward(x.Events) {
		if d, decided := e.Body.(*machine.Decision); decided {
			return d.ByPerson && !d.Destination.SameVisit
		}
	}
	return false
}

// IsChangedByPerson reports whether a person changed what the row does or what it produced.
func (row *Row) IsChangedByPerson() bool {
	return row.Overridden || row.ReplacedByPerson || len(row.EditedTexts) > 0 || row.RuleEdited || row.Decision != nil && row.Decision.ByPerson || row.MarkedLimitsText() != ""
}

// MarkedLimitsText returns the text about the limits that a person marked as used in the attempt that shows, "" if nobody did.
func (row *Row) MarkedLimitsText() string {
	if row.Status == Pending {
		return ""
	}
	return row.newestMarkedLimitsText()
}

// ChangedRuleTexts returns what a person changed about the rules by which the row decides: edited ones, and limits that
// were marked as used.
func (row *Row) ChangedRuleTexts() (out []string) {
	if row.RuleEdited {
		out = append(out, Override{Kind: EditedRule}.Text())
	}
	if text := row.MarkedLimitsText(); text != "" {
		out = append(out, text)
	}
	return out
}

// HasWarnings reports whether the last attempt had warnings. The line of a logpoint does not count.
func (row *Row) HasWarnings() bool {
	return row.Status != Pending && slices.ContainsFunc(row.OwnWarnings(), func(w machine.WarningRecorded) bool { return w.Code != machine.LogpointCode })
}

// storeEdit stores or removes a person's text. It copies the map, because other rows may share it.
func (row *Row) storeEdit(b *machine.ActionEdited) {
	edits := maps.Clone(row.EditedTexts)
	if edits == nil {
		edits = map[int]string{}
	}
	if edits[b.ActionIndex] = b.Text; b.Text == "" {
		delete(edits, b.ActionIndex)
	}
	row.EditedTexts = edits
}
