package rundown

import (
	"fmt"

	"playhead/parse/plan"
)

// parsedStep is a step or a substep as read, before it is converted.
type parsedStep struct {
	heading
	offset            int         // the offset of the heading in the source
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
	lastLine          int // the last line
}

// fullID returns the step's ID as targets write it, "" if its heading is invalid.
func (u *parsedStep) fullID() string {
	switch {
	case u.kind == brokenKind:
		return ""
	case u.parent == nil:
		return u.id
	}
	return u.heading.parent + "." + u.id
}

// nameForMessages returns the step's name for messages.
func (u *parsedStep) nameForMessages() string {
	switch {
	case u == nil:
		return "before the first step"
	case u.kind == brokenKind && u.parent != nil:
		return "a substep without an id"
	case u.kind == brokenKind:
		return "a step without an id"
	case u.parent == nil:
		return "step " + u.id
	}
	return "substep " + u.fullID()
}

// topStep returns the step itself, or the top-level step around it.
func (u *parsedStep) topStep() *parsedStep {
	if u.parent != nil {
		return u.parent
	}
	return u
}

// hasTransitions reports whether the step has transitions of its own.
func (u *parsedStep) hasTransitions() bool { return u.passTransition != nil || u.failTransition != nil }

// effectiveTransitions returns the transitions that count, in document order.
func (u *parsedStep) effectiveTransitions() []*transition {
	switch {
	case u.passTransition == nil && u.failTransition == nil:
		return nil
	case u.passTransition == nil:
		return []*transition{u.failTransition}
	case u.failTransition == nil:
		return []*transition{u.passTransition}
	case u.failTransition.offset < u.passTransition.offset:
		return []*transition{u.failTransition, u.passTransition}
	}
	return []*transition{u.passTransition, u.failTransition}
}

// joinMode returns how the step joins results (spec §3.6). With PASS ANY or FAIL ALL, one passed part
// suffices.
func (u *parsedStep) joinMode() plan.Join {
	for _, t := range u.effectiveTransitions() {
		if t.modifier != "" && (t.result() == plan.Passed) == (t.modifier == "ANY") {
			return plan.JoinAny
		}
		if t.modifier != "" {
			return plan.JoinAll
		}
	}
	return plan.JoinAll
}

// hasAggregate reports whether joining has a meaning for the step.
func (u *parsedStep) hasAggregate() bool { return len(u.substeps) > 0 || len(u.runbooks) > 0 }

// elementRole is the role of an element in the order of a step's content (spec §3.5).
type elementRole uint8

const (
	anyPlaceRole elementRole = iota // anywhere: verbatim blocks, rules, HTML, comments, definitions
	transitionRole
	promptRole
	bodyRole
)

// element is a part of a step's content. It consists of whole lines.
type element struct {
	offset              int // in the source
	firstLine, lastLine int // lines
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
func (u *parsedStep) keyAmongSiblings() string {
	if u.kind == namedKind {
		return u.id
	}
	return plan.Slug(u.plainTitle)
}

// uniqueSiblingKeys returns the keys of siblings. Repeated keys are numbered.
func uniqueSiblingKeys(prefix string, siblings []*parsedStep) []string {
	out := make([]string, len(siblings))
	seen := make(map[string]int, len(siblings))
	for i, u := range siblings {
		key := prefix + u.keyAmongSiblings()
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s~%d", key, seen[key])
		}
		out[i] = key
	}
	return out
}
