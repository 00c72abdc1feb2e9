package machine

import (
	"strings"

	"playhead/parse/plan"
)

// Apply folds one event into the state and decides nothing. If the event does not fit the state,
// Apply returns an error and changes nothing.
func (m *Machine) Apply(e Event) error {
	if err := m.validate(e); err != nil {
		return err
	}
	if len(m.frames) > 0 {
		m.settleDue(e)
	}
	switch b := e.Body.(type) {
	case *Started:
		m.applyStarted(b)
	case *Entered:
		m.applyEntered(e, b)
	case *ActionStarted:
		m.applyActionStarted(b)
	case *ActionFinished:
		m.applyActionFinished(b)
	case *InputNeeded:
		m.applyInputNeeded(b)
	case *InputGiven:
		m.applyInputGiven(b, e.Reason)
	case *FileChanging:
		m.top().open.change = b
	case *FileRestored:
		delete(m.files, b.Path)
	case *Approval:
		m.options.Approve, m.allowed = b.Policy, nil
	case *Captured:
		m.assign(b)
		m.setBySteps[b.Variable] = m.setBySteps[b.Variable] && e.By != ByPerson
	case *Edited:
		m.frameOfEdit(e).edit(e.StepID(), b)
	case *LimitsUsed:
		m.top().currentVisit.exhausted = true
	case *Reloaded:
		m.applyReloaded(b)
	case *StepFinished:
		m.applyStepFinished(e, b)
	case *Decision:
		m.applyDecision(e, b)
	case *ChildEntered:
		m.applyChildEntered(b)
	case *ChildFinished:
		m.applyChildFinished(b)
	case *Warned:
		m.applyWarned(b)
	case *Finished:
		m.result = b
	}
	return nil
}

// assign sets a variable. A nil value removes it.
func (m *Machine) assign(b *Captured) {
	m.unfit[b.Variable] = b.Unfit
	if b.Value == nil {
		delete(m.vars, b.Variable)
		return
	}
	m.vars[b.Variable] = b.Value
}

// settleDue removes an event from the events that were due, and reopens a run that continues after its
// end.
func (m *Machine) settleDue(e Event) {
	if _, resumed := e.Body.(*Resumed); resumed {
		m.applyResumed()
	}
	if _, ends := e.Body.(*Finished); !ends && !e.KeepsRunOver() {
		m.result = nil
	}
	f := m.top()
	if len(f.due) == 0 {
		return
	}
	switch b := e.Body.(type) {
	case *Captured:
		if d, ok := f.due[0].Body.(*Captured); ok && d.Variable == b.Variable {
			f.due = f.due[1:]
		}
	case *Warned:
		if d, ok := f.due[0].Body.(*Warned); ok && *d == *b {
			f.due = f.due[1:]
		}
	case *Resumed, *Edited, *LimitsUsed, *Forked, *Other, *Finished, *Approval, *Reloaded, *ShellOpened, *Called, *FileChanging, *FileRestored:
	default:
		f.due = nil
	}
}

func (m *Machine) applyStarted(b *Started) {
	m.started = true
	m.options = b.Options
	for name, v := range b.Inputs {
		m.vars[name] = v
	}
	m.frames = []*frame{newFrame(m.programs[m.plan], "", "")}
}

// remember keeps the output of a step's own actions for later prompts. It is called when control
// leaves those actions: for a child, or at the end of the step.
func (m *Machine) remember(f *frame) {
	if o := f.outcome; f.phase != acting || o.Text == "" && o.Data == nil {
		return
	}
	m.latest[f.label] = len(m.history)
	m.history = append(m.history, plan.Record{Step: f.cur.step, Label: f.label, Outcome: *f.outcome})
}

func (m *Machine) applyEntered(e Event, b *Entered) {
	f := m.top()
	m.remember(f)
	for _, n := range b.Numbers {
		if node := f.prog.byID[n.ID]; node != nil {
			f.numbers[node.index] = n.N
		}
	}
	for _, o := range b.Opened {
		f.visitOf(f.prog.byID[o.ID], o.Step).begin(o.Attempt)
	}
	f.setPosition(f.prog.byID[e.StepID()], e.Step)
	f.lastNode, f.lastLabel = f.cur, f.label
	f.entries[f.cur.step.ID]++
	f.currentVisit.begin(e.Attempt)
	if f.pending.Caller != "" {
		f.callers[f.cur.step.ID] = f.pending.Caller
	}
	f.replacement, f.pending = replacement{f.pending.Prompt, f.pending.Origin}, Arrival{}
	f.outcome, f.action, f.open, f.fetched, f.values = noOutcome, 0, openAction{}, nil, values{}
	f.phase = acting
	if !b.ExemptFromGuard {
		m.countedEntries++
	}
	m.path = append(m.path, e.Step)
	f.queueEvents(nil, b.Notes)
}

// edit stores the text with which a person replaces an action's own.
func (f *frame) edit(step string, b *Edited) {
	at := editKey{step, b.Action}
	if b.Text == "" {
		delete(f.edits, at)
		return
	}
	if f.edits == nil {
		f.edits = map[editKey]*Edited{}
	}
	f.edits[at] = b
}

func (m *Machine) applyInputNeeded(b *InputNeeded) {
	f := m.top()
	f.action, f.open.inputRequested = b.Action, true
}

func (m *Machine) applyActionStarted(b *ActionStarted) {
	f := m.top()
	f.action, f.open.started = b.Action, true
	first := b.Kind == "model" && f.open.replies == 0
	if first {
		f.open.prompt = b.Text
	}
	if b.Call == nil { // a call with nothing but a text is stored without a body
		return
	}
	if first {
		f.open.system = b.System
	}
	f.queueEvents(nil, b.Notes)
}

func (m *Machine) applyActionFinished(b *ActionFinished) {
	f := m.top()
	m.knowFile(b.File)
	switch w, model := f.cur.step.Actions[b.Action].Work.(plan.Model); {
	case b.Outcome != nil && b.Outcome.Result == plan.Held:
		f.open.interrupted, f.open.inputRequested = true, false
		if b.Outcome.Source != cancelled {
			f.open.heldEnd = b
		}
		f.queueEvents(nil, b.Notes)
		return
	case b.CallID != "":
		f.addToolResult(b)
		f.queueEvents(nil, b.Notes)
		return
	case b.Outcome == nil && model:
		f.addReply(w, b)
		f.addWarnings(b.Notes)
		return
	}
	if b.Kind == "prompt_ref" && b.Error == "" {
		f.fetched = &b.Output
	}
	m.appendToThread(f, b)
	m.setValues(f, b.Outcome, b.Set, b.Notes, false)
	f.concludeAction(b.Action, b.Outcome)
}

// knowFile stores the hash of a file as the run last saw it.
func (m *Machine) knowFile(s *FileState) {
	if s == nil {
		return
	}
	if m.files == nil {
		m.files = map[string]string{}
	}
	m.files[s.Path] = s.After
}

// queueEvents queues the events that an event entails: captured values and warnings.
func (f *frame) queueEvents(set []plan.Assignment, notes []plan.Note) {
	for _, a := range set {
		f.due = append(f.due, f.at(&Captured{a.Name, a.Value, a.Unfit}))
	}
	for _, n := range notes {
		f.due = append(f.due, f.at(f.warning(n)))
	}
}

// addWarnings queues warnings that do not fail the step, because the model is asked once more.
func (f *frame) addWarnings(notes []plan.Note) {
	for _, n := range notes {
		w := f.warning(n)
		w.Error = ""
		f.due = append(f.due, f.at(w))
	}
}

// warning returns a note as an event, with the advice that the document's format gives on it.
func (f *frame) warning(n plan.Note) *Warned {
	advice := f.prog.plan.Advice[n.Code]
	w := &Warned{Code: n.Code, Message: n.Message, Line: n.Line, ErrorType: advice.ErrorType, Suggestion: advice.Suggestion}
	if advice.Fails {
		w.Error = n.Message
	}
	return w
}

// concludeAction closes the open action. Its outcome becomes the step's outcome so far, and no
// action follows one that did not pass.
func (f *frame) concludeAction(action int, o *plan.Outcome) {
	f.outcome = o
	if len(f.cur.children) > 0 {
		f.currentVisit.ownOutcome = o
	}
	f.open = openAction{}
	f.action = action + 1
	if o.Result != plan.Passed {
		f.action = len(f.cur.step.Actions)
	}
}

func (m *Machine) applyInputGiven(b *InputGiven, note string) {
	f := m.top()
	if b.Kind == KindApproveCall {
		m.recordApproval(f, b, note)
		return
	}
	if b.Outcome == nil {
		f.open = openAction{}
		return
	}
	m.setValues(f, b.Outcome, b.Set, b.Notes, b.Kind == KindAsk)
	f.concludeAction(b.Action, b.Outcome)
	if a := f.cur.step.Actions[b.Action]; b.Outcome.Result == plan.Passed && asksMissing(a) {
		f.action = b.Action // the form may have more fields
	}
}

func asksMissing(a plan.Action) bool {
	ask, ok := a.Work.(plan.Ask)
	return ok && ask.Missing
}

func (m *Machine) applyStepFinished(e Event, b *StepFinished) {
	f := m.top()
	if b.Overridden && f.lastNode != nil && e.Step == f.lastLabel {
		f.setPosition(f.lastNode, f.lastLabel)
	}
	m.remember(f)
	if g := f.cur.parent; g != nil && b.Overridden && b.Result == plan.Skipped { // the result recorded before no longer counts
		f.visit(f.labelOf(g, nil)).forget(e.Step)
	}
	switch {
	case !b.Overridden:
	case b.Result == plan.Passed:
		m.setValues(f, b.Outcome, b.Set, nil, false)
	default:
		m.withdrawValues(f, b.Set)
	}
	f.outcome = b.Outcome
	f.open = openAction{}
	f.phase = routing
}

func (m *Machine) applyDecision(e Event, d *Decision) {
	if d.Outcome == nil && !d.ByPerson { // a choice that follows the step's own actions
		m.remember(m.top())
	}
	for range d.Arrival.Up {
		m.frames = m.frames[:len(m.frames)-1]
	}
	f := m.top()
	if d.Arrival.Into != "" && d.Outcome != nil {
		f.visit(d.Arrival.Into).record(e.Step, d.Outcome.Result)
	}
	m.spend(f, d.Arrival)
	for _, n := range d.Notes { // the frame may be elsewhere: a choice is made before its group is entered
		f.due = append(f.due, Event{Step: e.Step, ID: e.ID, Attempt: e.Attempt, Body: f.warning(n)})
	}
	switch d.Arrival.Kind {
	case ToDocumentEnd:
		f.phase, f.over = over, d.Arrival
	case ToGroupRoutes:
		f.setPosition(f.prog.byID[d.Arrival.Step], d.To)
		f.phase, f.outcome, f.open = finishing, f.currentVisit.ownOutcome, openAction{}
	default:
		f.phase, f.pending, f.open = arriving, d.Arrival, openAction{}
	}
}

func (m *Machine) spend(f *frame, a Arrival) {
	switch {
	case a.RetryLimitUsed == "":
	case a.SpentInRun:
		m.spent[a.RetryLimitUsed]++
	default:
		if f.currentVisit.spent == nil {
			f.currentVisit.spent = map[string]int{}
		}
		f.currentVisit.spent[a.RetryLimitUsed]++
	}
}

func (m *Machine) applyChildEntered(b *ChildEntered) {
	c, _ := m.top().prog.plan.Child(b.Document)
	m.frames = append(m.frames, newFrame(m.programs[c.Plan], b.Label+"/", b.Document))
}

func (m *Machine) applyChildFinished(b *ChildFinished) {
	m.frames = m.frames[:len(m.frames)-1]
	result := plan.Failed
	if b.Result == plan.Completed {
		result = plan.Passed
	}
	m.top().recordIncluded(strings.TrimPrefix(b.Label, m.top().label+"/"), result)
}

// applyWarned counts an included document that could not be run as failed.
func (m *Machine) applyWarned(b *Warned) {
	if b.Document != "" {
		m.top().recordIncluded(strings.TrimPrefix(b.Label, m.top().label+"/"), plan.Failed)
	}
}

func (f *frame) recordIncluded(name string, r plan.Result) {
	f.open.results = append(f.open.results, plan.ChildResult{Label: name, Result: r})
	f.open.nextDocument++
}

// canCallAgain reports whether the action in progress is a call of one of Playhead's own tools that
// can safely be repeated, because what it was about to change is recorded.
func (m *Machine) canCallAgain(f *frame) bool {
	if len(f.open.calls) > 0 {
		return isRepeatable(f.open.calls[0].Server, f.open.calls[0].Tool)
	}
	w, tool := f.cur.step.Actions[f.action].Work.(plan.Tool)
	return tool && isRepeatable(w.Server, w.Name)
}

// applyResumed turns an action that was in progress into a question: no action is repeated silently. If
// the run was left while a person replied for a model, it keeps waiting for that reply.
func (m *Machine) applyResumed() {
	if r := m.result; r != nil && r.Waiting != nil && r.Waiting.Kind == KindReply {
		return
	}
	f := m.top()
	if len(f.open.calls) > 0 && f.open.inputRequested && !f.open.interrupted { // the call had not been made yet
		return
	}
	if f.cur == nil || f.phase != acting || !f.open.started || f.action >= len(f.cur.step.Actions) {
		return
	}
	if m.canCallAgain(f) && !f.open.interrupted {
		return
	}
	if _, include := f.cur.step.Actions[f.action].Work.(plan.Include); !include {
		f.open.inputRequested = f.open.inputRequested && f.open.interrupted
		f.open.interrupted = true
	}
}
