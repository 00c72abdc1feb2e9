package engine

import (
	"cmp"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/parse/plan"
)

// A Forecast is what a version of the document would have decided in this run.
type Forecast struct {
	Decision         machine.Event     // where the decision would lead; its Body is nil if something else comes first
	ChangedDecisions []ChangedDecision // earlier decisions with another destination
	Differs          bool              // it leads elsewhere than it did
	To               int               // the event to rewind to, so that the decision is made again; 0: it is yet to be made
	AsksFirst        bool              // the step has begun, and a person is asked whether it runs again
	reply            *machine.Event
}

// ChangedDecision is a decision of the run that another version would have made differently.
type ChangedDecision struct {
	Event    int    // the number of the decision
	Step     string // its label in the run
	From, To string // where it led, and where it would have led; empty: nothing would have been decided
}

// Forecast returns what a version would have decided. seq is the number of the decision to repeat; 0 is
// the one that comes next. It is based on the same outcome, or on the same reply if the version judges
// that differently.
func (s *Session) Forecast(o *Offer, seq int) (*Forecast, error) {
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
	f := forecaster{match: s.match, m: machine.New(s.cfg.Plan, s.cfg.Options), offer: o, matches: map[*plan.Plan]*version{}}
	f.m.Prepare(o.Plan)
	out := &Forecast{}
	past = machine.Branch(past, cmp.Or(seq, len(past)))
	var made *machine.Event
	if seq > 0 {
		made, past = &past[len(past)-1], past[:len(past)-1]
	}
	for _, e := range past {
		if d, decides := e.Body.(*machine.Decision); decides && !d.ByPerson && f.mayDiffer(e) {
			next, _, _ := f.decide()
			if r := f.reroute(e, d, s.masked(next)); r != nil {
				out.ChangedDecisions = append(out.ChangedDecisions, *r)
			}
		}
		if err := f.fold(e); err != nil {
			return nil, err
		}
	}
	if seq == 0 && nextDecision(f.m.Clone()).Body == nil {
		f.judgements = nil // the step has yet to act, or a person to answer
	}
	out.Decision, out.To, out.reply = f.decide()
	out.AsksFirst = f.asksFirst
	out.Decision = s.masked(out.Decision)
	switch {
	case made != nil:
		out.Differs = f.reroute(*made, made.Body.(*machine.Decision), out.Decision) != nil
	case out.To == f.seq:
		out.To = 0
	}
	return out, nil
}

func (s *Session) masked(e machine.Event) machine.Event {
	if e.Body == nil {
		return e
	}
	return s.cfg.Run.MaskEvent(e)
}

// forecaster folds a run and repeats its decisions under another version of the document.
type forecaster struct {
	m          *machine.Machine
	offer      *Offer
	match      func(before, after *plan.Plan) *match.Match
	matches    map[*plan.Plan]*version
	seq        int         // of the last folded event
	asksFirst  bool        // as in Forecast
	judgements []judgement // what was judged in the newest visit of a step that may decide differently
}

// version is a version of the document that was in force, matched with the one to try.
type version struct {
	*match.Match
	deciders map[string]bool // of all documents, by the IDs of steps
}

// judgement is the end of an action, with the state of the run before it.
type judgement struct {
	event machine.Event
	m     *machine.Machine
	seq   int // of the event before it
}

func (f *forecaster) version() *version {
	p := f.m.Plan()
	v := f.matches[p]
	if v == nil {
		v = &version{f.offer.Match, map[string]bool{}}
		if v.Match.Of("").Old != p {
			v.Match = f.match(p, f.offer.Plan)
		}
		for _, d := range v.Documents {
			for id := range d.Deciders() {
				v.deciders[id] = true
			}
		}
		f.matches[p] = v
	}
	return v
}

func (f *forecaster) mayDiffer(e machine.Event) bool { return f.version().deciders[e.StepID()] }

func (f *forecaster) fold(e machine.Event) error {
	switch b := e.Body.(type) {
	case *machine.Entered:
		f.judgements = nil
	case *machine.ActionFinished:
		if b.Outcome != nil && !b.IsCutOff() && f.mayDiffer(e) {
			f.judgements = append(f.judgements, judgement{e, f.m.Clone(), f.seq})
		}
	}
	f.seq = e.Seq
	return f.m.Apply(e)
}

// decide returns the decision that the run would make now, the number of the event after which it is
// made, and the reply that is judged again for it, if any.
func (f *forecaster) decide() (next machine.Event, to int, reply *machine.Event) {
	m, to := f.m.Clone(), f.seq
	for _, j := range f.judgements {
		kind, otherwise := f.isJudgedDifferently(j)
		if !otherwise {
			continue
		}
		m, to = j.m.Clone(), j.seq
		if kind == "model" {
			reply = &j.event
		}
		break
	}
	r, err := m.Reload(machine.Reload{Match: f.version().Match, KeepCall: reply != nil})
	if err != nil || m.Apply(r) != nil {
		return machine.Event{}, to, reply
	}
	if reply != nil {
		judged := rejudge(m, reply)
		if m.Apply(judged) != nil {
			return machine.Event{}, to, reply
		}
	}
	next = nextDecision(m)
	q := m.Next().Question
	f.asksFirst = next.Body == nil && q != nil && q.Kind == machine.KindResume
	return next, to, reply
}

// nextDecision returns the decision that a machine makes next, without a Body if something else comes
// first. The machine advances up to it.
func nextDecision(m *machine.Machine) machine.Event {
	for range maxForecast {
		n := m.Next().Event
		if n == nil {
			break
		}
		if _, decided := n.Body.(*machine.Decision); decided {
			return *n
		}
		if _, enters := n.Body.(*machine.Entered); enters || m.Apply(*n) != nil {
			break
		}
	}
	return machine.Event{}
}

// maxForecast limits the number of the machine's own events before a decision.
const maxForecast = 100

// isJudgedDifferently reports whether an action is judged differently now and can be judged again. This
// is possible for a reply, and for what was only read.
func (f *forecaster) isJudgedDifferently(j judgement) (kind string, otherwise bool) {
	b := j.event.Body.(*machine.ActionFinished)
	before := j.m.Step(j.event.StepID())
	if before == nil || b.Action >= len(before.Actions) {
		return "", false
	}
	for _, d := range f.version().Documents {
		after := d.New.Find(d.ID(before.ID))
		if d.Old.Find(before.ID) != before || after == nil || !d.ActionChanged(before, after, b.Action) {
			continue
		}
		switch before.Actions[b.Action].Work.(type) {
		case plan.Model:
			return "model", b.HasResult()
		case plan.JudgeOnly:
			return "read", true
		}
	}
	return "", false
}

// rejudge returns the event of an earlier reply, judged by the machine as it is now.
func rejudge(m *machine.Machine, old *machine.Event) machine.Event {
	was := old.Body.(*machine.ActionFinished)
	e := m.Event(plan.Product{Text: was.Output, Calls: was.Calls, By: old.By})
	b := e.Body.(*machine.ActionFinished)
	b.Log, b.DurationMS, b.ReplyInfo, b.Overridden = was.Log, was.DurationMS, was.ReplyInfo, was.Overridden
	e.By, e.Reason = old.By, old.Reason
	return e
}

// reroute returns how a decision would have differed, nil if it would have led to the same place.
func (f *forecaster) reroute(e machine.Event, d *machine.Decision, next machine.Event) *ChangedDecision {
	now, decided := next.Body.(*machine.Decision)
	out := &ChangedDecision{Event: e.Seq, Step: e.Step, From: d.To}
	if !decided {
		return out
	}
	out.To = now.To
	a, b := d.Arrival, now.Arrival
	same := a.Kind == b.Kind && a.SameVisit == b.SameVisit && a.Result == b.Result && a.Up == b.Up && a.Next == b.Next
	if same && a.Step != "" {
		same = false
		for _, doc := range f.version().Documents {
			same = same || doc.ID(a.Step) == b.Step
		}
	}
	if same {
		return nil
	}
	return out
}

// ReloadAt repeats a decision of the run, as in Forecast, with another version of the document: the run
// rewinds to just before it, decides again and pauses before the next step, which is one intervention.
// A reply that was judged for the decision is not requested again.
func (s *Session) ReloadAt(o *Offer, seq int, c ReloadChoice) error {
	forecast, err := s.Forecast(o, seq)
	switch {
	case err != nil:
		return err
	case forecast.To == 0:
		return s.Reload(o, c)
	}
	if len(o.Commands) > 0 && !c.Allow {
		return &UntrustedError{o.Commands}
	}
	if err := o.Allow(); err != nil {
		return err
	}
	c.To = forecast.To
	r := reloadPlan{s: s, offer: o, choice: c, keepCall: forecast.reply != nil, exact: true}
	return s.ask(request{act: &intervention{event: r.rewindEvent, then: func() error {
		e, err := r.event()
		if err == nil {
			err = s.record(e)
		}
		if err == nil && forecast.reply != nil {
			err = s.record(rejudge(s.m, forecast.reply))
		}
		if err == nil && forecast.Decision.Body != nil {
			s.stepper.allowDecision(s.m)
		}
		return err
	}}})
}
