// Package plan defines the Plan: what a parser compiles a document to, and the only thing that the
// engine runs.
//
// A Plan is data, without clock, I/O or closures. Equal documents give equal Plans, and a Plan
// prints as the JSON of `playhead show`. A step performs its actions, then its children, and so
// gets an outcome. The first route that matches is taken, and its move says where to go.
//
// Formats plug in with two small interfaces: a Judge says what a product means, and a Prompt
// renders what is asked. Only their implementations know a format's words.
package plan

import (
	"cmp"
	"slices"
	"time"
)

// Plan is a compiled document.
type Plan struct {
	Format                string // for display: nothing below cmd branches on it
	FormatTitle           string // the format's name for people
	Path                  string // the document, as named on the command line
	CodePrefix            string // of the codes of its diagnostics; "": the format and a slash
	Title                 string
	Description           string
	Inputs                []Input                  // asked for before the run
	SystemPrompt          Prompt                   // rendered when a conversation begins
	ArtifactType          Prompt                   // rendered when the run ends
	Entries               []Entry                  // where a run starts
	Steps                 []*Step                  // the tree, in document order
	IncludedDocuments     []IncludedDocument       // documents that steps include, loaded with this one
	EntryLimit            EntryLimit               // how often a run may enter steps
	ModelFailureCode      string                   // the code of a failed model call; "": FORMAT/model-failed
	UnavailableActionCode string                   // the code for actions that the run's state does not allow; "": Playhead's own
	OutcomeSourceNames    map[string]string        // the format's names for outcome sources of the machine
	AdviceByCode          map[string]WarningAdvice // for warnings of a run, by code
	Extra                 map[string]any           // format-specific facts, for display only
	Scenarios             []Scenario               // runs that the document describes
	ScenariosProblem      string                   // why the scenarios cannot be read, or ""
	Diagnostics           []Diagnostic
	Source                []byte // the bytes the Plan was made from
	Files                 []File // all files it was made from, if there is more than Path; one of them has Source
	ShowsOnlyIDs          bool   // steps are known by ID: a tree shows no titles
	IgnoresFileOrder      bool   // the order of steps in the file has no meaning, so its steps cannot be inserted or moved
	AcceptsAnyInput       bool   // a run accepts values for names that are not in Inputs

	// UsedVariables are the names of the variables that the document uses, if a run accepts values of any
	// name.
	UsedVariables []string

	// IsLinear says that the steps run in order. A step that fails the run skips the later ones, and
	// resuming the run repeats it.
	IsLinear bool
}

// Entry says where a run starts. The default entry has an empty When.
type Entry struct{ When, Step string }

// EntryLimit limits a run: after it has entered steps Max times, retries included, it fails with Code. Max 0 is no limit.
type EntryLimit struct {
	Max         int
	Code        string       // rundown/transition-limit
	Message     string       // the message of the failure, in the format's words
	Flag        string       // the command line flag that sets another Max
	MaxLocation TextLocation // where a file of the document sets Max
}

// IsCauseOf reports whether an error code of the end of a run says that this limit ended it.
func (l EntryLimit) IsCauseOf(code string) bool { return code != "" && code == l.Code }

// TransitionsFlag is the command line flag that limits the moves of a run, in any format.
const TransitionsFlag = "max-transitions"

// TransitionLimit limits a run to n moves. Entering the first step is not a move.
func TransitionLimit(n int, code string) EntryLimit {
	return EntryLimit{Max: n + 1, Code: code, Message: "more than " + CountText(n, "transition"), Flag: TransitionsFlag}
}

// WarningCode returns the code of a warning of a run, such as playbook/artifact-type.
func (p *Plan) WarningCode(name string) string { return cmp.Or(p.CodePrefix, p.Format+"/") + name }

// HasStepOrder reports whether the run goes from step to step in the order of the document, except to steps that only
// a route reaches. In any other plan, a route leads to every step.
func (p *Plan) HasStepOrder() bool {
	return slices.ContainsFunc(p.Steps, func(s *Step) bool { return !s.IsTargetOnly })
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

// MayCallTools reports whether a model that the document asks may call tools.
func (p *Plan) MayCallTools() bool {
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

// StepIDs returns the IDs of all steps, in document order.
func (p *Plan) StepIDs() []string {
	var ids []string
	p.Walk(func(s, _ *Step) bool {
		ids = append(ids, s.ID)
		return true
	})
	return ids
}

// FindStep returns the step with the given ID, or nil.
func (p *Plan) FindStep(id string) *Step {
	var found *Step
	p.Walk(func(s, _ *Step) bool {
		if s.ID == id {
			found = s
		}
		return found == nil
	})
	return found
}

// StartStep returns the step at which a run of the document starts: the default entry (without one, the
// first step), or the first executable step below it. It is nil in a document without steps.
func (p *Plan) StartStep() *Step {
	if len(p.Steps) == 0 {
		return nil
	}
	first := p.Steps[0]
	for _, e := range p.Entries {
		if e.When == "" {
			if s := p.FindStep(e.Step); s != nil {
				first = s
			}
			break
		}
	}
	for !first.IsExecutable() {
		first = first.EntryChild()
	}
	return first
}

// ConversationBounds limit a conversation with a model that calls tools. Zero is no limit.
type ConversationBounds struct {
	MaxTurns       int           `json:"turns,omitempty"`       // replies of the model
	CallTimeout    time.Duration `json:"tool_call,omitempty"`   // that a tool may take, in nanoseconds as JSON
	MaxResultChars int           `json:"tool_result,omitempty"` // characters of a tool's result that the model gets
}

// DefaultConversationBounds are the default limits of a conversation with tools (workflow.md §6).
var DefaultConversationBounds = ConversationBounds{MaxTurns: 30, CallTimeout: 2 * time.Minute, MaxResultChars: 100_000}

// WithDefaults returns the bounds, with those of others where b has none.
func (b ConversationBounds) WithDefaults(others ConversationBounds) ConversationBounds {
	return ConversationBounds{cmp.Or(b.MaxTurns, others.MaxTurns), cmp.Or(b.CallTimeout, others.CallTimeout), cmp.Or(b.MaxResultChars, others.MaxResultChars)}
}

// Scenario is a test of a document for `playhead test`: what a person does, and how the run should
// end. The format's parser has translated it.
type Scenario struct {
	Name            string
	Description     string
	Commands        []string  // as the document writes them, for show
	ExecutesNothing bool      // nothing is executed: a person decides every step
	Decisions       []string  // what a person does, in the words of --decide: pass, fail, goto:2, complete:msg, stop:msg
	Result          RunResult // Completed or Stopped
	SkipReason      string    // why it is not run
	InvalidReason   string    // why it cannot be run and fails
	Line            int
}
