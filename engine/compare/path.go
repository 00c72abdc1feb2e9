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

// Attempt is one attempt of a step in a run.
type Attempt struct {
	Step          string      `json:"step"`
	Key           string      `json:"key"` // the same in every run of the document
	Title         string      `json:"title,omitempty"`
	Number        int         `json:"attempt"`
	EntrySeq      int         `json:"event"`            // the event that entered it
	Result        plan.Result `json:"result,omitempty"` // empty: none yet
	OutcomeSource string      `json:"source,omitempty"` // where the result comes from: exit 1, person …
	Overridden    bool        `json:"forced"`
	DurationMS    *int64      `json:"duration_ms,omitempty"` // of its commands and calls; nil: unknown
	Decisions     []*Decision `json:"routes,omitempty"`      // the decisions from there to the next attempt
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

	ShownWhy string            `json:"-"` // Why as a person reads it
	Record   *machine.Decision `json:"-"`

	stepKey         string // the key of the step that decides
	destinationKey  string // where it leads: the key of a step, or how the run ends
	testedVariables map[string]bool
}

// attemptPath is a run as the list of its attempts.
type attemptPath struct {
	attempts       []*Attempt
	firstDecisions []*Decision // decisions before any attempt
	entryIndexes   []int       // the index of the event that enters each attempt
	track          *track.Track
}

// pathOf folds a run's events.
func pathOf(s Side) *attemptPath {
	f := attemptCollector{attemptPath: &attemptPath{track: track.New(s.Plan)}}
	for i, e := range s.Events {
		f.fold(i, e)
	}
	f.addUnusedChanges()
	for i, attempt := range f.attempts {
		attempt.copyFromTrack(f.trackAttempts[i])
	}
	if end := f.track.Finished; f.currentAttempt != nil && (end == nil || end.Result == plan.Awaiting) {
		f.currentAttempt.markAsCurrent(f.trackAttempts[len(f.trackAttempts)-1])
		for _, attempt := range f.attempts {
			attempt.isOpen = attempt.isOpen || attempt.Result == ""
		}
	}
	return f.attemptPath
}

// attemptCollector folds the events of a run into a path, beside its Track.
type attemptCollector struct {
	*attemptPath
	currentAttempt *Attempt         // the newest
	trackAttempts  []*track.Attempt // the attempts of the track, as many as attempts
	pendingChanges []change         // of what the next attempt of a step does, or made before any attempt
}

// change is what a person did to a run other than answering.
type change struct {
	step    string   // the changed step; empty: no single one
	text    string   // the description of an intervention; empty: it is none
	edit    *Edit    // the edited text; nil: none
	attempt *Attempt // the newest one when the change was made; nil: none
}

func (c *attemptCollector) fold(i int, e machine.Event) {
	edit := c.editOf(e)
	c.track.Fold(e)
	switch b := e.Body.(type) {
	case *machine.StepEntered:
		c.addAttempt(i, e)
	case *machine.Decision:
		c.addDecision(e, b)
	}
	step := c.track.ChangedStep(e)
	c.addChange(change{step, interventionText(step, e), edit, c.currentAttempt})
}

// editOf returns the texts of an edit of a step or of the document, nil if the event is none. The track must not have the
// event yet.
func (c *attemptCollector) editOf(e machine.Event) *Edit {
	var before, after string
	switch b := e.Body.(type) {
	case *machine.ActionEdited:
		before, after = c.track.EditTexts(e.Step, b)
	case *machine.DocumentReloaded:
		before, after = c.track.DocumentEditTexts(b)
	}
	if before+after == "" {
		return nil
	}
	return &Edit{sanitize.PlainLines(before), sanitize.PlainLines(after)}
}

// addChange adds a change to the newest attempt of the step that was changed. An edit changes what the next attempt does,
// unless the run is at the step.
func (c *attemptCollector) addChange(ch change) {
	if ch.text == "" && ch.edit == nil {
		return
	}
	at := c.newestAttemptAt(ch.step)
	if c.currentAttempt == nil || ch.edit != nil && at != c.currentAttempt {
		c.pendingChanges = append(c.pendingChanges, ch)
		return
	}
	cmp.Or(at, c.currentAttempt).noteChange(ch)
}

// addPendingChanges adds the changes that wait for the attempt of a step that has begun.
func (c *attemptCollector) addPendingChanges(label string) {
	c.pendingChanges = slices.DeleteFunc(c.pendingChanges, func(ch change) bool {
		applies := ch.step == "" || c.isAt(label, ch.step)
		if applies {
			c.currentAttempt.noteChange(ch)
		}
		return applies
	})
}

// addUnusedChanges adds the pending changes of steps that the run has not entered since.
func (c *attemptCollector) addUnusedChanges() {
	for _, ch := range c.pendingChanges {
		if at := cmp.Or(c.newestAttemptAt(ch.step), ch.attempt, c.currentAttempt); at != nil {
			at.noteChange(ch)
		}
	}
}

// newestAttemptAt returns the newest attempt of a step or of one below it, nil if there is none.
func (c *attemptCollector) newestAttemptAt(step string) *Attempt {
	for _, attempt := range slices.Backward(c.attempts) {
		if step == "" || c.isAt(attempt.Step, step) {
			return attempt
		}
	}
	return nil
}

// isAt reports whether the step with a label is step, or is below it.
func (c *attemptCollector) isAt(label, step string) bool {
	for r := c.track.RowByLabel(label); r != nil; r = r.Parent {
		if r.Label == step {
			return true
		}
	}
	return label == step
}

func (c *attemptCollector) addAttempt(i int, e machine.Event) {
	c.currentAttempt = &Attempt{Step: e.Step, Key: c.track.StepKey(e.Step, e.StepID()), Number: e.Attempt, EntrySeq: e.Seq}
	if r := c.track.RowOfEvent(e); r != nil {
		c.currentAttempt.Title = r.Title
	}
	c.trackAttempts = append(c.trackAttempts, c.track.EnsureAttempt(e))
	c.attempts, c.entryIndexes = append(c.attempts, c.currentAttempt), append(c.entryIndexes, i)
	c.addPendingChanges(e.Step)
}

func (c *attemptCollector) addDecision(e machine.Event, d *machine.Decision) {
	r := &Decision{
		Step: e.Step, EventSeq: e.Seq, To: d.To, Overridden: d.ByPerson, Record: d,
		stepKey: c.track.StepKey(e.Step, e.StepID()), destinationKey: c.destinationKeyOf(e.Step, d), testedVariables: testedVariables(c.track.RowOfEvent(e)),
	}
	if d.ByPerson {
		r.Note = e.Note
	} else if c := d.TakenCandidate(); c != nil {
		i, comparisons := *d.CandidateIndex, strings.Join(wording.ComparisonTexts(d), "; ")
		r.Line, r.RouteText = c.Line, c.Text
		r.Why, r.ShownWhy = cmp.Or(wording.CandidateReason(d, i), comparisons), cmp.Or(wording.CandidateReasonWithRetry(d, i), comparisons)
	}
	if c.currentAttempt == nil {
		c.firstDecisions = append(c.firstDecisions, r)
		return
	}
	c.currentAttempt.Decisions = append(c.currentAttempt.Decisions, r)
}

// destinationKeyOf returns a name for where a decision leads that is the same in both runs. It leaves out the
// number of the instance, because the next attempt has it.
func (c *attemptCollector) destinationKeyOf(step string, d *machine.Decision) string {
	a := d.Destination
	switch {
	case a.Kind == machine.ToDocumentEnd:
		return cmp.Or(string(a.Result), machine.EndLabel)
	case a.DocumentsToLeave > 0 || a.StepID == "":
		return cmp.Or(a.StepID, d.To)
	}
	key, _, _ := strings.Cut(c.track.StepKey(step, a.StepID), "#")
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

// copyFromTrack copies the actions, answers, values and outcome of the attempt from the track.
func (attempt *Attempt) copyFromTrack(x *track.Attempt) {
	for _, a := range x.Actions {
		attempt.addAction(a)
	}
	for _, q := range x.Questions {
		if q.Answer != nil {
			attempt.actions = append(attempt.actions, &action{kind: q.Kind, seq: q.AnswerEvent.Seq, result: q.Answer.Value, isDone: true})
			attempt.setOutcome(q.Answer.Outcome)
		}
	}
	slices.SortStableFunc(attempt.actions, func(a, b *action) int { return a.seq - b.seq })
	attempt.dropInterruptedActions()
	for _, e := range x.Events {
		switch b := e.Body.(type) {
		case *machine.VariableCaptured:
			attempt.assignments = slices.DeleteFunc(attempt.assignments, func(a plan.Assignment) bool { return a.Name == b.Variable })
			attempt.assignments = append(attempt.assignments, plan.Assignment{Name: b.Variable, Value: b.Value})
		case *machine.StepFinished:
			if o := b.Outcome; attempt.Result != "" && o != nil && o.Source == plan.ChildrenSource && !b.Overridden {
				continue // the outcome comes from the steps below, which have attempts of their own
			}
			attempt.setOutcome(b.Outcome)
			attempt.Result, attempt.Overridden = b.Result, b.Overridden
		}
	}
}

// markAsCurrent marks the attempt at which the run is. Until it has ended, the outcomes of its actions and answers do not
// count as its own, because more may follow.
func (attempt *Attempt) markAsCurrent(x *track.Attempt) {
	attempt.isOpen = true
	for _, a := range attempt.actions {
		a.isRunning = !a.isDone
	}
	hasEnded := slices.ContainsFunc(x.Events, func(e machine.Event) bool {
		_, ends := e.Body.(*machine.StepFinished)
		return ends
	})
	if !hasEnded {
		attempt.Result, attempt.OutcomeSource, attempt.outcomeIntent = "", "", ""
	}
}

// dropInterruptedActions leaves only the last run of an action that was interrupted or could not begin, and notes that. A
// comparison pairs actions by their order.
func (attempt *Attempt) dropInterruptedActions() {
	for i := len(attempt.actions) - 1; i > 0; i-- {
		if a := attempt.actions[i]; a.kind == machine.KindResume && a.result == "rerun" {
			attempt.actions = slices.Delete(attempt.actions, i-1, i+1)
			attempt.Interventions = append(attempt.Interventions, attempt.Step+" rerun")
			i--
		}
	}
}

// setOutcome sets the outcome of the attempt so far.
func (attempt *Attempt) setOutcome(o *plan.Outcome) {
	if o == nil || o.Result == plan.Undecided {
		return
	}
	attempt.Result, attempt.OutcomeSource, attempt.outcomeIntent = o.Result, o.Source, o.Intent
}

// addAction adds an action of the step and its duration, if that is known.
func (attempt *Attempt) addAction(a *track.Action) {
	d := &action{kind: a.Kind, seq: cmp.Or(a.StartEvent.Seq, a.EndEvent.Seq), request: a.Text, log: a.Log}
	if a.Tool != "" {
		d.request = a.Tool + " " + a.Args
	}
	attempt.actions = append(attempt.actions, d)
	end, done := a.EndEvent.Body.(*machine.ActionFinished)
	if !done {
		return
	}
	d.result, d.log, d.isDone = end.Output, end.Log, true
	attempt.setOutcome(end.Outcome)
	if end.DurationMS != nil {
		took := *end.DurationMS
		if attempt.DurationMS != nil {
			took += *attempt.DurationMS
		}
		attempt.DurationMS = &took
	}
}

func (attempt *Attempt) noteChange(ch change) {
	if ch.text != "" {
		attempt.Interventions = append(attempt.Interventions, ch.text)
	}
	if ch.edit != nil {
		attempt.Edits = append(attempt.Edits, *ch.edit)
	}
}

// interventionText returns what a person did to a step other than answering, "" if nothing.
func interventionText(step string, e machine.Event) string {
	switch e.Body.(type) {
	case *machine.InputGiven, *machine.ActionFinished:
		return ""
	}
	if !e.IsIntervention() {
		return ""
	}
	text := step + " " + track.DescribeEvent(e) + wording.PreparedSuffix(e.Note)
	if note := machine.PersonNote(e.Note); note != "" {
		text += ": " + note
	}
	return strings.TrimSpace(text)
}

// action is an action of a step: its request and its result.
type action struct {
	kind, request, result string
	seq                   int // the number of the event that determines its order
	log                   *machine.LogRef
	isDone                bool
	isRunning             bool // it has no result yet, but will
}

// isPartial reports whether the events have only a part of a command's output. The log has all of
// it.
func (a *action) isPartial() bool {
	return a.kind == "command" && a.log != nil && a.log.Bytes > machine.MaxOutputBytes
}
