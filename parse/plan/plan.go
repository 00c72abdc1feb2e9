// Package plan holds the Plan: what a parser makes of a document and the only
// thing the engine ever runs.
//
// A Plan is data. It has no clock, no I/O and no closures; equal documents give
// equal Plans, and a Plan prints as the JSON of `playhead show`. A step performs
// its actions, then its children, and so comes to an outcome; the first route
// that matches is taken, and the route's move says where to go.
//
// Two small interfaces are the seam where a format plugs in: a Judge says what a
// product means, a Prompt renders what is asked. There, and only there, live a
// format's words.
package plan

import (
	"cmp"
	"slices"
	"time"
)

// Plan is a compiled document.
type Plan struct {
	Format      string // the format's name, for show: nothing below cmd branches on it
	Kind        string // the same as people say it
	Path        string // the document, as named on the command line
	Title       string
	Description string
	Inputs      []Input           // asked for before the run
	System      Prompt            // rendered when a conversation begins
	Artifact    Prompt            // rendered when the run ends
	Entries     []Entry           // where a run starts
	Steps       []*Step           // the tree, in document order
	Children    []Child           // documents that steps include, loaded with this one
	Limit       Guard             // how many executions a run may take
	CallFailed  string            // the code of a model's call that failed; "": FORMAT/model-failed
	Refused     string            // the code of what a run's state does not allow; "": Playhead's own
	Sources     map[string]string // what the format calls the sources of outcomes that the machine names
	Advice      map[string]Advice // on warnings of a run, by their code
	Extra       map[string]any    // facts of the format, shown and never read
	Scenarios   []Scenario        // runs that the document describes
	Unreadable  string            // why its scenarios cannot be read, "" if they can
	Diagnostics []Diagnostic
	Source      []byte // the bytes the Plan was made from
	Files       []File // all files it was made from, where they are more than Path; Source is one's
	ByID        bool   // its steps are known by their ids: a tree has no titles
	OpenInputs  bool   // a run takes values of other names than Inputs has, too

	// Reads are the names of the variables that the document uses, where a run takes values of
	// any name.
	Reads []string

	// Linear says that its steps are done in their order: one that fails the run skips
	// those after it, and resuming the run does it again.
	Linear bool
}

// File is a file that a Plan was made from.
type File struct {
	Path   string // as it was opened
	Source []byte
	Folder bool // a folder, that mattered even if nothing was read from it
}

// Input is a value the person gives before the run.
type Input struct {
	Name        string
	Type        string // string, text, number, boolean, enum or array
	Default     string
	Options     []string
	Description string
	Required    bool
	Blank       bool // the empty text is a value, though it is required
	Line        int
	Min, Max    *float64 // of a number; nil: no bound
	Pattern     string   // a regular expression that its text has to match; "": any
}

// Entry says at which step a run starts. An empty When is the default entry.
type Entry struct{ When, Step string }

// Child is a document that a step includes. Plan is nil when it could not be
// loaded; Reason then says why.
type Child struct {
	Path   string // as the including document writes it
	Name   string // how labels name it: the file's name without its format's suffix
	File   string // where it was found, relative to the root document's folder when below it
	Plan   *Plan
	Reason string
}

// Guard bounds a run: after Max executions of units it fails with Code. Max 0 is
// no bound.
type Guard struct {
	Max     int
	Code    string // rundown/transition-limit
	Message string // what it says, in the format's words
	Flag    string // of the command line, which sets another Max
}

// TransitionsFlag is the flag that bounds the moves of a run, whatever its format.
const TransitionsFlag = "max-transitions"

// Transitions bounds a run to n moves. The first unit is entered by none.
func Transitions(n int, code string) Guard {
	return Guard{Max: n + 1, Code: code, Message: "more than " + Count(n, "transition"), Flag: TransitionsFlag}
}

// Child finds an included document by the path its step writes.
func (p *Plan) Child(path string) (Child, bool) {
	for _, c := range p.Children {
		if c.Path == path {
			return c, true
		}
	}
	return Child{}, false
}

// Walk visits every step of the document, parents before children, until visit
// returns false. It does not descend into included documents.
func (p *Plan) Walk(visit func(step, parent *Step) bool) {
	walk(p.Steps, nil, visit)
}

func walk(steps []*Step, parent *Step, visit func(step, parent *Step) bool) bool {
	for _, s := range steps {
		if !visit(s, parent) || !walk(s.Children, s, visit) {
			return false
		}
	}
	return true
}

// AsksModels reports whether a step of the document asks a model.
func (p *Plan) AsksModels() bool { return p.hasStep((*Step).AsksModel) }

// CallsTools reports whether a model that the document asks may call tools.
func (p *Plan) CallsTools() bool {
	return p.hasStep(func(s *Step) bool { return s.hasModel(func(w Model) bool { return len(w.Tools) > 0 }) })
}

func (p *Plan) hasStep(fits func(*Step) bool) bool {
	found := false
	p.Walk(func(s, _ *Step) bool {
		found = fits(s)
		return !found
	})
	return found
}

// AsksModel reports whether an action of the step itself asks a model.
func (s *Step) AsksModel() bool { return s.hasModel(func(Model) bool { return true }) }

func (s *Step) hasModel(fits func(Model) bool) bool {
	return slices.ContainsFunc(s.Actions, func(a Action) bool {
		w, is := a.Work.(Model)
		return is && fits(w)
	})
}

// IDs are the ids of all steps, in document order.
func (p *Plan) IDs() []string {
	var ids []string
	p.Walk(func(s, _ *Step) bool {
		ids = append(ids, s.ID)
		return true
	})
	return ids
}

// Find returns the step with the given id, or nil.
func (p *Plan) Find(id string) *Step {
	var found *Step
	p.Walk(func(s, _ *Step) bool {
		if s.ID == id {
			found = s
		}
		return found == nil
	})
	return found
}

// FirstUnit returns the step at which a run of the document starts: the default
// entry, or the first unit below it. It is nil in a document without steps.
func (p *Plan) FirstUnit() *Step {
	if len(p.Steps) == 0 {
		return nil
	}
	first := p.Steps[0]
	for _, e := range p.Entries {
		if e.When == "" {
			if s := p.Find(e.Step); s != nil {
				first = s
			}
			break
		}
	}
	for !first.IsUnit() {
		first = first.First()
	}
	return first
}

// Bounds are how far a conversation with a model that calls tools may go. What is
// zero has none.
type Bounds struct {
	Turns  int           `json:"turns,omitempty"`       // replies of the model
	Call   time.Duration `json:"tool_call,omitempty"`   // that a tool may take, in nanoseconds as JSON
	Result int           `json:"tool_result,omitempty"` // characters of a tool's result that the model is told
}

// Or are the bounds, those of others where there are none.
func (b Bounds) Or(others Bounds) Bounds {
	return Bounds{cmp.Or(b.Turns, others.Turns), cmp.Or(b.Call, others.Call), cmp.Or(b.Result, others.Result)}
}

// Scenario is a run that a document describes, for `playhead test`: what a person
// does, and how the run is meant to end. The format's parser has translated it,
// so nothing below it knows how the document writes it.
type Scenario struct {
	Name        string
	Description string
	Commands    []string  // as the document writes them, for show
	Prompted    bool      // nothing is executed, a person decides every unit
	Decide      []string  // what a person does, in the words of --decide: pass, fail, goto:2, complete:msg, stop:msg
	Result      RunResult // Completed or Stopped
	Skip        string    // why it is not run
	Invalid     string    // why it cannot be run, and fails
	Line        int
}
