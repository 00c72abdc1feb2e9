package compare

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Visit is one visit of a run to a step.
type Visit struct {
	Step          string      `json:"step"`
	Key           string      `json:"key"` // the same in every run of the document
	Title         string      `json:"title,omitempty"`
	Attempt       int         `json:"attempt"`
	EntrySeq      int         `json:"event"`            // the event that entered it
	Result        plan.Result `json:"result,omitempty"` // empty: none yet
	OutcomeSource string      `json:"source,omitempty"` // where the result comes from: exit 1, person …
	Overridden    bool        `json:"forced"`
	DurationMS    *int64      `json:"duration_ms,omitempty"` // of its commands and calls; nil: unknown
	Decisions     []*Decision `json:"routes,omitempty"`      // the decisions from there to the next visit
	Interventions []string    `json:"by_hand,omitempty"`     // what a person did to it
	Edits         []Edit      `json:"edits,omitempty"`       // that a person made of its texts, oldest first

	isOpen        bool // the run is at this step, or below it
	outcomeIntent string
	assignments   []plan.Assignment // the last one of each variable
	actions       []*action
}

// Edit is a person's edit of what a step does, such as of its command or its prompt, or of the document itself,
// such as of a rule.
type Edit struct {
	Before string `json:"before"`
	After  string `json:"after"`

	event machine.Event
}

// Decision is a decision of a run as a comparison needs it.
type Decision struct {
	Step       string `json:"step"`
	EventSeq   int    `json:"event"`
	Line       int    `json:"line,omitempty"`
	RouteText  string `json:"text,omitempty"` // the text of the route; empty: a person chose
	Why        string `json:"why,omitempty"`
	To         string `json:"to"`
	Overridden bool   `json:"forced"`
	Note       string `json:"reason,omitempty"` // that the person wrote

	Record *machine.Decision `json:"-"`

	stepKey         string // the key of the step that decides
	destinationKey  string // where it leads: the key of a step, or how the run ends
	testedVariables map[string]bool
}

// visitPath is a run as the list of its visits.
type visitPath struct {
	visits         []*Visit
	firstDecisions []*Decision // decisions before any visit
	entryIndexes   []int       // the index of the event that enters each visit
	track          *track.Track
}

// pathOf folds a run's events.
func pathOf(s Side) *visitPath {
	f := visitCollector{visitPath: &visitPath{track: track.New(s.Plan)}}
	for i, e := range s.Events {
		f.fold(i, e)
	}
	for i, v := range f.visits {
		v.copyFromTrack(f.trackVisits[i])
	}
	if end := f.track.Finished; f.currentVisit != nil && (end == nil || end.Result == plan.Awaiting) {
		f.currentVisit.isOpen = true
		for _, v := range f.visits {
			v.isOpen = v.isOpen || v.Result == ""
		}
	}
	return f.visitPath
}

// visitCollector folds the events of a run into a path, beside its Track.
type visitCollector struct {
	*visitPath
	currentVisit *Visit         // the newest
	trackVisits  []*track.Visit // the visits of the track that correspond to visits
	pendingEdits []Edit         // edits of steps that have not been visited since, and of the document before any visit
}

func (v *visitCollector) fold(i int, e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.ActionEdited:
		v.addEdit(e, b)
		return
	case *machine.DocumentReloaded:
		v.addDocumentEdit(e, b)
	}
	v.track.Fold(e)
	if _, ok := e.Body.(*machine.StepEntered); ok {
		v.addVisit(i, e)
		return
	}
	if d, ok := e.Body.(*machine.Decision); ok {
		v.addDecision(e, d)
	}
	if v.currentVisit != nil {
		v.currentVisit.noteIntervention(e)
	}
}

func (v *visitCollector) addEdit(e machine.Event, b *machine.ActionEdited) {
	before, after := v.track.EditTexts(e.Step, b)
	v.track.Fold(e)
	edit := Edit{sanitize.PlainLines(before), sanitize.PlainLines(after), e}
	if v.currentVisit == nil || v.currentVisit.Step != e.Step {
		v.pendingEdits = append(v.pendingEdits, edit)
		return
	}
	v.currentVisit.noteEdit(edit)
}

// addDocumentEdit adds the texts of an edit of the document to the current visit, or the first one.
func (v *visitCollector) addDocumentEdit(e machine.Event, b *machine.DocumentReloaded) {
	before, after := v.track.DocumentEditTexts(b)
	edit := Edit{sanitize.PlainLines(before), sanitize.PlainLines(after), e}
	switch {
	case before+after == "":
	case v.currentVisit == nil:
		v.pendingEdits = append(v.pendingEdits, edit)
	default:
		v.currentVisit.Edits = append(v.currentVisit.Edits, edit)
	}
}

func (v *visitCollector) addVisit(i int, e machine.Event) {
	v.currentVisit = &Visit{Step: e.Step, Key: v.track.StepKey(e.Step, e.StepID()), Attempt: e.Attempt, EntrySeq: e.Seq}
	if r := v.track.RowByLabel(e.Step); r != nil {
		v.currentVisit.Title = r.Title
	}
	v.pendingEdits = slices.DeleteFunc(v.pendingEdits, func(edit Edit) bool {
		_, isOfDocument := edit.event.Body.(*machine.DocumentReloaded)
		switch {
		case isOfDocument:
			v.currentVisit.Edits = append(v.currentVisit.Edits, edit)
		case edit.event.Step == e.Step:
			v.currentVisit.noteEdit(edit)
		default:
			return false
		}
		return true
	})
	v.trackVisits = append(v.trackVisits, v.track.VisitOf(e))
	v.visits, v.entryIndexes = append(v.visits, v.currentVisit), append(v.entryIndexes, i)
}

func (v *visitCollector) addDecision(e machine.Event, d *machine.Decision) {
	r := &Decision{
		Step: e.Step, EventSeq: e.Seq, To: d.To, Overridden: d.ByPerson, Record: d,
		stepKey: v.track.StepKey(e.Step, e.StepID()), destinationKey: v.destinationOf(e.Step, d), testedVariables: testedVariables(v.track.RowByLabel(e.Step)),
	}
	if d.ByPerson {
		r.Note = e.Note
	} else if c := d.TakenCandidate(); c != nil {
		r.Line, r.RouteText, r.Why = c.Line, c.Text, cmp.Or(wording.CandidateReason(d, *d.CandidateIndex), strings.Join(wording.ComparisonTexts(d), "; "))
	}
	if v.currentVisit == nil {
		v.firstDecisions = append(v.firstDecisions, r)
		return
	}
	v.currentVisit.Decisions = append(v.currentVisit.Decisions, r)
}

// destinationOf returns a name for where a decision leads that is the same in both runs. It leaves out the
// number of the instance, because the next visit has it.
func (v *visitCollector) destinationOf(step string, d *machine.Decision) string {
	a := d.Destination
	switch {
	case a.Kind == machine.ToDocumentEnd:
		return cmp.Or(string(a.Result), machine.EndLabel)
	case a.DocumentsToLeave > 0 || a.StepID == "":
		return cmp.Or(a.StepID, d.To)
	}
	key, _, _ := strings.Cut(v.track.StepKey(step, a.StepID), "#")
	return key
}

// testedVariables returns the variables that the routes of a step and the arms below it test.
func testedVariables(at *track.Row) map[string]bool {
	out := map[string]bool{}
	add := func(t *plan.Test) {
		if t != nil && !t.ReadsOutcomeData && len(t.Path) > 0 {
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
		add(c.ArmTest)
	}
	return out
}

// copyFromTrack copies the actions, answers, values and outcome of the visit from the track.
func (v *Visit) copyFromTrack(x *track.Visit) {
	for _, a := range x.Actions {
		v.addAction(a)
	}
	for _, q := range x.Questions {
		if q.Answer != nil {
			v.actions = append(v.actions, &action{kind: q.Kind, seq: q.AnswerEvent.Seq, result: q.Answer.Value})
			v.setOutcome(q.Answer.Outcome)
		}
	}
	slices.SortStableFunc(v.actions, func(a, b *action) int { return a.seq - b.seq })
	v.dropInterruptedActions()
	for _, e := range x.Events {
		switch b := e.Body.(type) {
		case *machine.VariableCaptured:
			v.assignments = slices.DeleteFunc(v.assignments, func(a plan.Assignment) bool { return a.Name == b.Variable })
			v.assignments = append(v.assignments, plan.Assignment{Name: b.Variable, Value: b.Value})
		case *machine.StepFinished:
			if o := b.Outcome; v.Result != "" && o != nil && o.Source == plan.ChildrenSource && !b.Overridden {
				continue // the outcome comes from the steps below, which have visits of their own
			}
			v.setOutcome(b.Outcome)
			v.Result, v.Overridden = b.Result, b.Overridden
		}
	}
}

// dropInterruptedActions leaves only the last run of an action that was interrupted or could not begin, and notes that. A
// comparison pairs actions by their order.
func (v *Visit) dropInterruptedActions() {
	for i := len(v.actions) - 1; i > 0; i-- {
		if a := v.actions[i]; a.kind == machine.KindResume && a.result == "rerun" {
			v.actions = slices.Delete(v.actions, i-1, i+1)
			v.Interventions = append(v.Interventions, v.Step+" rerun")
			i--
		}
	}
}

// setOutcome sets the outcome of the visit so far.
func (v *Visit) setOutcome(o *plan.Outcome) {
	if o == nil || o.Result == plan.Undecided {
		return
	}
	v.Result, v.OutcomeSource, v.outcomeIntent = o.Result, o.Source, o.Intent
}

// addAction adds an action of the step and its duration, if that is known.
func (v *Visit) addAction(a *track.Action) {
	d := &action{kind: a.Kind, seq: cmp.Or(a.StartEvent.Seq, a.EndEvent.Seq), request: a.Text, log: a.Log}
	if a.Tool != "" {
		d.request = a.Tool + " " + a.Args
	}
	v.actions = append(v.actions, d)
	end, done := a.EndEvent.Body.(*machine.ActionFinished)
	if !done {
		return
	}
	d.result, d.log = end.Output, end.Log
	v.setOutcome(end.Outcome)
	if end.DurationMS != nil {
		took := *end.DurationMS
		if v.DurationMS != nil {
			took += *v.DurationMS
		}
		v.DurationMS = &took
	}
}

func (v *Visit) noteEdit(e Edit) {
	v.noteIntervention(e.event)
	v.Edits = append(v.Edits, e)
}

// noteIntervention records what a person did other than answering.
func (v *Visit) noteIntervention(e machine.Event) {
	switch e.Body.(type) {
	case *machine.InputGiven, *machine.ActionFinished:
		return
	}
	if e.IsIntervention() {
		text := e.Step + " " + track.DescribeEvent(e)
		if e.Note != "" {
			text += ": " + e.Note
		}
		v.Interventions = append(v.Interventions, strings.TrimSpace(text))
	}
}

// action is an action of a step: its request and its result.
type action struct {
	kind, request, result string
	seq                   int // the number of the event that determines its order
	log                   *machine.LogRef
}

// isPartial reports whether the events have only a part of a command's output. The log has all of
// it.
func (a *action) isPartial() bool {
	return a.kind == "command" && a.log != nil && a.log.Bytes > machine.MaxOutputBytes
}
