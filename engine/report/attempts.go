package report

import (
	"cmp"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// addAttempts adds the attempts of a track that the report does not have yet. superseded is the number
// of the event that rewound the run to before them, 0 for none.
func (b *reportBuilder) addAttempts(t *track.Track, superseded int) {
	var walk func(rows []*track.Row)
	walk = func(rows []*track.Row) {
		for _, r := range rows {
			visit := 0
			for _, x := range r.AllAttempts() {
				if x.Number <= 1 {
					visit++
				}
				b.addAttempt(r, x, visit, superseded)
			}
			walk(r.Children)
		}
	}
	walk(t.Rows)
	walk(t.UnknownSteps)
}

func (b *reportBuilder) addAttempt(r *track.Row, x *track.Attempt, visit, superseded int) {
	attempt := b.findAttempt(r.Label, x.EntrySeq)
	if attempt == nil {
		attempt = &Attempt{EntrySeq: x.EntrySeq, visit: visit, Number: x.Number, Started: x.StartedAt, Took: Duration(x.Duration), SupersededBySeq: superseded}
		b.insertAttempt(r.Label, attempt)
		attempt.addOutcome(x)
	}
	for _, a := range x.Actions {
		if b.reportedEvents[a.StartEvent.Seq] && (a.EndEvent.Seq == 0 || b.reportedEvents[a.EndEvent.Seq]) {
			continue
		}
		if w := b.workOfAction(r.Label, a); w != nil {
			attempt.addWork(w, superseded)
		}
	}
	for _, q := range x.Questions {
		if !b.reportedEvents[cmp.Or(q.AnswerEvent.Seq, q.AskEvent.Seq)] {
			attempt.addWork(b.workOfQuestion(q), superseded)
		}
	}
	for _, e := range x.Events {
		if b.reportedEvents[e.Seq] {
			continue
		}
		switch body := e.Body.(type) {
		case *machine.VariableCaptured:
			set := b.newVariable(body.Variable, body.Value)
			set.By, set.SupersededBySeq, set.seq = e.By, superseded, e.Seq
			attempt.addAssignment(set)
		case *machine.Decision:
			attempt.addDecision(e, body, b.destinationText(body), x, superseded)
		}
	}
}

// findAttempt returns the attempt of a step that an event began, nil if the report does not have it yet.
func (b *reportBuilder) findAttempt(label string, event int) *Attempt {
	for _, attempt := range b.attemptsByLabel[label] {
		if attempt.EntrySeq == event {
			return attempt
		}
	}
	return nil
}

func (b *reportBuilder) insertAttempt(label string, attempt *Attempt) {
	if b.attemptsByLabel[label] == nil {
		b.visitedLabels = append(b.visitedLabels, label)
	}
	all := append(b.attemptsByLabel[label], attempt)
	slices.SortStableFunc(all, func(x, y *Attempt) int { return x.EntrySeq - y.EntrySeq })
	b.attemptsByLabel[label] = all
}

func (attempt *Attempt) addWork(w *Work, superseded int) {
	w.SupersededBySeq = superseded
	attempt.Work = append(attempt.Work, w)
	slices.SortStableFunc(attempt.Work, func(x, y *Work) int { return x.startSeq - y.startSeq })
}

func (attempt *Attempt) addAssignment(set Variable) {
	attempt.Assignments = append(attempt.Assignments, set)
	slices.SortStableFunc(attempt.Assignments, func(x, y Variable) int { return x.seq - y.seq })
}

// addOutcome copies how the attempt ended.
func (attempt *Attempt) addOutcome(x *track.Attempt) {
	for _, a := range x.Actions {
		if a.Outcome != nil { // a held outcome is not the attempt's yet
			attempt.Checks = a.Outcome.Checks
		}
	}
	for _, e := range x.Events {
		if body, is := e.Body.(*machine.StepFinished); is {
			attempt.setEnd(e, body, x)
		}
	}
}

func (attempt *Attempt) setEnd(e machine.Event, body *machine.StepFinished, x *track.Attempt) {
	attempt.Result, attempt.Overridden, attempt.endedAt = string(body.Result), body.Overridden, e.Time
	attempt.Reason = cmp.Or(e.Note, body.Error)
	if o := body.Outcome; o != nil {
		attempt.OutcomeSource, attempt.Reason, attempt.Checks = o.Source, cmp.Or(attempt.Reason, wording.OutcomeReason(o)), o.Checks
		if body.Overridden {
			attempt.Override = &Override{string(o.OriginalResult), attempt.Result, cmp.Or(e.Note, wording.OutcomeNote(x)), e.Time}
		}
	}
}

// destinationText returns where a decision leads, as a person reads it. The label of a group alone would look as if the run
// went back to its first step.
func (b *reportBuilder) destinationText(d *machine.Decision) string {
	to := b.track.DisplayLabel(d.To)
	if d.Destination.Kind != machine.ToGroupRoutes {
		return to
	}
	return wording.DestinationText(&machine.Decision{To: to, Destination: d.Destination})
}

// addDecision adds a decision. to is where it leads, as a person reads it.
func (attempt *Attempt) addDecision(e machine.Event, d *machine.Decision, to string, x *track.Attempt, superseded int) {
	out := &Decision{EventSeq: e.Seq, To: d.To, destination: to, Overridden: d.ByPerson, Note: e.Note, Candidates: []Candidate{}, SupersededBySeq: superseded}
	for i, c := range d.Candidates {
		taken := d.CandidateIndex != nil && *d.CandidateIndex == i
		why, shownWhy := wording.CandidateReason(d, i), wording.CandidateReasonWithRetry(d, i)
		if answer := wording.DistinctAnswerText(x, d.Outcome); taken && answer != "" {
			why, shownWhy = answer+"; "+why, answer+"; "+shownWhy
		}
		out.Candidates = append(out.Candidates, Candidate{c.Line, c.Text, c.Matched, taken, why, c.Implicit, shownWhy})
	}
	attempt.Decisions = append(attempt.Decisions, out)
	slices.SortStableFunc(attempt.Decisions, func(x, y *Decision) int { return x.EventSeq - y.EventSeq })
}
