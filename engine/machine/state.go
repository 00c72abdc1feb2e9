package machine

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// state is the result of folding events.
type state struct {
	started                   bool
	frames                    []*documentFrame       // the root document, then the included documents that are open
	variables                 map[string]any         // the latest assignments
	setBySteps                map[string]bool        // which of the variables steps assigned
	violationByVariable       map[string]string      // how variables differ from what the document demands
	budgetsSpentInRun         map[string]int         // budgets used, of those that last for the whole run
	countedEntryCount         int                    // the number of steps entered, not counting a person's moves
	enteredStepLabels         []string               // the labels of the steps entered
	finishedAttempts          []plan.FinishedAttempt // those of steps whose own actions had an output
	latestAttemptIndexByLabel map[string]int         // indexes in finishedAttempts
	sharedThread              []plan.Message         // the messages of the conversation that models share in this run
	sharedThreadSystemMessage string                 // the system message with which sharedThread began
	allowedCalls              map[string]bool        // calls that a model may make without asking
	fileHashes                map[string]string      // the hashes of the files that the run read or changed, by path
	result                    *RunFinished
}

// phase is what comes next at a frame's position.
type phase int

const (
	phaseArriving  phase = iota // pendingDestination has the destination
	phaseActing                 // the actions are performed; the current one is the first from actionIndex on that applies
	phaseFinishing              // the outcome is known
	phaseRouting                // the outcome is recorded, and a route has to be chosen
	phaseOver                   // the document has ended
)

// documentFrame is one document that is being run.
type documentFrame struct {
	graph              *stepGraph
	labelPrefix        string // of its labels, such as 1/lint/
	documentPath       string // its path as the including step writes it
	phase              phase
	pendingDestination Destination
	documentEnd        Destination
	dueEvents          []Event // events that the last event entails: warnings, captured values

	currentNode     *node // the executable step, or the group whose routes come next
	currentLabel    string
	currentVisit    *visit        // the visit of currentNode
	outcome         *plan.Outcome // so far; replaced, never modified
	actionIndex     int
	openAction      openAction
	fetchedText     *string         // text for the prompt of this attempt
	promptFromRoute promptFromRoute // the prompt of this attempt
	overrideValues  overrideValues  // of variables, in this attempt

	lastStepNode    *node // the last executable step entered
	lastStepLabel   string
	visitByLabel    map[string]*visit         // the latest visits
	instanceNumbers []int                     // instance numbers of template steps, by node
	entryCounts     map[string]int            // how often steps were entered, by ID
	callerByStep    map[string]string         // the steps from which steps were called, by the ID of the called step
	editByAction    map[editKey]*ActionEdited // texts that replace those of the document
}

// promptFromRoute is a prompt that replaces a step's own, and its origin. The zero value is none.
type promptFromRoute struct {
	text   string
	origin plan.PromptOrigin
}

// openAction is the action in progress.
type openAction struct {
	started                     bool            // action.started is recorded
	inputRequested              bool            // input.needed is recorded
	interrupted                 bool            // a person has to decide what to do with it
	heldEnd                     *ActionFinished // the end about which a person has to decide; nil: none
	sentPrompt                  string          // of a call, as it was sent
	systemMessage               string
	messages                    []plan.Message  // the conversation of this action, from the prompt on
	wantedCalls                 []plan.ToolCall // the calls that the last reply wants and that are not made yet
	approvalAnswer              string          // the answer to the approval of the first of wantedCalls
	approvalNote                string          // the note of that answer
	givenResult                 string          // the result that a person gave for that call
	argsChanged                 bool            // a person changed that call's arguments
	pendingChange               *FileChanging   // the change of a file that the call was about to make
	replyCount, correctionCount int             // the number of replies so far, and of those not accepted
	nextDocumentIndex           int             // the index of the next document to include
	documentResults             plan.ChildResults
}

// editKey identifies an action that a person has changed for this run.
type editKey struct {
	stepID      string // the ID of the step
	actionIndex int
}

// actionPrompt returns the prompt of an action, or the edit that replaces it.
func (f *documentFrame) actionPrompt(action int, own plan.Prompt) (p plan.Prompt, changed bool) {
	e := f.editByAction[editKey{f.currentNode.step.ID, action}]
	if e == nil {
		return own, false
	}
	if w, ok := own.(plan.EditablePrompt); ok && e.FillsReferences {
		return w.WithText(e.Text), true
	}
	return plan.Literal(e.Text), true
}

// visit is the latest visit of a step or group, or of one instance of it.
type visit struct {
	node               *node            // nil in old journals that opened a group without naming it
	instanceNumbers    []InstanceNumber // the numbers of the instance
	attempt            int
	ownOutcome         *plan.Outcome     // the outcome of a group's own actions
	childResults       plan.ChildResults // the results of the children
	resultIndexByLabel map[string]int
	spentBudgets       map[string]int

	limitsUsed bool // a person said that all limits count as used up
}

func (s *state) topFrame() *documentFrame { return s.frames[len(s.frames)-1] }

func newDocumentFrame(graph *stepGraph, prefix, document string) *documentFrame {
	return &documentFrame{
		graph: graph, labelPrefix: prefix, documentPath: document,
		pendingDestination: Destination{Kind: ToStep, StepID: graph.entryID},
		visitByLabel:       map[string]*visit{}, instanceNumbers: make([]int, len(graph.nodes)), entryCounts: map[string]int{},
		callerByStep: map[string]string{},
		outcome:      noOutcome,
	}
}

// documentLabel returns the frame's prefix without its final slash.
func (f *documentFrame) documentLabel() string { return strings.TrimSuffix(f.labelPrefix, "/") }

// noOutcome is the outcome of a step that has no outcome yet.
var noOutcome = &plan.Outcome{}

// ensureVisit returns the visit with a label and begins one if there is none.
func (f *documentFrame) ensureVisit(label string) *visit {
	v := f.visitByLabel[label]
	if v == nil {
		v = &visit{attempt: 1, ownOutcome: noOutcome}
		f.visitByLabel[label] = v
	}
	return v
}

// ensureVisitOf is like ensureVisit and notes the step that the visit is of, with its current instance numbers.
func (f *documentFrame) ensureVisitOf(n *node, label string) *visit {
	v := f.ensureVisit(label)
	if v.node == n || n == nil {
		return v
	}
	v.node = n
	if n.fixedLabel != "" {
		return v
	}
	for p := n; p != nil; p = p.parent {
		if p.step.HasInstances {
			v.instanceNumbers = append(v.instanceNumbers, InstanceNumber{p.step.ID, f.instanceNumbers[p.index]})
		}
	}
	return v
}

// setPosition moves the frame to a step or group.
func (f *documentFrame) setPosition(n *node, label string) {
	f.currentNode, f.currentLabel, f.currentVisit = n, label, f.ensureVisitOf(n, label)
}

// recordResult stores a child's result. It replaces an earlier result with the same label.
func (v *visit) recordResult(label string, r plan.Result) {
	if i, ok := v.resultIndexByLabel[label]; ok {
		v.childResults[i].Result = r
		return
	}
	if v.resultIndexByLabel == nil {
		v.resultIndexByLabel = map[string]int{}
	}
	v.resultIndexByLabel[label] = len(v.childResults)
	v.childResults = append(v.childResults, plan.ChildResult{Label: label, Result: r})
}

// removeResult removes a child's result.
func (v *visit) removeResult(label string) {
	at, ok := v.resultIndexByLabel[label]
	if !ok {
		return
	}
	v.childResults = slices.Delete(slices.Clone(v.childResults), at, at+1)
	v.resultIndexByLabel = make(map[string]int, len(v.childResults))
	for i, r := range v.childResults {
		v.resultIndexByLabel[r.Label] = i
	}
}

// beginAttempt starts the visit or its next attempt.
func (v *visit) beginAttempt(attempt int) {
	if attempt == 1 {
		*v = visit{node: v.node, instanceNumbers: v.instanceNumbers, attempt: 1, ownOutcome: noOutcome}
		return
	}
	v.attempt, v.childResults, v.resultIndexByLabel = attempt, nil, nil
}

func (s state) clone() state {
	s.variables, s.setBySteps, s.violationByVariable = maps.Clone(s.variables), maps.Clone(s.setBySteps), maps.Clone(s.violationByVariable)
	s.budgetsSpentInRun, s.allowedCalls, s.fileHashes = maps.Clone(s.budgetsSpentInRun), maps.Clone(s.allowedCalls), maps.Clone(s.fileHashes)
	s.enteredStepLabels, s.sharedThread = slices.Clip(s.enteredStepLabels), slices.Clip(s.sharedThread)
	s.finishedAttempts, s.latestAttemptIndexByLabel = slices.Clip(s.finishedAttempts), maps.Clone(s.latestAttemptIndexByLabel)
	frames := make([]*documentFrame, len(s.frames))
	for i, f := range s.frames {
		frames[i] = f.clone()
	}
	s.frames = frames
	return s
}

func (f *documentFrame) clone() *documentFrame {
	c := *f
	c.dueEvents = slices.Clone(f.dueEvents)
	c.instanceNumbers, c.entryCounts, c.callerByStep = slices.Clone(f.instanceNumbers), maps.Clone(f.entryCounts), maps.Clone(f.callerByStep)
	c.editByAction = maps.Clone(f.editByAction)
	c.openAction.documentResults = slices.Clone(f.openAction.documentResults)
	c.openAction.messages, c.openAction.wantedCalls = slices.Clip(f.openAction.messages), slices.Clip(f.openAction.wantedCalls)
	c.visitByLabel = make(map[string]*visit, len(f.visitByLabel))
	for label, v := range f.visitByLabel {
		d := *v
		d.childResults, d.resultIndexByLabel, d.spentBudgets = slices.Clone(v.childResults), maps.Clone(v.resultIndexByLabel), maps.Clone(v.spentBudgets)
		c.visitByLabel[label] = &d
		if v == f.currentVisit {
			c.currentVisit = &d
		}
	}
	return &c
}
