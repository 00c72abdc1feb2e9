package machine

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// state is what a fold of events gives.
type state struct {
	started    bool
	frames     []*frame          // the root document, then the child being run
	vars       map[string]any    // the newest assignments
	setBySteps map[string]bool   // which of them steps made
	unfit      map[string]string // in what they are not as the document wants them
	spent      map[string]int    // budgets that last a run
	executions int               // of units; a person's moves are free
	path       []string          // the labels of the units entered
	history    []plan.Record     // what units put out by their own actions
	latest     map[string]int    // where in it the latest of a label is
	thread     []plan.Message    // of the models that share one conversation a run
	system     string            // its system message, as it began
	allowed    map[string]bool   // calls that a model may make without asking
	files      map[string]string // the hashes of the files that were read or changed, as the run knows them
	result     *Finished
}

// phase is what comes next at a frame's position.
type phase int

const (
	arriving  phase = iota // pending says where
	acting                 // action says at which of the unit's actions
	finishing              // the outcome is there
	routing                // the outcome is recorded; a route is to be chosen
	over                   // the document has ended
)

// frame is one document being run.
type frame struct {
	prog     *program
	prefix   string // of its labels: 1/lint/
	document string // its path, as the including step writes it
	phase    phase
	pending  Arrival
	over     Arrival
	due      []Event // events that follow from the last one: warnings, captures

	cur          *node // the unit, or the group whose side is next
	label        string
	currentVisit *visit        // the visit of it
	outcome      *plan.Outcome // so far; never changed, only replaced
	action       int
	open         openAction
	fetched      *string     // text for the prompt, in this attempt
	replacement  replacement // the prompt of this execution
	values       values      // of variables, in this execution

	unit      *node // the last unit entered
	unitLabel string
	visits    map[string]*visit
	numbers   []int               // instance numbers of template steps, by node
	entries   map[string]int      // of steps, by id
	callers   map[string]string   // where a step that remembers it was called from, by id
	edits     map[editKey]*Edited // what steps do in the place of what the document says
}

// replacement is a prompt in the place of a step's own, and where it came from; the zero
// value is none.
type replacement struct {
	text   string
	origin plan.Origin
}

// openAction is the action in progress.
type openAction struct {
	started              bool            // action.started is recorded
	inputRequested       bool            // input.needed is recorded
	interrupted          bool            // a person has to say what becomes of it
	heldEnd              *ActionFinished // what a person has to say something to; nil: it has no end
	prompt               string          // of a call, as it was sent
	system               string
	messages             []plan.Message  // in the conversation of this action, from the prompt on
	calls                []plan.ToolCall // that the last reply wants and that are not made yet
	approval             string          // what was said about the first of them
	remark               string          // with it
	answer               string          // a person's result of it
	argsChanged          bool            // a person changed its arguments
	change               *FileState      // what it was about to make of a file
	replies, corrections int             // replies so far, and those not accepted
	nextDocument         int             // the included document that is next
	results              plan.Results
}

// editKey is an action that a person has changed for this run.
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
	of      *node    // nil in old journals that opened a group without naming it
	numbers []Number // of the instance that it is of
	attempt int
	own     *plan.Outcome // of a group's own actions
	results plan.Results  // of children
	index   map[string]int
	spent   map[string]int

	exhausted bool // a person said that all its limits are used up
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func newFrame(prog *program, prefix, document string) *frame {
	return &frame{
		prog: prog, prefix: prefix, document: document,
		pending: Arrival{Kind: ToStep, Step: prog.entry},
		visits:  map[string]*visit{}, numbers: make([]int, len(prog.nodes)), entries: map[string]int{},
		callers: map[string]string{},
		outcome: nothing,
	}
}

// name is the frame's prefix without its final slash.
func (f *frame) name() string { return strings.TrimSuffix(f.prefix, "/") }

// nothing is the outcome of a step that has not come to one.
var nothing = &plan.Outcome{}

// visit finds the visit of a label, beginning one if there is none.
func (f *frame) visit(label string) *visit {
	v := f.visits[label]
	if v == nil {
		v = &visit{attempt: 1, own: nothing}
		f.visits[label] = v
	}
	return v
}

// visitOf is visit for a step whose current instance has the label.
func (f *frame) visitOf(n *node, label string) *visit {
	v := f.visit(label)
	if v.of == n || n == nil {
		return v
	}
	v.of = n
	if n.label != "" {
		return v
	}
	for p := n; p != nil; p = p.parent {
		if p.step.Template {
			v.numbers = append(v.numbers, Number{p.step.ID, f.numbers[p.index]})
		}
	}
	return v
}

// stand puts the frame at a unit or group.
func (f *frame) stand(n *node, label string) {
	f.cur, f.label, f.currentVisit = n, label, f.visitOf(n, label)
}

// record notes a child's result: a later one of the same label takes its place.
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

// forget takes a child's result back.
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

// begin starts the visit, or goes through it again.
func (v *visit) begin(attempt int) {
	if attempt == 1 {
		*v = visit{of: v.of, numbers: v.numbers, attempt: 1, own: nothing}
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
