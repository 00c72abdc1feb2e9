package track

import (
	"cmp"
	"slices"

	"playhead/engine/artifact"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Fold adds events, in order.
func (t *Track) Fold(events ...machine.Event) {
	for _, e := range events {
		t.EventCount++
		if !e.Time.IsZero() {
			t.LastEventTime = e.Time
		}
		t.inactivity.fold(e)
		if t.Finished != nil {
			t.removeEnd(e)
		}
		t.foldEvent(e)
	}
}

func (t *Track) foldEvent(e machine.Event) {
	t.recordEvent(e)
	switch b := e.Body.(type) {
	case *machine.RunStarted:
		t.RunID, t.StartedAt, t.ApprovalPolicy = b.RunID, e.Time, b.Options.ApprovalPolicy
		t.SecretInputs = b.SecretInputs()
		t.assignInputs(b.Inputs)
	case *machine.RunForked:
		t.RunID = b.NewRunID
	case *machine.ActionEdited:
		t.recordEdit(e, b)
	case *machine.StepEntered:
		t.enterStep(e, b)
	case *machine.ActionStarted:
		t.startAction(e, b)
	case *machine.ActionFinished:
		t.finishAction(e, b)
	case *machine.InputNeeded:
		t.recordQuestion(e, b)
	case *machine.InputGiven:
		t.recordAnswer(e, b)
	case *machine.ApprovalChanged:
		t.ApprovalPolicy = b.Policy
	case *machine.VariableCaptured:
		t.recordVariable(e, b)
	case *machine.LimitsUsed:
		t.EnsureAttempt(e).MarkedLimitsText = MarkedLimitsText(b)
		t.addOverride(e, Override{Kind: LimitsMarkedAsUsed, Object: limitedMoves(b)})
	case *machine.StepFinished:
		t.finishStep(e, b)
	case *machine.Decision:
		t.recordDecision(e, b)
	case *machine.ChildEntered:
		t.enterDocument(b)
	case *machine.ChildFinished:
		t.finishDocument(b)
	case *machine.WarningRecorded:
		t.recordWarning(e, b)
	case *machine.DocumentReloaded:
		t.reload(e, b)
	case *machine.RunFinished:
		t.finishRun(e, b)
	}
}

// removeEnd removes the end of a run that continues after it.
func (t *Track) removeEnd(e machine.Event) {
	if _, ends := e.Body.(*machine.RunFinished); ends || e.KeepsRunOver() {
		return
	}
	t.markAfterFailure(t.Finished.Skipped, Pending, "")
	for r := t.CurrentRow; r != nil; r = r.Parent {
		if r.Status == LeftUndecided && !r.IsLeftByPerson() {
			t.setStatus(r, Running)
		}
	}
	if r := t.CurrentRow; r != nil && r == t.DecidedRow && r.Decision != nil && !r.Status.IsOpen() {
		t.leaveGroups(r, r.Decision)
	}
	t.Finished = nil
}

// markAfterFailure marks steps that are skipped because of a failure, and the groups that contain no
// other steps. They do not count as done.
func (t *Track) markAfterFailure(labels []string, s Status, why string) {
	for _, label := range labels {
		for r := t.rowByLabel[label]; r != nil && !r.IsPhase() && (r.Status == Pending || r.SkipReason == SkipAfterFailure); r = r.Parent {
			r.Status, r.SkipReason = s, why
		}
	}
}

// enterStep moves the run to a step.
func (t *Track) enterStep(e machine.Event, b *machine.StepEntered) {
	byPerson := t.DecidedRow.isDecidedByPerson()
	if !b.ExemptFromEntryLimit {
		t.limitedEntryCount++
	}
	f := t.frameOfLabel(e.Step)
	f.setInstanceNumbers(b.InstanceNumbers)
	for _, o := range b.OpenedGroups {
		t.openGroup(e, f, o)
	}
	r := t.ensureRow(e)
	if r == nil {
		t.ensureUnknownRow(e).beginGroupAttempt(e, e.Attempt)
		return
	}
	t.moveToRow(r)
	t.frames = t.frames[:f.depth()+1]
	t.EnteredSteps = append(t.EnteredSteps, EnteredStep{e.Step, e.Step})
	if !r.isCounted && !r.IsHidden {
		r.isCounted = true
		t.totalStepCount++
	}
	t.resetRows(r.Children)
	t.setStatus(r, Running)
	r.ArmChoices, r.Warnings = nil, nil
	r.beginAttempt(e.Attempt, f.instanceNumbers)
	r.EnteredFrom, r.EntryDecision = t.DecidedRow, t.lastDecision()
	r.StepAttempts = append(r.StepAttempts, &Attempt{
		Number: e.Attempt, EntrySeq: e.Seq, StartedAt: e.Time, EntryDecision: t.lastDecision(),
		EnteredByPerson: byPerson, MarkedLimitsText: r.markedLimitsTextOfAttempt(e.Attempt),
	})
	for p := r.Parent; p != nil; p = p.Parent {
		if !p.Status.IsOpen() {
			t.setStatus(p, Running)
		}
	}
}

// lastDecision returns the newest decision, nil before the first.
func (t *Track) lastDecision() *machine.Decision {
	if t.DecidedRow == nil {
		return nil
	}
	return t.DecidedRow.Decision
}

// openGroup begins a group's visit, and resets the steps below it.
func (t *Track) openGroup(e machine.Event, f *documentFrame, o machine.OpenedGroup) {
	r := t.rowByLabel[o.Label]
	if r == nil {
		r = t.instanceRow(f, o.StepID, o.Label)
	}
	if r == nil {
		e.Step, e.ExplicitStepID = o.Label, o.StepID
		t.ensureUnknownRow(e).beginGroupAttempt(e, o.Attempt)
		return
	}
	r.beginOpenedAttempt(e, o.Attempt)
	t.resetRows(r.Children)
	t.setStatus(r, Running)
	if n := len(r.ArmChoices); n > 0 && t.DecidedRow == r {
		r.ArmChoices = r.ArmChoices[n-1:] // keep the one with which the attempt begins
	} else {
		r.ArmChoices, r.Decision = nil, nil
	}
	r.Warnings = nil
	r.beginAttempt(o.Attempt, f.instanceNumbers)
}

// beginAttempt prepares the row for a new visit, or for another attempt.
func (row *Row) beginAttempt(attempt int, ns map[string]int) {
	row.Attempt, row.Duration, row.Outcome, row.Overridden, row.ReplacedByPerson = attempt, 0, nil, false, false
	row.instanceNumbers, row.Title = ns, row.Step.TitleIn(plan.InstanceNumbers(ns))
}

// resetRows returns rows to pending. Their earlier attempts stay.
func (t *Track) resetRows(rows []*Row) {
	for _, r := range rows {
		if r.Status != Pending {
			t.setStatus(r, Pending)
			r.Outcome, r.Decision, r.Overridden, r.ReplacedByPerson, r.ArmChoices = nil, nil, false, false, nil
		}
		t.resetRows(r.Children)
	}
}

// moveToRow moves the run to a row. Rows that it leaves without an outcome become LeftUndecided, and
// rows around the new one stay open.
func (t *Track) moveToRow(r *Row) {
	for p := t.CurrentRow; p != nil; p = p.Parent {
		if p.Status.IsOpen() && !p.Contains(r) {
			t.setStatus(p, LeftUndecided)
		}
	}
	t.CurrentRow = r
}

func (t *Track) finishStep(e machine.Event, b *machine.StepFinished) {
	r := t.ensureRow(e)
	if r == nil {
		return
	}
	t.setStatus(r, statusOf(b.Result))
	r.Outcome, r.Overridden = b.Outcome, b.Overridden
	x := r.NewestStepAttempt()
	if x != nil {
		x.Outcome = b.Outcome
		if b.Overridden && e.By == machine.ByPerson {
			x.AnsweredBy = e.By
		}
	}
	if b.Overridden {
		if q := x.DecidingQuestion(); e.Note == "" && q != nil && q.Kind == machine.KindResume {
			e.Note = q.AnswerEvent.Note
		}
		for p := r.Parent; p != nil; p = p.Parent {
			if p.Status.IsOver() { // it belonged to the earlier outcome
				t.setStatus(p, Running)
			}
		}
		if r.Status == Skipped {
			r.SkipReason = SkipByPerson
		}
		t.addOverride(e, Override{Kind: OverriddenOutcome, Result: b.Result})
	}
}

func (t *Track) recordDecision(e machine.Event, d *machine.Decision) {
	r := t.ensureRow(e)
	if r == nil {
		return
	}
	r.Decision = d
	if d.IsArmChoice() {
		r.ArmChoices = append(r.ArmChoices, d)
		r.recordArmChoice(d)
		t.assignInputOverrides(e.Step, d)
	}
	t.DecidedRow = r
	if d.ByPerson && r.Status.IsOpen() && (d.Destination.DocumentsToLeave > 0 || !r.isAroundTarget(d.Destination)) {
		t.setStatus(r, LeftUndecided)
	}
	t.leaveGroups(r, d)
	if d.ByPerson {
		e.Step = PersonMoveStep(e.Step, d)
		t.addOverride(e, personMove(e.Step, d))
	}
}

// recordArmChoice records in each arm of a row the decision that chose between them, and the arm's index in it, because
// a reload may change the lines of the arms.
func (row *Row) recordArmChoice(d *machine.Decision) {
	for _, arm := range row.Children {
		if arm.Step == nil || !arm.Step.IsArm() {
			continue
		}
		if at := slices.IndexFunc(d.Candidates, func(c machine.Candidate) bool { return c.Line == arm.Step.Span.Line }); at >= 0 {
			arm.armChoice, arm.armIndex = d, at
		}
	}
}

// leaveGroups makes the open groups around a row LeftUndecided that a decision there leads out of, before the run
// enters the step to which it leads. A group to which a later decision leads back is open again.
func (t *Track) leaveGroups(r *Row, d *machine.Decision) {
	if d.Destination.Kind != machine.ToStep {
		return
	}
	status, documentsToLeave := LeftUndecided, d.Destination.DocumentsToLeave
	for p := r.Parent; p != nil; p = p.Parent {
		switch {
		case status == LeftUndecided && documentsToLeave == 0 && p.isAroundTarget(d.Destination):
			status = Running
		case p.IncludedDocument != nil:
			documentsToLeave--
		}
		if p.Status.IsOpen() && status == LeftUndecided || p.Status == LeftUndecided && status == Running {
			t.setStatus(p, status)
		}
	}
}

// isAroundTarget reports whether a destination in the document of a row, or in the one that the row includes, leads to the
// row or into it. The target may be an instance that has no row yet.
func (row *Row) isAroundTarget(to machine.Destination) bool {
	if row.Step == nil {
		return row.IncludedDocument != nil
	}
	if row.Step.ID == to.StepID {
		return !to.ToNextInstance
	}
	for s := row.frame.parentByID[to.StepID]; s != nil; s = row.frame.parentByID[s.ID] {
		if s == row.Step {
			return true
		}
	}
	return false
}

// isDecidedByPerson reports whether a person chose where the row's newest decision leads, or marked the
// retries as used that it would have made. The row may be nil.
func (row *Row) isDecidedByPerson() bool {
	return row != nil && row.Decision != nil && (row.Decision.ByPerson || row.newestMarkedLimitsText() != "" && row.Decision.FollowsUsedLimit())
}

// MarkedLimitsText describes the override that makes the run continue as if there were no more retries or iterations.
func MarkedLimitsText(b *machine.LimitsUsed) string { return markedLimitsText(limitedMoves(b)) }

func markedLimitsText(limitedMoves string) string { return "all " + limitedMoves + " marked as used" }

// limitedMoves returns what the limits that a person marked as used limit.
func limitedMoves(b *machine.LimitsUsed) string {
	switch {
	case !slices.Contains(b.Budgets, machine.RepeatBudget):
		return "retries"
	case len(b.Budgets) > 1:
		return "retries and iterations"
	}
	return "iterations"
}

// OutcomeOverrideText describes the override of an outcome, such as "overridden with pass".
func OutcomeOverrideText(r plan.Result) string {
	if r == plan.Skipped {
		return "skipped"
	}
	return "overridden with " + string(r)
}

// PersonMoveStep returns the step that a person's decision at a step is about: the one that runs again, which may
// be in a group at which the run was, or the one from which the run is sent elsewhere.
func PersonMoveStep(step string, d *machine.Decision) string {
	if d.Destination.SameVisit {
		return d.To
	}
	return step
}

// PersonMoveText returns what a person's decision does, in a text about a step.
func PersonMoveText(step string, d *machine.Decision) string { return personMove(step, d).Text() }

func personMove(step string, d *machine.Decision) Override {
	kind := OverriddenRoute
	if d.Destination.SameVisit {
		kind = RerunByPerson
	}
	return Override{Step: step, Kind: kind, Object: d.To}
}

// recordEdit records an override for a step that is edited, once, until the edit is removed.
func (t *Track) recordEdit(e machine.Event, b *machine.ActionEdited) {
	r := t.RowOfEvent(e)
	if r == nil {
		return
	}
	r.storeEdit(b)
	edited := Override{Step: e.Step, Kind: EditedAction}
	t.removeOverride(edited)
	if len(r.EditedTexts) > 0 {
		t.addOverride(e, edited)
	}
}

// recordVariable sets a variable, and records an override, once, if a person set it: of the step that produced the old
// value, else of the step where the run is until a decision compares the variable.
func (t *Track) recordVariable(e machine.Event, b *machine.VariableCaptured) {
	producer := t.producerOf(b.Variable)
	t.setVariable(b.Variable, b.Value, e.Step, e.By)
	if e.By == machine.ByPerson {
		set := Override{Step: cmp.Or(producer, e.Step), Kind: OverriddenVariable, Object: b.Variable, isUncompared: producer == ""}
		t.removeOverride(set)
		t.addOverride(e, set)
	}
}

// producerOf returns the label of the step that produced the newest value of a variable, "" if none did.
func (t *Track) producerOf(variable string) string {
	if i, known := t.variableIndex[variable]; known {
		return t.Variables[i].setByStepBeforePerson
	}
	return ""
}

// assignInputOverrides makes the inputs that a person set overrides of the step whose choice between arms compares them
// first.
func (t *Track) assignInputOverrides(step string, d *machine.Decision) {
	for i, o := range t.Overrides {
		if o.isUncompared && slices.ContainsFunc(d.Candidates, func(c machine.Candidate) bool { return c.Reason != nil && c.Reason.Variable == o.Object }) {
			o.Step, o.isUncompared = step, false
			t.Overrides = slices.Clone(t.Overrides)
			t.Overrides[i] = o
		}
	}
}

// addOverride adds an override by an event, of the event's step unless it names another one.
func (t *Track) addOverride(e machine.Event, o Override) {
	o.Step, o.Note = cmp.Or(o.Step, e.Step), e.Note
	t.Overrides, t.newestOverrideSeq = append(t.Overrides, o), e.Seq
}

// ChangedStep returns the label of the step that a person changed with e, which must be the newest event of the track. It
// is the step of the override, because e.Step is only where the run was. It is "" if the change is not about one step.
func (t *Track) ChangedStep(e machine.Event) string {
	_, isReload := e.Body.(*machine.DocumentReloaded)
	switch n := len(t.Overrides); {
	case n > 0 && t.newestOverrideSeq == e.Seq:
		return t.Overrides[n-1].Step
	case isReload:
		return ""
	}
	return e.Step
}

// removeOverride removes the overrides of the same step, kind and object.
func (t *Track) removeOverride(o Override) {
	t.Overrides = slices.DeleteFunc(slices.Clone(t.Overrides), func(f Override) bool {
		return f.Step == o.Step && f.Kind == o.Kind && f.Object == o.Object
	})
}

// setStatus changes a row's status and updates the count of steps that are done.
func (t *Track) setStatus(r *Row, s Status) {
	if r.IsPhase() {
		return
	}
	if r == t.waitingRow {
		t.waitingRow = nil
	}
	t.addToStepCounts(r, -1)
	r.Status, r.SkipReason = s, ""
	t.addToStepCounts(r, 1)
}

// addToStepCounts adds a row to the counts of steps, or with by = -1 takes it out of them.
func (t *Track) addToStepCounts(r *Row, by int) {
	switch {
	case !r.isCounted:
	case r.Status.isDone():
		t.doneStepCount += by
	case r.Status == Pending && len(r.StepAttempts) > 0:
		t.doneEarlierCount += by
	}
}

// finishRun closes the rows in which the run is. A group that a failure ended has failed too.
func (t *Track) finishRun(e machine.Event, b *machine.RunFinished) {
	if t.Finished == nil { // a run that was changed after its end has a second one
		t.firstEndedAt = cmp.Or(b.FirstEnded, e.Time)
	}
	t.Finished, t.EndPreparedBy = b, e.PreparedBy
	if a := b.Artifact; a != nil {
		t.finalOutput = artifact.Artifact{Type: a.Type, StepLabel: a.Step, RawText: t.outputByLabel[a.Step]}
	}
	t.markAfterFailure(b.Skipped, Skipped, SkipAfterFailure)
	if t.CurrentRow == nil || b.Result == plan.Awaiting {
		return
	}
	status := LeftUndecided
	if t.CurrentRow.Status == Failed {
		status = Failed
	}
	for p := t.CurrentRow; p != nil; p = p.Parent {
		if p.Status.IsOpen() {
			t.setStatus(p, status)
		}
	}
}
