package report

import (
	"cmp"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// addVisits adds the visits of a track that the report does not have yet. superseded is the number
// of the event that rewound the run to before them, 0 for none.
func (b *reportBuilder) addVisits(t *track.Track, superseded int) {
	var walk func(rows []*track.Row)
	walk = func(rows []*track.Row) {
		for _, r := range rows {
			for _, x := range r.AllVisits() {
				b.addVisit(r, x, superseded)
			}
			walk(r.Children)
		}
	}
	walk(t.Rows)
	walk(t.UnknownSteps)
}

func (b *reportBuilder) addVisit(r *track.Row, x *track.Visit, superseded int) {
	v := b.findVisit(r.Label, x.EntrySeq)
	if v == nil {
		v = &Visit{EntrySeq: x.EntrySeq, Attempt: x.Attempt, Started: x.StartedAt, Took: Duration(x.Duration), SupersededBySeq: superseded}
		b.insertVisit(r.Label, v)
		v.addOutcome(x)
	}
	for _, a := range x.Actions {
		if b.reportedEvents[a.StartEvent.Seq] && (a.EndEvent.Seq == 0 || b.reportedEvents[a.EndEvent.Seq]) {
			continue
		}
		if w := b.workOfAction(r.Label, a); w != nil {
			v.addWork(w, superseded)
		}
	}
	for _, q := range x.Questions {
		if !b.reportedEvents[cmp.Or(q.AnswerEvent.Seq, q.AskEvent.Seq)] {
			v.addWork(b.workOfQuestion(q), superseded)
		}
	}
	for _, e := range x.Events {
		if b.reportedEvents[e.Seq] {
			continue
		}
		switch body := e.Body.(type) {
		case *machine.VariableCaptured:
			if superseded == 0 || v.SupersededBySeq > 0 {
				set := b.newVariable(body.Variable, body.Value)
				set.By = e.By
				v.Assignments = append(v.Assignments, set)
			}
		case *machine.Decision:
			v.addDecision(e, body, b.track.DisplayLabel(body.To), x, superseded)
		}
	}
}

// findVisit returns the visit of a step that an event began, nil if the report does not have it yet.
func (b *reportBuilder) findVisit(label string, event int) *Visit {
	for _, v := range b.visitsByLabel[label] {
		if v.EntrySeq == event {
			return v
		}
	}
	return nil
}

func (b *reportBuilder) insertVisit(label string, v *Visit) {
	if b.visitsByLabel[label] == nil {
		b.visitedLabels = append(b.visitedLabels, label)
	}
	all := append(b.visitsByLabel[label], v)
	slices.SortStableFunc(all, func(x, y *Visit) int { return x.EntrySeq - y.EntrySeq })
	b.visitsByLabel[label] = all
}

func (v *Visit) addWork(w *Work, superseded int) {
	w.SupersededBySeq = superseded
	v.Work = append(v.Work, w)
	slices.SortStableFunc(v.Work, func(x, y *Work) int { return x.startSeq - y.startSeq })
}

// addOutcome copies how the visit ended.
func (v *Visit) addOutcome(x *track.Visit) {
	for _, a := range x.Actions {
		if a.Outcome != nil { // a held outcome is not the visit's yet
			v.Checks = a.Outcome.Checks
		}
	}
	for _, e := range x.Events {
		if body, is := e.Body.(*machine.StepFinished); is {
			v.setEnd(e, body, x)
		}
	}
}

func (v *Visit) setEnd(e machine.Event, body *machine.StepFinished, x *track.Visit) {
	v.Result, v.Overridden, v.endedAt = string(body.Result), body.Overridden, e.Time
	v.Reason = cmp.Or(e.Note, body.Error)
	if o := body.Outcome; o != nil {
		v.OutcomeSource, v.Reason, v.Checks = o.Source, cmp.Or(v.Reason, wording.OutcomeReason(o)), o.Checks
		if body.Overridden {
			v.Override = &Override{string(o.OriginalResult), v.Result, cmp.Or(e.Note, wording.OutcomeNote(x)), e.Time}
		}
	}
}

// addDecision adds a decision. to is where it leads, as a person reads it.
func (v *Visit) addDecision(e machine.Event, d *machine.Decision, to string, x *track.Visit, superseded int) {
	out := &Decision{EventSeq: e.Seq, To: d.To, destination: to, Overridden: d.ByPerson, Note: e.Note, Candidates: []Candidate{}, SupersededBySeq: superseded}
	for i, c := range d.Candidates {
		taken := d.CandidateIndex != nil && *d.CandidateIndex == i
		why := wording.CandidateReason(d, i)
		if answer := wording.DistinctAnswerText(x, d.Outcome); taken && answer != "" {
			why = answer + "; " + why
		}
		out.Candidates = append(out.Candidates, Candidate{c.Line, c.Text, c.Matched, taken, why, c.Implicit})
	}
	v.Decisions = append(v.Decisions, out)
	slices.SortStableFunc(v.Decisions, func(x, y *Decision) int { return x.EventSeq - y.EventSeq })
}
