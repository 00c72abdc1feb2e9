package engine

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/parse/plan"
)

// A ReloadForecast is what a version of the document would have decided in this run.
type ReloadForecast struct {
	DecisionEvent     machine.Event      // where the decision would lead; its Body is nil if something else comes first
	ReroutedDecisions []ReroutedDecision // earlier decisions that would have led elsewhere
	LeadsElsewhere    bool               // a decision that is repeated leads elsewhere than it did
	RewindTo          int                // the event to rewind to, so that the decision is made again; 0: it is yet to be made
	AsksToRerun       bool               // the step has begun, and a person is asked whether it runs again
	KeepsReport       bool               // the step has reported, and a person still decides about that report
	rejudgedReply     *machine.Event     // the reply that is judged again before the decision; nil: none
}

// ReroutedDecision is a decision of the run that would have led elsewhere with another version.
type ReroutedDecision struct {
	Seq      int               // the number of the decision
	Step     string            // its label in the run
	From, To *machine.Decision // as it was made, and as it would have been made; nil: nothing would have been decided
}

// Forecast returns what a version would have decided. seq is the number of the decision to repeat; 0 is
// the one that comes next. It is based on the same outcome, or on the same reply if the version judges
// that differently.
func (s *Session) Forecast(o *ReloadOffer, seq int) (*ReloadForecast, error) {
	if err := o.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	past := s.journal
	s.mu.Unlock()
	if seq < 0 || seq > len(past) {
		return nil, fmt.Errorf("there is no event %d", seq)
	}
	if seq > 0 {
		if _, is := past[seq-1].Body.(*machine.Decision); !is {
			return nil, fmt.Errorf("event %d is not a decision", seq)
		}
	}
	f := forecaster{matchPlans: s.matchPlans, machine: machine.New(s.config.FirstPlan, s.config.Options), offer: o, versionByPlan: map[*plan.Plan]*matchedVersion{}}
	f.machine.PrebuildGraphs(o.Plan)
	out := &ReloadForecast{}
	past = machine.BranchTo(past, cmp.Or(seq, len(past)))
	var target *machine.Event
	if seq > 0 {
		target, past = &past[len(past)-1], past[:len(past)-1]
	}
	for _, e := range past {
		if d, decides := e.Body.(*machine.Decision); decides && !d.ByPerson && f.mayDecideDifferently(e) {
			next, _, _ := f.forecastDecision()
			if r := f.reroutedDecision(e, d, s.maskedEvent(next)); r != nil {
				out.ReroutedDecisions = append(out.ReroutedDecisions, *r)
			}
		}
		if err := f.fold(e); err != nil {
			return nil, err
		}
	}
	if seq == 0 && advanceToDecision(f.machine.Clone()).Body == nil {
		f.judgedActions = nil // the step has yet to act, or a person to answer
	}
	out.DecisionEvent, out.RewindTo, out.rejudgedReply = f.forecastDecision()
	out.AsksToRerun, out.KeepsReport = f.nextQuestionKind == machine.KindResume, f.nextQuestionKind == machine.KindAcceptOutcome
	out.DecisionEvent = s.maskedEvent(out.DecisionEvent)
	switch {
	case target != nil:
		out.LeadsElsewhere = f.reroutedDecision(*target, target.Body.(*machine.Decision), out.DecisionEvent) != nil
	case out.RewindTo == f.lastSeq:
		out.RewindTo = 0
	}
	return out, nil
}

func (s *Session) maskedEvent(e machine.Event) machine.Event {
	if e.Body == nil {
		return e
	}
	return s.config.Run.MaskEvent(e)
}

// forecaster folds a run and repeats its decisions under another version of the document.
type forecaster struct {
	machine          *machine.Machine
	offer            *ReloadOffer
	matchPlans       func(before, after *plan.Plan) *match.Match
	versionByPlan    map[*plan.Plan]*matchedVersion
	lastSeq          int            // of the last folded event
	nextQuestionKind string         // of the question that comes before the decision; empty: none does
	judgedActions    []judgedAction // what was judged in the newest attempt of a step that may decide differently
}

// matchedVersion is a version of the document that was in force, matched with the one to try.
type matchedVersion struct {
	*match.Match
	affectedDeciderIDs map[string]bool // of all documents, by the IDs of steps
}

// judgedAction is the end of an action, with the state of the run before it.
type judgedAction struct {
	event         machine.Event
	machineBefore *machine.Machine
	seqBefore     int // of the event before it
}

// versionMatch returns the version that is in force at the folded events, matched with the offered one.
func (f *forecaster) versionMatch() *matchedVersion {
	p := f.machine.Plan()
	v := f.versionByPlan[p]
	if v == nil {
		v = &matchedVersion{f.offer.Match, map[string]bool{}}
		if v.Match.FindDocument("").OldPlan != p {
			v.Match = f.matchPlans(p, f.offer.Plan)
		}
		for _, d := range v.Documents {
			for id := range d.AffectedDecisionIDs() {
				v.affectedDeciderIDs[id] = true
			}
		}
		f.versionByPlan[p] = v
	}
	return v
}

// mayDecideDifferently reports whether the offered version changes what the event's step decides by.
func (f *forecaster) mayDecideDifferently(e machine.Event) bool {
	return f.versionMatch().affectedDeciderIDs[e.StepID()]
}

// fold applies an event, and notes what the newest attempt has judged.
func (f *forecaster) fold(e machine.Event) error {
	switch b := e.Body.(type) {
	case *machine.StepEntered:
		f.judgedActions = nil
	case *machine.ActionFinished:
		if b.Outcome != nil && !b.IsCutOff() && f.mayDecideDifferently(e) {
			f.judgedActions = append(f.judgedActions, judgedAction{e, f.machine.Clone(), f.lastSeq})
		}
	}
	f.lastSeq = e.Seq
	return f.machine.Apply(e)
}

// forecastDecision returns the decision that the run would make now, and the number of the event after which
// it is made. reply is an earlier reply that has to be judged again first, nil if there is none.
func (f *forecaster) forecastDecision() (next machine.Event, to int, reply *machine.Event) {
	m, to := f.machine.Clone(), f.lastSeq
	for _, j := range f.judgedActions {
		kind, otherwise := f.isJudgedDifferently(j)
		if !otherwise {
			continue
		}
		m, to = j.machineBefore.Clone(), j.seqBefore
		if kind == "model" {
			reply = &j.event
		}
		break
	}
	r, err := m.ReloadEvent(machine.Reload{Match: f.versionMatch().Match, KeepCall: reply != nil})
	if err != nil || m.Apply(r) != nil {
		return machine.Event{}, to, reply
	}
	if reply != nil {
		judged := rejudgedReplyEvent(m, reply)
		if m.Apply(judged) != nil {
			return machine.Event{}, to, reply
		}
	}
	next = advanceToDecision(m)
	f.nextQuestionKind = ""
	if q := m.Next().Question; next.Body == nil && q != nil {
		f.nextQuestionKind = q.Kind
	}
	return next, to, reply
}

// advanceToDecision returns the decision that a machine makes next, without a Body if something else comes
// first. The machine advances up to it.
func advanceToDecision(m *machine.Machine) machine.Event {
	for range maxForecastEvents {
		n := m.Next().Event
		if n == nil {
			break
		}
		if _, decided := n.Body.(*machine.Decision); decided {
			return *n
		}
		if _, enters := n.Body.(*machine.StepEntered); enters || m.Apply(*n) != nil {
			break
		}
	}
	return machine.Event{}
}

// maxForecastEvents limits the number of the machine's own events before a decision.
const maxForecastEvents = 100

// isJudgedDifferently reports whether an action is judged differently now and can be judged again. This
// is possible for a reply, and for what was only read.
func (f *forecaster) isJudgedDifferently(j judgedAction) (kind string, otherwise bool) {
	b := j.event.Body.(*machine.ActionFinished)
	before := j.machineBefore.FindStep(j.event.StepID())
	if before == nil || b.ActionIndex >= len(before.Actions) {
		return "", false
	}
	for _, d := range f.versionMatch().Documents {
		after := d.NewPlan.FindStep(d.NewID(before.ID))
		if d.OldPlan.FindStep(before.ID) != before || after == nil || !d.ActionChanged(before, after, b.ActionIndex) {
			continue
		}
		switch before.Actions[b.ActionIndex].Work.(type) {
		case plan.Model:
			return "model", b.HasResult()
		case plan.JudgeOnly:
			return "read", true
		}
	}
	return "", false
}

// rejudgedReplyEvent returns the event of an earlier reply, judged by the machine as it is now.
func rejudgedReplyEvent(m *machine.Machine, old *machine.Event) machine.Event {
	was := old.Body.(*machine.ActionFinished)
	e := m.ResultEvent(plan.Product{Text: was.Output, ToolCalls: was.WantedCalls, RepliedBy: old.By})
	b := e.Body.(*machine.ActionFinished)
	b.Log, b.DurationMS, b.ReplyInfo, b.Overridden = was.Log, was.DurationMS, was.ReplyInfo, was.Overridden
	e.By, e.Note = old.By, old.Note
	return e
}

// reroutedDecision returns where a decision would have led instead, nil if it would have led to the same step.
func (f *forecaster) reroutedDecision(e machine.Event, d *machine.Decision, next machine.Event) *ReroutedDecision {
	now, decided := next.Body.(*machine.Decision)
	out := &ReroutedDecision{Seq: e.Seq, Step: e.Step, From: d}
	if !decided {
		return out
	}
	out.To = now
	a, b := d.Destination, now.Destination
	same := a.Kind == b.Kind && a.SameVisit == b.SameVisit && a.Result == b.Result && a.DocumentsToLeave == b.DocumentsToLeave && a.ToNextInstance == b.ToNextInstance
	if same && a.StepID != "" {
		same = slices.ContainsFunc(f.versionMatch().Documents, func(d *match.DocumentMatch) bool { return d.NewID(a.StepID) == b.StepID })
	}
	if same {
		return nil
	}
	return out
}

// ReloadAt repeats a decision of the run, as in Forecast, with another version of the document: the run
// rewinds to just before it, decides again and pauses before the next step, which is one intervention.
// A reply that was judged for the decision is not requested again.
func (s *Session) ReloadAt(o *ReloadOffer, seq int, c ReloadChoice) error {
	forecast, err := s.Forecast(o, seq)
	switch {
	case err != nil:
		return err
	case forecast.RewindTo == 0:
		return s.Reload(o, c)
	}
	if len(o.CommandsToAllow) > 0 && !c.AllowCommands {
		return &UntrustedCommandsError{o.CommandsToAllow}
	}
	if err := o.AllowCommands(); err != nil {
		return err
	}
	c.RewindTo = forecast.RewindTo
	r := pendingReload{session: s, offer: o, choice: c, keepCall: forecast.rejudgedReply != nil, rewindsExactly: true}
	return s.sendRequest(request{intervention: &intervention{makeEvent: r.rewindEvent, followUp: func() error {
		e, err := r.makeEvent()
		if err == nil {
			err = s.record(e)
		}
		if err == nil && forecast.rejudgedReply != nil {
			err = s.record(rejudgedReplyEvent(s.machine, forecast.rejudgedReply))
		}
		if err == nil && forecast.DecisionEvent.Body != nil {
			s.stepper.allowDecision(s.machine)
		}
		return err
	}}})
}
