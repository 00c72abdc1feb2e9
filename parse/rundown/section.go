package rundown

import (
	"fmt"

	"playhead/parse/plan"
)

// section is a step or a substep as read, before it is converted.
type section struct {
	heading
	at          int      // the offset of the heading in the source
	parent      *section // of a substep
	title       string
	plainTitle  string // the plain text of the title
	subs        []*section
	elements    []element
	begin       int         // the index of its first element in document.elements
	pass        *transition // the transitions that count
	fail        *transition
	usesYesNo   bool     // a transition uses YES or NO
	body        *element // an executable or prompt block
	promptBlock *element // a verbatim block flagged prompt
	docs        []*element
	last        int // the last line
}

// fullID returns the unit's ID as targets write it, "" if its heading is invalid.
func (u *section) fullID() string {
	switch {
	case u.kind == broken:
		return ""
	case u.parent == nil:
		return u.id
	}
	return u.heading.parent + "." + u.id
}

// name returns the unit's name for messages.
func (u *section) name() string {
	switch {
	case u == nil:
		return "before the first step"
	case u.kind == broken && u.parent != nil:
		return "in a substep without id"
	case u.kind == broken:
		return "in a step without id"
	case u.parent == nil:
		return "step " + u.id
	}
	return "substep " + u.fullID()
}

// step returns the unit itself, or the step around it.
func (u *section) step() *section {
	if u.parent != nil {
		return u.parent
	}
	return u
}

// writes reports whether the unit has transitions of its own.
func (u *section) writes() bool { return u.pass != nil || u.fail != nil }

// effectiveTransitions returns the transitions that count, in document order.
func (u *section) effectiveTransitions() []*transition {
	switch {
	case u.pass == nil && u.fail == nil:
		return nil
	case u.pass == nil:
		return []*transition{u.fail}
	case u.fail == nil:
		return []*transition{u.pass}
	case u.fail.at < u.pass.at:
		return []*transition{u.fail, u.pass}
	}
	return []*transition{u.pass, u.fail}
}

// join returns how the unit joins results (spec §3.6): optimistically with PASS ANY or FAIL ALL.
func (u *section) join() plan.Join {
	for _, t := range u.effectiveTransitions() {
		if t.modifier != "" && (t.side() == plan.Passed) == (t.modifier == "ANY") {
			return plan.Any
		}
		if t.modifier != "" {
			return plan.All
		}
	}
	return plan.All
}

// aggregates reports whether joining has a meaning for the unit.
func (u *section) aggregates() bool { return len(u.subs) > 0 || len(u.docs) > 0 }

// role is the role of an element in the order of a unit's content (spec §3.5).
type role uint8

const (
	free role = iota // anywhere: verbatim blocks, rules, HTML, comments, definitions
	transitions
	prompt
	body
)

// element is a part of a unit's content. It consists of whole lines.
type element struct {
	at          int // in the source
	first, last int // lines
	role        role
	isShown     bool
	literal     bool // {N} and {n} stay as written
	move        *transition
	fence       *fence // of a fenced block
	doc         string // of a runbook item
}

// fence is the parsed info string of a fenced block.
type fence struct {
	language string // the first word, as written
	text     string
	shell    bool // the first word makes it executable
	prompt   bool // it has the word prompt
}

// ownKey returns what identifies a unit among its siblings when the document is edited: its name,
// else its title. Numbers do not count.
func (u *section) ownKey() string {
	if u.kind == named {
		return u.id
	}
	return plan.Slug(u.plainTitle)
}

// keys returns the keys of siblings. Repeated keys are numbered.
func keys(prefix string, siblings []*section) []string {
	out := make([]string, len(siblings))
	seen := make(map[string]int, len(siblings))
	for i, u := range siblings {
		key := prefix + u.ownKey()
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s~%d", key, seen[key])
		}
		out[i] = key
	}
	return out
}
