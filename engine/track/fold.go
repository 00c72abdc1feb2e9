package track

import (
	"cmp"
	"slices"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Fold adds events, in order.
func (t *Track) Fold(events ...machine.Event) {
	for _, e := range events {
		t.Count++
		if !e.Time.IsZero() {
			t.Last = e.Time
		}
		t.trackAbsence(e)
		if t.Finished != nil {
			t.reopen(e)
		}
		t.fold(e)
	}
}

func (t *Track) fold(e machine.Event) {
	t.record(e)
	switch b := e.Body.(type) {
	case *machine.Started:
		t.Run, t.Started, t.Approve = b.Run, e.Time, b.Options.Approve
		t.Secrets = b.SecretInputs()
		t.inputs(b.Inputs)
	case *machine.Forked:
		t.Run = b.As
	case *machine.Edited:
		t.edit(e, b)
	case *machine.Entered:
		t.enter(e, b)
	case *machine.ActionStarted:
		t.startAction(e, b)
	case *machine.ActionFinished:
		t.finishAction(e, b)
	case *machine.InputNeeded:
		t.wait(e, b)
	case *machine.InputGiven:
		t.answer(e, b)
	case *machine.Approval:
		t.Approve = b.Policy
	case *machine.Captured:
		t.capture(e, b)
	case *machine.StepFinished:
		t.finish(e, b)
	case *machine.Decision:
		t.route(e, b)
	case *machine.ChildEntered:
		t.enterChild(b)
	case *machine.ChildFinished:
		t.finishChild(b)
	case *machine.Warned:
		t.warn(e, b)
	case *machine.Reloaded:
		t.reload(e, b)
	case *machine.Finished:
		t.end(e, b)
	}
}

// reopen removes the end of a run that continues after it.
func (t *Track) reopen(e machine.Event) {
	if _, ends := e.Body.(*machine.Finished); ends || e.KeepsRunOver() {
		return
	}
	t.markSkipped(t.Finished.Skipped, Pending, "")
	for r := t.Current; r != nil; r = r.Parent {
		if r.Status == LeftUndecided {
			t.set(r, Running)
		}
	}
	t.Finished = nil
}

// markSkipped marks steps that are skipped because of a failure, and the groups that contain no
// other steps. They do not count as done.
func (t *Track) markSkipped(labels []string, s Status, why string) {
	for _, label := range labels {
		for r := t.byLabel[label]; r != nil && !r.IsPhase() && (r.Status == Pending || r.Skip == SkipFailure); r = r.Parent {
			r.Status, r.Skip = s, why
		}
	}
}

// enter moves the run to a step.
func (t *Track) enter(e machine.Event, b *machine.Entered) {
	f := t.frameOf(e.Step)
	f.count(b.Numbers)
	for _, o := range b.Opened {
		t.open(e, f, o)
	}
	r := t.at(e)
	if r == nil {
		t.unknown(e).beginGroupVisit(e, e.Attempt)
		return
	}
	t.leaveTo(r)
	t.frames = t.frames[:f.depth()+1]
	t.Path = append(t.Path, e.Step)
	if !r.counted && !r.Hidden {
		r.counted = true
		t.total++
	}
	t.set(r, Running)
	r.Choices, r.Warnings = nil, nil
	r.begin(e.Attempt, f.numbers)
	if t.DecidedRow != nil {
		r.From, r.EnteredBy = t.DecidedRow, t.DecidedRow.Decision
	}
	r.Visits = append(r.Visits, &Visit{Attempt: e.Attempt, Seq: e.Seq, Started: e.Time, EnteredBy: t.lastDecision()})
	for p := r.Parent; p != nil; p = p.Parent {
		if !p.Status.IsOpen() {
			t.set(p, Running)
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

// open begins a group's visit, and resets the steps below it.
func (t *Track) open(e machine.Event, f *frame, o machine.OpenedGroup) {
	r := t.byLabel[o.Step]
	if r == nil {
		r = t.instance(f, o.ID, o.Step)
	}
	if r == nil {
		e.Step, e.ID = o.Step, o.ID
		t.unknown(e).beginGroupVisit(e, o.Attempt)
		return
	}
	r.beginGroupVisit(e, o.Attempt)
	t.reset(r.Children)
	t.set(r, Running)
	if n := len(r.Choices); n > 0 && t.DecidedRow == r {
		r.Choices = r.Choices[n-1:] // keep the one with which the visit begins
	} else {
		r.Choices, r.Decision = nil, nil
	}
	r.Warnings = nil
	r.begin(o.Attempt, f.numbers)
}

// begin begins a visit of the row, or another attempt.
func (r *Row) begin(attempt int, ns map[string]int) {
	r.Attempt, r.Took, r.Outcome, r.Overridden, r.Changed = attempt, 0, nil, false, false
	r.numbers, r.Title = ns, r.Step.TitleIn(plan.Numbers(ns))
}

// reset returns rows to pending. Their earlier visits stay.
func (t *Track) reset(rows []*Row) {
	for _, r := range rows {
		if r.Status != Pending {
			t.set(r, Pending)
			r.Outcome, r.Decision, r.Overridden, r.Changed, r.Choices = nil, nil, false, false, nil
		}
		t.reset(r.Children)
	}
}

// leaveTo moves the run to a row. Rows that it leaves without an outcome become LeftUndecided, and
// rows around the new one stay open.
func (t *Track) leaveTo(r *Row) {
	for p := t.Current; p != nil; p = p.Parent {
		if p.Status.IsOpen() && !p.contains(r) {
			t.set(p, LeftUndecided)
		}
	}
	t.Current = r
}

// contains reports whether r is the row or below it.
func (p *Row) contains(r *Row) bool {
	for ; r != nil; r = r.Parent {
		if r == p {
			return true
		}
	}
	return false
}

func (t *Track) finish(e machine.Event, b *machine.StepFinished) {
	r := t.at(e)
	if r == nil {
		return
	}
	t.set(r, statusOf(b.Result))
	r.Outcome, r.Overridden = b.Outcome, b.Overridden
	if b.Overridden {
		for p := r.Parent; p != nil; p = p.Parent {
			if p.Status.IsOver() { // it belonged to the earlier outcome
				t.set(p, Running)
			}
		}
		if r.Status == Skipped {
			r.Skip = SkipPerson
		}
		t.noteOverride(e, SetTo(b.Result))
	}
	if x := r.LastVisit(); x != nil {
		x.Outcome = b.Outcome
	}
}

func (t *Track) route(e machine.Event, d *machine.Decision) {
	r := t.at(e)
	if r == nil {
		return
	}
	r.Decision, r.By, r.Reason = d, e.By, e.Reason
	if IsChoice(d) {
		r.Choices = append(r.Choices, d)
	}
	t.DecidedRow = r
	if d.ByPerson {
		t.noteOverride(e, MoveText(e.Step, d))
	}
}

// IsChoice reports whether a decision is a choice between arms, and not a route after an outcome.
func IsChoice(d *machine.Decision) bool {
	return d.Outcome == nil && !d.ByPerson && len(d.Candidates) > 0
}

// SetTo returns what a person did who overrode an outcome.
func SetTo(r plan.Result) string { return "set to " + string(r) }

// MoveText returns where a person's decision sends the run from a step.
func MoveText(step string, d *machine.Decision) string {
	if d.Arrival.SameVisit && d.To == step {
		return "run again"
	}
	return "sent to " + d.To
}

// edit records an override for a step that is edited, once, until the edit is removed.
func (t *Track) edit(e machine.Event, b *machine.Edited) {
	r := t.byLabel[e.Step]
	if r == nil {
		return
	}
	r.edit(b)
	const what = "edited"
	t.removeOverride(e, what)
	if len(r.Edits) > 0 {
		t.noteOverride(e, what)
	}
}

// capture sets a variable, and records an override, once, if a person set it.
func (t *Track) capture(e machine.Event, b *machine.Captured) {
	t.assign(b.Variable, b.Value, e.Step, e.By)
	if e.By == machine.ByPerson {
		t.removeOverride(e, b.Variable+" set")
		t.noteOverride(e, b.Variable+" set")
	}
}

// noteOverride adds an override.
func (t *Track) noteOverride(e machine.Event, what string) {
	t.Overrides = append(t.Overrides, Override{e.Step, what, e.Reason})
}

// removeOverride removes an override.
func (t *Track) removeOverride(e machine.Event, what string) {
	t.Overrides = slices.DeleteFunc(slices.Clone(t.Overrides), func(f Override) bool { return f.Step == e.Step && f.What == what })
}

// set changes a row's status and updates the count of steps that are done.
func (t *Track) set(r *Row, s Status) {
	if r.IsPhase() {
		return
	}
	if r == t.waitingRow {
		t.waitingRow = nil
	}
	if r.counted && r.Status.isDone() != s.isDone() {
		if s.isDone() {
			t.done++
		} else {
			t.done--
		}
	}
	r.Status, r.Skip = s, ""
}

// end closes the rows in which the run is. A group that a failure ended has failed too.
func (t *Track) end(e machine.Event, b *machine.Finished) {
	if t.Finished == nil { // a run that was changed after its end has a second one
		t.ended = cmp.Or(b.Ended, e.Time)
	}
	t.Finished = b
	t.markSkipped(b.Skipped, Skipped, SkipFailure)
	if t.Current == nil || b.Result == plan.Awaiting {
		return
	}
	as := LeftUndecided
	if t.Current.Status == Failed {
		as = Failed
	}
	for p := t.Current; p != nil; p = p.Parent {
		if p.Status.IsOpen() {
			t.set(p, as)
		}
	}
}
