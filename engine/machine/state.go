package machine

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// state is the result of folding events.
type state struct {
	started        bool
	frames         []*frame          // the root document, then the included documents that are open
	vars           map[string]any    // the latest assignments
	setBySteps     map[string]bool   // which of the variables steps assigned
	unfit          map[string]string // how variables differ from what the document demands
	spent          map[string]int    // budgets used, of those that last for the whole run
	countedEntries int               // the number of steps entered, not counting a person's moves
	path           []string          // the labels of the steps entered
	history        []plan.Record     // the outputs of the steps' own actions
	latest         map[string]int    // the index in history of the latest record of a label
	thread         []plan.Message    // the messages of the conversation that models share in this run
	system         string            // the system message with which thread began
	allowed        map[string]bool   // calls that a model may make without asking
	files          map[string]string // the hashes of the files that the run read or changed, by path
	result         *Finished
}

// phase is what comes next at a frame's position.
type phase int

const (
	arriving  phase = iota // pending has the destination
	acting                 // action is the index of the step's current action
	finishing              // the outcome is known
	routing                // the outcome is recorded, and a route has to be chosen
	over                   // the document has ended
)

// frame is one document that is being run.
type frame struct {
	prog     *program
	prefix   string // of its labels, such as 1/lint/
	document string // its path as the including step writes it
	phase    phase
	pending  Arrival
	over     Arrival
	due      []Event // events that the last event entails: warnings, captured values

	cur          *node // the executable step, or the group whose routes come next
	label        string
	currentVisit *visit        // the visit of cur
	outcome      *plan.Outcome // so far; replaced, never modified
	action       int
	open         openAction
	fetched      *string     // text for the prompt of this attempt
	replacement  replacement // the prompt of this attempt
	values       values      // of variables, in this attempt

	lastNode  *node // the last executable step entered
	lastLabel string
	visits    map[string]*visit
	numbers   []int               // instance numbers of template steps, by node
	entries   map[string]int      // how often steps were entered, by ID
	callers   map[string]string   // the steps from which steps were called, by the ID of the called step
	edits     map[editKey]*Edited // texts that replace those of the document
}

// replacement is a prompt that replaces a step's own, and its origin. The zero value is none.
type replacement struct {
	text   string
	origin plan.Origin
}

// openAction is the action in progress.
type openAction struct {
	started              bool            // action.started is recorded
	inputRequested       bool            // input.needed is recorded
	interrupted          bool            // a person has to decide what to do with it
	heldEnd              *ActionFinished // the end about which a person has to decide; nil: none
	prompt               string          // of a call, as it was sent
	system               string
	messages             []plan.Message  // the conversation of this action, from the prompt on
	calls                []plan.ToolCall // the calls that the last reply wants and that are not made yet
	approval             string          // the answer to the approval of the first of calls
	remark               string          // the note of that answer
	answer               string          // the result that a person gave for that call
	argsChanged          bool            // a person changed that call's arguments
	change               *FileChanging   // the change of a file that the call was about to make
	replies, corrections int             // the number of replies so far, and of those not accepted
	nextDocument         int             // the index of the next document to include
	results              plan.Results
}

// editKey identifies an action that a person has changed for this run.
type editKey struct {
	step   string // its id
	action int
}

// promptOf returns the prompt of an action, or the edit that replaces it.
func (f *frame) promptOf(action int, own plan.Prompt) (p plan.Prompt, changed bool) {
	e := f.edits[editKey{f.cur.step.ID, action}]
	if e == nil {
		return own, false
	}
	if w, ok := own.(plan.EditablePrompt); ok && e.Written {
		return w.WithText(e.Text), true
	}
	return plan.Literal(e.Text), true
}

type visit struct {
	node       *node            // nil in old journals that opened a group without naming it
	numbers    []InstanceNumber // the numbers of the instance
	attempt    int
	ownOutcome *plan.Outcome // the outcome of a group's own actions
	results    plan.Results  // the results of the children
	index      map[string]int
	spent      map[string]int

	exhausted bool // a person said that all limits are used up
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func newFrame(prog *program, prefix, document string) *frame {
	return &frame{
		prog: prog, prefix: prefix, document: document,
		pending: Arrival{Kind: ToStep, Step: prog.entry},
		visits:  map[string]*visit{}, numbers: make([]int, len(prog.nodes)), entries: map[string]int{},
		callers: map[string]string{},
		outcome: noOutcome,
	}
}

// name returns the frame's prefix without its final slash.
func (f *frame) name() string { return strings.TrimSuffix(f.prefix, "/") }

// noOutcome is the outcome of a step that has no outcome yet.
var noOutcome = &plan.Outcome{}

// visit returns the visit with a label and begins one if there is none.
func (f *frame) visit(label string) *visit {
	v := f.visits[label]
	if v == nil {
		v = &visit{attempt: 1, ownOutcome: noOutcome}
		f.visits[label] = v
	}
	return v
}

// visitOf is like visit, for a step whose current instance has the label.
func (f *frame) visitOf(n *node, label string) *visit {
	v := f.visit(label)
	if v.node == n || n == nil {
		return v
	}
	v.node = n
	if n.label != "" {
		return v
	}
	for p := n; p != nil; p = p.parent {
		if p.step.Template {
			v.numbers = append(v.numbers, InstanceNumber{p.step.ID, f.numbers[p.index]})
		}
	}
	return v
}

// setPosition moves the frame to a step or group.
func (f *frame) setPosition(n *node, label string) {
	f.cur, f.label, f.currentVisit = n, label, f.visitOf(n, label)
}

// record stores a child's result. It replaces an earlier result with the same label.
func (v *visit) record(label string, r plan.Result) {
	if i, ok := v.index[label]; ok {
		v.results[i].Result = r
		return
	}
	if v.index == nil {
		v.index = map[string]int{}
	}
	v.index[label] = len(v.results)
	v.results = append(v.results, plan.ChildResult{Label: label, Result: r})
}

// forget removes a child's result.
func (v *visit) forget(label string) {
	at, ok := v.index[label]
	if !ok {
		return
	}
	v.results = slices.Delete(slices.Clone(v.results), at, at+1)
	v.index = make(map[string]int, len(v.results))
	for i, r := range v.results {
		v.index[r.Label] = i
	}
}

// begin starts the visit or its next attempt.
func (v *visit) begin(attempt int) {
	if attempt == 1 {
		*v = visit{node: v.node, numbers: v.numbers, attempt: 1, ownOutcome: noOutcome}
		return
	}
	v.attempt, v.results, v.index = attempt, nil, nil
}

func (s state) clone() state {
	s.vars, s.setBySteps, s.unfit = maps.Clone(s.vars), maps.Clone(s.setBySteps), maps.Clone(s.unfit)
	s.spent, s.allowed, s.files = maps.Clone(s.spent), maps.Clone(s.allowed), maps.Clone(s.files)
	s.path, s.thread = slices.Clip(s.path), slices.Clip(s.thread)
	s.history, s.latest = slices.Clip(s.history), maps.Clone(s.latest)
	frames := make([]*frame, len(s.frames))
	for i, f := range s.frames {
		frames[i] = f.clone()
	}
	s.frames = frames
	return s
}

func (f *frame) clone() *frame {
	c := *f
	c.due = slices.Clone(f.due)
	c.numbers, c.entries, c.callers = slices.Clone(f.numbers), maps.Clone(f.entries), maps.Clone(f.callers)
	c.edits = maps.Clone(f.edits)
	c.open.results = slices.Clone(f.open.results)
	c.open.messages, c.open.calls = slices.Clip(f.open.messages), slices.Clip(f.open.calls)
	c.visits = make(map[string]*visit, len(f.visits))
	for label, v := range f.visits {
		d := *v
		d.results, d.index, d.spent = slices.Clone(v.results), maps.Clone(v.index), maps.Clone(v.spent)
		c.visits[label] = &d
		if v == f.currentVisit {
			c.currentVisit = &d
		}
	}
	return &c
}
