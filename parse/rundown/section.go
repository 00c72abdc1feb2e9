package rundown

import "playhead/parse/plan"

// parsedStep is a step or a substep as read, before it is converted.
type parsedStep struct {
	heading
	offset            int         // of the heading, in the source
	parent            *parsedStep // of a substep
	title             string
	plainTitle        string // the plain text of the title
	substeps          []*parsedStep
	elements          []element
	firstElementIndex int         // the index of its first element in document.elements
	passTransition    *transition // the transitions that count
	failTransition    *transition
	usesYesNo         bool     // a transition uses YES or NO
	body              *element // an executable or prompt block
	promptBlock       *element // a verbatim block flagged prompt
	runbooks          []*element
	lastLine          int // counted from 0, as all lines of the parser
}

// fullID returns the step's ID as targets write it, "" if its heading is invalid.
func (p *parsedStep) fullID() string {
	switch {
	case p.kind == brokenKind:
		return ""
	case p.parent == nil:
		return p.localID
	}
	return p.heading.parentID + "." + p.localID
}

// nameForMessages returns the step's name for messages.
func (p *parsedStep) nameForMessages() string {
	switch {
	case p == nil:
		return "before the first step"
	case p.kind == brokenKind && p.parent != nil:
		return "a substep without an id"
	case p.kind == brokenKind:
		return "a step without an id"
	case p.parent == nil:
		return "step " + p.localID
	}
	return "substep " + p.fullID()
}

// topStep returns the step itself, or the top-level step around it.
func (p *parsedStep) topStep() *parsedStep {
	if p.parent != nil {
		return p.parent
	}
	return p
}

// hasTransitions reports whether the step has transitions of its own.
func (p *parsedStep) hasTransitions() bool { return p.passTransition != nil || p.failTransition != nil }

// effectiveTransitions returns the transitions that count, in document order.
func (p *parsedStep) effectiveTransitions() []*transition {
	switch {
	case p.passTransition == nil && p.failTransition == nil:
		return nil
	case p.passTransition == nil:
		return []*transition{p.failTransition}
	case p.failTransition == nil:
		return []*transition{p.passTransition}
	case p.failTransition.offset < p.passTransition.offset:
		return []*transition{p.failTransition, p.passTransition}
	}
	return []*transition{p.passTransition, p.failTransition}
}

// joinMode returns how the step joins results (spec §3.6). With PASS ANY or FAIL ALL, one passed part
// suffices.
func (p *parsedStep) joinMode() plan.Join {
	for _, t := range p.effectiveTransitions() {
		if t.modifier != "" && (t.matchedResult() == plan.Passed) == (t.modifier == "ANY") {
			return plan.JoinAny
		}
		if t.modifier != "" {
			return plan.JoinAll
		}
	}
	return plan.JoinAll
}

// hasAggregate reports whether joining has a meaning for the step.
func (p *parsedStep) hasAggregate() bool { return len(p.substeps) > 0 || len(p.runbooks) > 0 }

// elementRole is the role of an element in the order of a step's content (spec §3.5).
type elementRole uint8

const (
	anyPlaceRole elementRole = iota // anywhere: verbatim blocks, rules, HTML, comments, definitions
	transitionRole
	promptTextRole
	bodyRole
)

// element is a part of a step's content. It consists of whole lines.
type element struct {
	offset              int // in the source
	firstLine, lastLine int // counted from 0
	role                elementRole
	isShown             bool
	keepsPlaceholders   bool // {N} and {n} stay as written
	parsedTransition    *transition
	fence               *fence // of a fenced block
	includedPath        string // of a runbook item
}

// fence is the parsed info string of a fenced block.
type fence struct {
	language     string // the first word, as written
	text         string
	isExecutable bool // the first word makes it executable
	isPrompt     bool // it has the word prompt
}

// keyAmongSiblings returns what identifies a step among its siblings when the document is edited: its name,
// else its title. Numbers do not count.
func (p *parsedStep) keyAmongSiblings() string {
	if p.kind == namedKind {
		return p.localID
	}
	return plan.Slug(p.plainTitle)
}

// uniqueSiblingKeys returns the keys of siblings. Repeated keys are numbered.
func uniqueSiblingKeys(prefix string, siblings []*parsedStep) []string {
	out := make([]string, len(siblings))
	keys := plan.UniqueNames{}
	for i, step := range siblings {
		out[i] = keys.Take(prefix + step.keyAmongSiblings())
	}
	return out
}
