package compare

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Visit is one execution of a step.
type Visit struct {
	Step          string      `json:"step"`
	Key           string      `json:"key"` // the same in every run of the document
	Title         string      `json:"title,omitempty"`
	Attempt       int         `json:"attempt"`
	Event         int         `json:"event"`            // that entered it
	Result        plan.Result `json:"result,omitempty"` // empty: it has come to none
	Source        string      `json:"source,omitempty"` // of the result: exit 1, person …
	Overridden    bool        `json:"forced"`
	TookMS        *int64      `json:"duration_ms,omitempty"`
	Decisions     []*Decision `json:"routes,omitempty"`  // the decisions from there to the next visit
	Interventions []string    `json:"by_hand,omitempty"` // what a person did to it

	open    bool // the run stands here, or below it
	intent  string
	set     []plan.Assignment
	actions []*action
}

// Decision is a decision of a run as a comparison needs it.
type Decision struct {
	Step       string `json:"step"`
	Event      int    `json:"event"`
	Line       int    `json:"line,omitempty"`
	Text       string `json:"text,omitempty"` // of the route; empty: a person chose
	Why        string `json:"why,omitempty"`
	To         string `json:"to"`
	Overridden bool   `json:"forced"`
	Reason     string `json:"reason,omitempty"` // a person's

	Record *machine.Decision `json:"-"`

	key             string // of the step that decides
	goal            string // where it leads: the key of a step, or how the run ends
	testedVariables map[string]bool
}

// path is a run as the list of its visits.
type path struct {
	visits []*Visit
	first  []*Decision // decisions before any visit
	starts []int       // the index of the event that enters each visit
	track  *track.Track
}

// pathOf folds a run's events.
func pathOf(s Side) *path {
	f := folder{path: &path{track: track.New(s.Plan)}}
	for i, e := range s.Events {
		f.fold(i, e)
	}
	for i, v := range f.visits {
		v.take(f.tracked[i])
	}
	if end := f.track.Finished; f.at != nil && (end == nil || end.Result == plan.Awaiting) {
		f.at.open = true
		for _, v := range f.visits {
			v.open = v.open || v.Result == ""
		}
	}
	return f.path
}

// folder gathers the visits of a run beside its Track.
type folder struct {
	*path
	at      *Visit          // the newest
	tracked []*track.Visit  // of the visits
	edits   []machine.Event // of steps that have not been visited since
}

func (f *folder) fold(i int, e machine.Event) {
	f.track.Fold(e)
	if _, ok := e.Body.(*machine.Entered); ok {
		f.enter(i, e)
		return
	}
	if d, ok := e.Body.(*machine.Decision); ok {
		f.route(e, d)
	}
	if _, edit := e.Body.(*machine.Edited); edit && (f.at == nil || f.at.Step != e.Step) {
		f.edits = append(f.edits, e)
		return
	}
	if f.at != nil {
		f.at.noteIntervention(e)
	}
}

func (f *folder) enter(i int, e machine.Event) {
	f.at = &Visit{Step: e.Step, Key: f.track.Key(e.Step, e.StepID()), Attempt: e.Attempt, Event: e.Seq}
	if r := f.track.Row(e.Step); r != nil {
		f.at.Title = r.Title
	}
	f.edits = slices.DeleteFunc(f.edits, func(edit machine.Event) bool {
		isOfStep := edit.Step == e.Step
		if isOfStep {
			f.at.noteIntervention(edit)
		}
		return isOfStep
	})
	f.tracked = append(f.tracked, f.track.VisitOf(e))
	f.visits, f.starts = append(f.visits, f.at), append(f.starts, i)
}

func (f *folder) route(e machine.Event, d *machine.Decision) {
	r := &Decision{
		Step: e.Step, Event: e.Seq, To: d.To, Overridden: d.ByPerson, Record: d,
		key: f.track.Key(e.Step, e.StepID()), goal: f.goal(e.Step, d), testedVariables: reads(f.track.Row(e.Step)),
	}
	if d.ByPerson {
		r.Reason = e.Reason
	} else if d.CandidateIndex != nil && *d.CandidateIndex < len(d.Candidates) {
		c := d.Candidates[*d.CandidateIndex]
		r.Line, r.Text, r.Why = c.Line, c.Text, cmp.Or(wording.Reason(d, *d.CandidateIndex), strings.Join(wording.Comparisons(d), "; "))
	}
	if f.at == nil {
		f.first = append(f.first, r)
		return
	}
	f.at.Decisions = append(f.at.Decisions, r)
}

// goal names where a decision leads so that it can be compared: with the instance left
// out, which the next visit has.
func (f *folder) goal(step string, d *machine.Decision) string {
	a := d.Arrival
	switch {
	case a.Kind == machine.ToDocumentEnd:
		return cmp.Or(string(a.Result), machine.ToEnd)
	case a.Up > 0 || a.Step == "":
		return cmp.Or(a.Step, d.To)
	}
	key, _, _ := strings.Cut(f.track.Key(step, a.Step), "#")
	return key
}

// reads returns the variables that the routes of a step and the arms below it test.
func reads(at *track.Row) map[string]bool {
	out := map[string]bool{}
	add := func(t *plan.Test) {
		if t != nil && !t.Data && len(t.Path) > 0 {
			out[t.Path[0]] = true
		}
	}
	if at == nil || at.Step == nil {
		return out
	}
	for _, r := range at.Step.Routes {
		add(r.When.Test)
	}
	for _, c := range at.Step.Children {
		add(c.When)
	}
	return out
}

// take takes over what the track has of the visit.
func (v *Visit) take(x *track.Visit) {
	for _, a := range x.Actions {
		v.addAction(a)
	}
	for _, q := range x.Questions {
		if q.Answer != nil {
			v.actions = append(v.actions, &action{kind: q.Kind, seq: q.AnswerEvent.Seq, product: q.Answer.Value})
			v.setOutcome(q.Answer.Outcome)
		}
	}
	slices.SortStableFunc(v.actions, func(a, b *action) int { return a.seq - b.seq })
	for _, e := range x.Events {
		switch b := e.Body.(type) {
		case *machine.Captured:
			v.set = append(v.set, plan.Assignment{Name: b.Variable, Value: b.Value})
		case *machine.StepFinished:
			if o := b.Outcome; v.Result != "" && o != nil && o.Source == plan.FromChildren && !b.Overridden {
				continue // the steps below it had it: what the visit itself came to is what matters here
			}
			v.setOutcome(b.Outcome)
			v.Result, v.Overridden = b.Result, b.Overridden
		}
	}
}

// setOutcome sets what the visit has come to so far.
func (v *Visit) setOutcome(o *plan.Outcome) {
	if o == nil || o.Result == plan.Held {
		return
	}
	v.Result, v.Source, v.intent = o.Result, o.Source, o.Intent
}

// addAction adds what the step did, and how long that took, if it is known.
func (v *Visit) addAction(a *track.Action) {
	d := &action{kind: a.Kind, seq: cmp.Or(a.Start.Seq, a.End.Seq), request: a.Text, log: a.Log}
	if a.Tool != "" {
		d.request = a.Tool + " " + a.Args
	}
	v.actions = append(v.actions, d)
	end, done := a.End.Body.(*machine.ActionFinished)
	if !done {
		return
	}
	d.product, d.log = end.Output, end.Log
	v.setOutcome(end.Outcome)
	if end.DurationMS != nil {
		took := *end.DurationMS
		if v.TookMS != nil {
			took += *v.TookMS
		}
		v.TookMS = &took
	}
}

// noteIntervention notes what a person did besides answering.
func (v *Visit) noteIntervention(e machine.Event) {
	switch e.Body.(type) {
	case *machine.InputGiven, *machine.ActionFinished:
		return
	}
	if e.IsIntervention() {
		text := e.Step + " " + track.Describe(e)
		if e.Reason != "" {
			text += ": " + e.Reason
		}
		v.Interventions = append(v.Interventions, strings.TrimSpace(text))
	}
}

// action is what a step did: what was asked of it, and what came of that.
type action struct {
	kind, request, product string
	seq                    int // of the event that it has its place by
	log                    *machine.LogRef
}

// isPartial reports whether the events have only a part of what came of the action: the log
// has all of it.
func (d *action) isPartial() bool {
	return d.kind == "command" && d.log != nil && d.log.Bytes > machine.MaxOutput
}
