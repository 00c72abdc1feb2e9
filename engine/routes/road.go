package routes

import (
	"slices"
	"strings"

	"playhead/engine/machine"
)

// Road names an edge of a document: a link of a route of a step. Depth 0 is the route
// itself, 1 what comes when its budget is used up.
type Road struct {
	Step  string `json:"step"`
	Route int    `json:"route"`
	Depth int    `json:"depth,omitempty"`
}

// What is no route of its step: the way into an arm, and past a choice.
const (
	intoArm    = -1
	pastChoice = -2
)

func into(arm string) Road   { return Road{Step: arm, Route: intoArm} }
func past(group string) Road { return Road{Step: group, Route: pastChoice} }

// roadOf is the road that a decision took; none if a person chose, or nothing says
// where an outcome goes on.
func roadOf(e machine.Event, d *machine.Decision) (Road, bool) {
	switch {
	case d.Forced:
		return Road{}, false
	case d.Arrival.Chosen:
		return into(d.Arrival.Step), true
	case d.Outcome == nil:
		return past(e.StepID()), true
	case d.Taken == nil || *d.Taken >= len(d.Candidates):
		return Road{}, false
	}
	return Road{e.StepID(), *d.Taken, d.Candidates[*d.Taken].Depth}, true
}

// document tells the events of one document from those of documents that it includes.
type document struct {
	prefix   string   // of its labels
	children []string // prefixes of those included so far
}

// has reports whether an event is the document's own.
func (d *document) has(e machine.Event) bool {
	if b, ok := e.Body.(*machine.ChildEntered); ok && strings.HasPrefix(b.Label, d.prefix) {
		if child := b.Label + "/"; child != d.prefix && !slices.Contains(d.children, child) {
			d.children = append(d.children, child)
		}
		return false
	}
	inside := func(child string) bool { return strings.HasPrefix(e.Step, child) }
	return strings.HasPrefix(e.Step, d.prefix) && !slices.ContainsFunc(d.children, inside)
}
