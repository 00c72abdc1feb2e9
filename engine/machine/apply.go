package machine

import (
	"strings"

	"playhead/parse/plan"
)

// Apply folds one event into the state and decides nothing. If the event does not fit the state,
// Apply returns an error and changes nothing.
func (m *Machine) Apply(e Event) error {
	if err := m.checkEvent(e); err != nil {
		return err
	}
	if len(m.frames) > 0 {
		m.reopenIfContinued(e)
		m.topFrame().removeDueEvent(e)
	}
	switch b := e.Body.(type) {
	case *RunStarted:
		m.applyRunStarted(b)
	case *StepEntered:
		m.applyStepEntered(e, b)
	case *ActionStarted:
		m.applyActionStarted(b)
	case *ActionFinished:
		m.applyActionFinished(b)
	case *InputNeeded:
		m.applyInputNeeded(b)
	case *InputGiven:
		m.applyInputGiven(b, e.Note)
	case *FileChanging:
		m.topFrame().openAction.pendingChange = b
	case *FileRestored:
		delete(m.fileHashes, b.Path)
	case *ApprovalChanged:
		m.options.ApprovalPolicy, m.allowedCalls = b.Policy, nil
	case *VariableCaptured:
		m.assignVariable(b)
		m.setBySteps[b.Variable] = m.setBySteps[b.Variable] && e.By != ByPerson
	case *ActionEdited:
		m.frameOfEdit(e).storeEdit(e.StepID(), b)
	case *LimitsUsed:
		m.topFrame().currentVisit.limitsUsed = true
	case *DocumentReloaded:
		m.applyReloaded(b)
	case *StepFinished:
		m.applyStepFinished(e, b)
	case *Decision:
		m.applyDecision(e, b)
	case *ChildEntered:
		m.applyChildEntered(b)
	case *ChildFinished:
		m.applyChildFinished(b)
	case *WarningRecorded:
		m.applyWarningRecorded(b)
	case *RunFinished:
		m.result = b
	}
	return nil
}

// assignVariable sets a variable. A nil value removes it.
func (m *Machine) assignVariable(b *VariableCaptured) {
	m.violationByVariable[b.Variable] = b.Violation
	if b.Value == nil {
		delete(m.variables, b.Variable)
		return
	}
	m.variables[b.Variable] = b.Value
}

// reopenIfContinued reopens a run that is over, if it continues with the event.
func (m *Machine) reopenIfContinued(e Event) {
	if _, resumed := e.Body.(*RunResumed); resumed {
		m.applyResumed()
	}
	if _, ends := e.Body.(*RunFinished); !ends && !e.KeepsRunOver() {
		m.result = nil
	}
}

// removeDueEvent removes an event from those that were due. What moves the run on removes them all.
func (f *documentFrame) removeDueEvent(e Event) {
	if len(f.dueEvents) == 0 {
		return
	}
	switch b := e.Body.(type) {
	case *VariableCaptured:
		if d, ok := f.dueEvents[0].Body.(*VariableCaptured); ok && d.Variable == b.Variable {
			f.dueEvents = f.dueEvents[1:]
		}
	case *WarningRecorded:
		if d, ok := f.dueEvents[0].Body.(*WarningRecorded); ok && *d == *b {
			f.dueEvents = f.dueEvents[1:]
		}
	case *RunResumed, *ActionEdited, *LimitsUsed, *RunForked, *UnknownBody, *RunFinished, *ApprovalChanged, *DocumentReloaded, *ShellOpened, *PlayheadToolCalled, *FileChanging, *FileRestored:
	default:
		f.dueEvents = nil
	}
}

func (m *Machine) applyRunStarted(b *RunStarted) {
	m.started = true
	m.options = b.Options
	for name, v := range b.Inputs {
		m.variables[name] = v
	}
	m.frames = []*documentFrame{newDocumentFrame(m.graphByPlan[m.plan], "", "")}
}

// addFinishedAttempt keeps the outcome of a step's own actions for later prompts. It is called when control
// leaves those actions: for a child, or at the end of the step.
func (m *Machine) addFinishedAttempt(f *documentFrame) {
	if o := f.outcome; f.phase != phaseActing || o.Text == "" && o.Data == nil {
		return
	}
	m.latestAttemptIndexByLabel[f.currentLabel] = len(m.finishedAttempts)
	m.finishedAttempts = append(m.finishedAttempts, plan.FinishedAttempt{Step: f.currentNode.step, Label: f.currentLabel, Outcome: *f.outcome})
}

func (m *Machine) applyStepEntered(e Event, b *StepEntered) {
	f := m.topFrame()
	m.addFinishedAttempt(f)
	for _, n := range b.InstanceNumbers {
		if node := f.graph.byID[n.StepID]; node != nil {
			f.instanceNumbers[node.index] = n.Number
		}
	}
	for _, o := range b.OpenedGroups {
		f.ensureVisitOf(f.graph.byID[o.StepID], o.Label).beginAttempt(o.Attempt)
	}
	f.setPosition(f.graph.byID[e.StepID()], e.Step)
	f.lastStepNode, f.lastStepLabel = f.currentNode, f.currentLabel
	f.entryCounts[f.currentNode.step.ID]++
	f.currentVisit.beginAttempt(e.Attempt)
	if f.pendingDestination.CallerStepID != "" {
		f.callerByStep[f.currentNode.step.ID] = f.pendingDestination.CallerStepID
	}
	f.promptFromRoute, f.pendingDestination = promptFromRoute{f.pendingDestination.PromptFromRoute, f.pendingDestination.PromptOrigin}, Destination{}
	f.outcome, f.actionIndex, f.openAction, f.fetchedText, f.overrideValues = noOutcome, 0, openAction{}, nil, overrideValues{}
	f.phase = phaseActing
	if !b.ExemptFromEntryLimit {
		m.countedEntryCount++
	}
	m.enteredStepLabels = append(m.enteredStepLabels, e.Step)
	f.queueEvents(nil, b.Warnings)
}

// storeEdit stores the text with which a person replaces an action's own.
func (f *documentFrame) storeEdit(step string, b *ActionEdited) {
	at := editKey{step, b.ActionIndex}
	if b.Text == "" {
		delete(f.editByAction, at)
		return
	}
	if f.editByAction == nil {
		f.editByAction = map[editKey]*ActionEdited{}
	}
	f.editByAction[at] = b
}

func (m *Machine) applyInputNeeded(b *InputNeeded) {
	f := m.topFrame()
	f.actionIndex, f.openAction.inputRequested = b.ActionIndex, true
	f.queueEvents(nil, b.Warnings)
}

func (m *Machine) applyActionStarted(b *ActionStarted) {
	f := m.topFrame()
	f.actionIndex, f.openAction.started = b.ActionIndex, true
	first := b.Kind == "model" && f.openAction.replyCount == 0
	if first {
		f.openAction.sentPrompt = b.Text
	}
	if b.Call == nil { // a call with nothing but a text is stored without a body
		return
	}
	if first {
		f.openAction.systemMessage = b.SystemMessage
	}
	f.queueEvents(nil, b.Warnings)
}

func (m *Machine) applyActionFinished(b *ActionFinished) {
	f := m.topFrame()
	m.storeFileHash(b.FileState)
	switch w, model := f.currentNode.step.Actions[b.ActionIndex].Work.(plan.Model); {
	case b.Outcome != nil && b.Outcome.Result == plan.Undecided:
		f.openAction.interrupted, f.openAction.inputRequested = true, false
		if b.Outcome.Source != outcomeSourceCancelled {
			f.openAction.heldEnd = b
		}
		f.queueEvents(nil, b.Warnings)
		return
	case b.CallID != "":
		f.addToolResult(b)
		f.queueEvents(nil, b.Warnings)
		return
	case b.Outcome == nil && model:
		f.addReply(w, b)
		f.queueReplyWarnings(b.Warnings)
		return
	}
	if b.Kind == "prompt_ref" && b.Error == "" {
		f.fetchedText = &b.Output
	}
	m.appendToThread(f, b)
	m.queueValues(f, b.Outcome, b.Assignments, b.Warnings, false)
	outcome := b.Outcome
	if b.Kind == "prompt_ref" && outcome.Result == plan.Passed && !outcome.Overridden {
		outcome = f.outcome // a text for a prompt is not an outcome of the step
	}
	f.concludeAction(b.ActionIndex, outcome)
}

// storeFileHash stores the hash of a file as the run last saw it.
func (m *Machine) storeFileHash(s *FileState) {
	if s == nil {
		return
	}
	if m.fileHashes == nil {
		m.fileHashes = map[string]string{}
	}
	m.fileHashes[s.Path] = s.HashAfter
}

// queueEvents queues the events that an event entails: captured values and warnings.
func (f *documentFrame) queueEvents(set []plan.Assignment, warnings []plan.RunWarning) {
	for _, a := range set {
		f.dueEvents = append(f.dueEvents, f.newEvent(&VariableCaptured{a.Name, a.Value, a.Violation}))
	}
	for _, w := range warnings {
		f.dueEvents = append(f.dueEvents, f.newEvent(f.newWarning(w)))
	}
}

// queueReplyWarnings queues warnings about a reply. They do not fail the step, because the model is asked once more.
func (f *documentFrame) queueReplyWarnings(warnings []plan.RunWarning) {
	for _, w := range warnings {
		body := f.newWarning(w)
		body.Error = ""
		f.dueEvents = append(f.dueEvents, f.newEvent(body))
	}
}

// newWarning returns a warning as an event, with the advice that the document's format gives on it.
func (f *documentFrame) newWarning(w plan.RunWarning) *WarningRecorded {
	advice := f.graph.plan.AdviceByCode[w.Code]
	body := &WarningRecorded{Code: w.Code, Message: w.Message, Line: w.Line, ErrorType: advice.ErrorType, Suggestion: advice.Suggestion}
	if advice.FailsStep {
		body.Error = w.Message
	}
	return body
}

// concludeAction closes the open action. o is the step's outcome so far; its Result is "" if there is none yet. After any
// other outcome than passed, no action follows.
func (f *documentFrame) concludeAction(action int, o *plan.Outcome) {
	f.outcome = o
	if len(f.currentNode.children) > 0 {
		f.currentVisit.ownOutcome = o
	}
	f.openAction = openAction{}
	f.actionIndex = action + 1
	if o.Result != plan.Passed && o.Result != "" {
		f.actionIndex = len(f.currentNode.step.Actions)
	}
}

func (m *Machine) applyInputGiven(b *InputGiven, note string) {
	f := m.topFrame()
	if b.Kind == KindApproveCall {
		m.recordApproval(f, b, note)
		return
	}
	if b.Outcome == nil {
		f.openAction = openAction{}
		return
	}
	m.queueValues(f, b.Outcome, b.Assignments, b.Warnings, b.Kind == KindAsk)
	f.concludeAction(b.ActionIndex, b.Outcome)
	if a := f.currentNode.step.Actions[b.ActionIndex]; b.Outcome.Result == plan.Passed && asksForMissingValues(a) {
		f.actionIndex = b.ActionIndex // the form may have more fields
	}
}

func asksForMissingValues(a plan.Action) bool {
	ask, ok := a.Work.(plan.Ask)
	return ok && ask.OnlyMissingFields
}

func (m *Machine) applyStepFinished(e Event, b *StepFinished) {
	f := m.topFrame()
	if b.Overridden && f.lastStepNode != nil && e.Step == f.lastStepLabel {
		f.setPosition(f.lastStepNode, f.lastStepLabel)
	}
	m.addFinishedAttempt(f)
	if g := f.currentNode.parent; g != nil && b.Overridden && b.Result == plan.Skipped { // the result recorded before no longer counts
		f.ensureVisit(f.labelOf(g, nil)).removeResult(e.Step)
	}
	switch {
	case !b.Overridden:
	case b.Result == plan.Passed:
		m.queueValues(f, b.Outcome, b.Assignments, nil, false)
	default:
		m.withdrawValues(f, b.Assignments)
	}
	f.outcome = b.Outcome
	f.openAction = openAction{}
	f.phase = phaseRouting
}

func (m *Machine) applyDecision(e Event, d *Decision) {
	if d.IsArmChoice() { // which follows the step's own actions
		m.addFinishedAttempt(m.topFrame())
	}
	for range d.Destination.DocumentsToLeave {
		m.frames = m.frames[:len(m.frames)-1]
	}
	f := m.topFrame()
	if d.Destination.RecordingGroup != "" && d.Outcome != nil {
		f.ensureVisit(d.Destination.RecordingGroup).recordResult(e.Step, d.Outcome.Result)
	}
	m.spendBudget(f, d.Destination)
	for _, n := range d.Warnings { // the frame may be elsewhere: a choice is made before its group is entered
		f.dueEvents = append(f.dueEvents, Event{Step: e.Step, ExplicitStepID: e.ExplicitStepID, Attempt: e.Attempt, Body: f.newWarning(n)})
	}
	switch d.Destination.Kind {
	case ToDocumentEnd:
		f.phase, f.documentEnd = phaseOver, d.Destination
	case ToGroupRoutes:
		f.setPosition(f.graph.byID[d.Destination.StepID], d.To)
		f.phase, f.outcome, f.openAction = phaseFinishing, f.currentVisit.ownOutcome, openAction{}
	default:
		f.phase, f.pendingDestination, f.openAction = phaseArriving, d.Destination, openAction{}
	}
}

func (m *Machine) spendBudget(f *documentFrame, to Destination) {
	switch {
	case to.SpentBudget == "":
	case to.BudgetIsPerRun:
		m.budgetsSpentInRun[to.SpentBudget]++
	default:
		if f.currentVisit.spentBudgets == nil {
			f.currentVisit.spentBudgets = map[string]int{}
		}
		f.currentVisit.spentBudgets[to.SpentBudget]++
	}
}

func (m *Machine) applyChildEntered(b *ChildEntered) {
	c, _ := m.topFrame().graph.plan.IncludedDocument(b.Document)
	m.frames = append(m.frames, newDocumentFrame(m.graphByPlan[c.Plan], b.Label+"/", b.Document))
}

func (m *Machine) applyChildFinished(b *ChildFinished) {
	m.frames = m.frames[:len(m.frames)-1]
	result := plan.Failed
	if b.Result == plan.Completed {
		result = plan.Passed
	}
	m.topFrame().recordDocumentResult(b.Label, result)
}

// applyWarningRecorded counts an included document that could not be run as failed.
func (m *Machine) applyWarningRecorded(b *WarningRecorded) {
	if b.Document != "" {
		m.topFrame().recordDocumentResult(b.DocumentLabel, plan.Failed)
	}
}

// recordDocumentResult stores the result of an included document under its label within the step.
func (f *documentFrame) recordDocumentResult(label string, r plan.Result) {
	name := strings.TrimPrefix(label, f.currentLabel+"/")
	f.openAction.documentResults = append(f.openAction.documentResults, plan.ChildResult{Label: name, Result: r})
	f.openAction.nextDocumentIndex++
}

// canCallAgain reports whether the action in progress is a call of one of Playhead's own tools that
// can be repeated safely, because the change that it was about to make is recorded.
func (m *Machine) canCallAgain(f *documentFrame) bool {
	if len(f.openAction.wantedCalls) > 0 {
		return isToolRepeatable(f.openAction.wantedCalls[0].Server, f.openAction.wantedCalls[0].Tool)
	}
	w, tool := f.currentNode.step.Actions[f.actionIndex].Work.(plan.Tool)
	return tool && isToolRepeatable(w.Server, w.Name)
}

// applyResumed turns an action that was in progress into a question: no action is repeated silently. If
// the run was left while a person replied for a model, it keeps waiting for that reply.
func (m *Machine) applyResumed() {
	if r := m.result; r != nil && r.WaitingFor != nil && r.WaitingFor.Kind == KindReply {
		return
	}
	f := m.topFrame()
	if len(f.openAction.wantedCalls) > 0 && f.openAction.inputRequested && !f.openAction.interrupted { // the call had not been made yet
		return
	}
	if f.currentNode == nil || f.phase != phaseActing || !f.openAction.started || f.actionIndex >= len(f.currentNode.step.Actions) {
		return
	}
	if m.canCallAgain(f) && !f.openAction.interrupted {
		return
	}
	if _, include := f.currentNode.step.Actions[f.actionIndex].Work.(plan.Include); !include {
		f.openAction.inputRequested = f.openAction.inputRequested && f.openAction.interrupted
		f.openAction.interrupted = true
	}
}
