package registry

import (
	"fmt"
	"slices"
)

// checkGraph finds the edges of all steps, and checks the graph that they form (spec §11, §12).
func (r *registry) checkGraph() {
	for _, s := range r.steps {
		s.edges = r.stepEdges(s)
		s.successors = s.edgeTargets()
	}
	for _, s := range r.steps {
		r.checkKindBoundaries(s)
	}
	starts := r.entrySteps()
	if len(starts) == 0 {
		return
	}
	reachable := r.reachableFrom(starts, r.possibleNextSteps)
	suggestion := "add a transition to it from a step that can be reached, or remove it"
	if !r.hasGates {
		suggestion = "add gates to the steps, so that transitions are followed, or remove this step"
	}
	for _, s := range r.steps {
		if !reachable[s.index] && !s.isSection {
			r.Warn(s.Place(), "unreachable-step", s.id+" cannot be reached from any entry", suggestion)
		}
	}
	if !r.hasGates {
		return
	}
	r.linkPredecessors()
	r.warnEndlessLoops()
	r.checkClosureReachability(starts, reachable)
}

// entrySteps returns the steps that a run can begin with. A step may occur several times.
func (r *registry) entrySteps() []*step {
	ids := []string{r.entryID, r.Registry.Get("entryStep").Text()}
	for _, e := range r.mappedEntries {
		ids = append(ids, e.Step)
	}
	var out []*step
	for _, id := range ids {
		if s := r.byID[id]; s != nil && !s.isSection {
			out = append(out, s)
		}
	}
	return out
}

// edgeTargets returns the steps that the edges lead to. Sections are never executed, so they are
// excluded at both ends.
func (s *step) edgeTargets() []*step {
	if s.isSection {
		return nil
	}
	out := make([]*step, 0, len(s.edges))
	for _, e := range s.edges {
		if e.targetStep != nil && !e.targetStep.isSection {
			out = append(out, e.targetStep)
		}
	}
	return out
}

// possibleNextSteps returns the steps that a run can visit after a step. Without gates these include the
// derived continuation even if a rule for next is written, because no transition is followed.
func (r *registry) possibleNextSteps(s *step) []*step {
	if to := r.byID[r.derivedContinuation(s)]; !r.hasGates && to != nil && !to.isSection {
		return append(slices.Clone(s.successors), to)
	}
	return s.successors
}

// linkPredecessors fills in the predecessors of all steps.
func (r *registry) linkPredecessors() {
	for _, s := range r.steps {
		for _, to := range s.successors {
			to.predecessors = append(to.predecessors, s)
		}
	}
}

// stepSet is a set of steps, indexed by step.index.
type stepSet []bool

// reachableFrom returns the given steps and all that can be reached from them.
func (r *registry) reachableFrom(from []*step, next func(*step) []*step) stepSet {
	out, todo := make(stepSet, len(r.steps)), slices.Clone(from)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[s.index] {
			out[s.index] = true
			todo = append(todo, next(s)...)
		}
	}
	return out
}

func predecessorsOf(s *step) []*step { return s.predecessors }

// warnEndlessLoops warns of steps in loops from which no path leads to a closure or an end.
func (r *registry) warnEndlessLoops() {
	var ends []*step
	for _, s := range r.steps {
		ending := func(e edge) bool { return e.targetID == "" }
		if !s.isSection && (s.kind == kindClosure || slices.ContainsFunc(s.edges, ending)) {
			ends = append(ends, s)
		}
	}
	reachesEnd := r.reachableFrom(ends, predecessorsOf)
	looping := stepsInLoops(r.steps)
	for _, s := range r.steps {
		if looping[s.index] && !reachesEnd[s.index] {
			r.Warn(s.Place(), "no-exit", s.id+" is in a loop with no transition to a closure step or to the end of the run", "add a transition to a closure step")
		}
	}
}

// checkClosureReachability warns of entries from which no closure can be reached, and of registries in which
// no reachable closure can close.
func (r *registry) checkClosureReachability(starts []*step, reachable stepSet) {
	var closures []*step
	closes, anyReaches := false, false
	for _, s := range r.steps {
		if s.kind == kindClosure && !s.isSection {
			closures = append(closures, s)
			closes = closes || reachable[s.index] && slices.Contains(r.allowedIntents(s), intentClosing)
		}
	}
	reachesClosure := r.reachableFrom(closures, predecessorsOf)
	reported := make(stepSet, len(r.steps))
	for _, s := range starts {
		anyReaches = anyReaches || reachesClosure[s.index]
		if !reachesClosure[s.index] && !reported[s.index] {
			reported[s.index] = true
			r.Warn(s.Place(), "closure-unreachable", "no closure step can be reached from the entry "+s.id, "add a transition to a closure step")
		}
	}
	if anyReaches && !closes {
		r.Warn(r.Registry.PlaceOf("steps"), "no-closing", `no reachable closure step has "closing" among its allowedIntents`, `add "closing" to the allowedIntents of a reachable closure step`)
	}
}

// checkKindBoundaries warns of edges between kinds of steps that should not connect (spec §12).
func (r *registry) checkKindBoundaries(s *step) {
	for _, e := range s.edges {
		to := e.targetStep
		if e.isImplied || to == nil || to == s || s.kind == "" || to.kind == "" || e.intent == intentClosing {
			continue
		}
		if !canKindsConnect(s.kind, e.intent, to.kind) {
			r.Warn(e.sourceValue.Place(), "kind-boundary", fmt.Sprintf("the intent %q of a %s step should not lead to %s, which is a %s step", e.intent, s.kind, to.id, to.kind), "use another intent, or name a step of another kind")
		}
	}
}

func canKindsConnect(from, intent, to string) bool {
	switch from + " " + intent {
	case "work next", "work jump", "verification escalate":
		return to == kindWork || to == kindVerification
	case "work handoff":
		return to == kindClosure
	case "verification next", "verification jump":
		return true
	case "closure repeat":
		return to == kindWork
	}
	return false
}

// stepsInLoops returns the steps that can lead back to themselves, other than with repeat.
func stepsInLoops(steps []*step) stepSet {
	search := loopSearch{visitOrder: make([]int, len(steps)), completed: make(stepSet, len(steps)), inLoop: make(stepSet, len(steps))}
	for _, s := range steps {
		if search.visitOrder[s.index] == 0 {
			search.visit(s)
		}
	}
	return search.inLoop
}

// loopSearch is Tarjan's algorithm for strongly connected components. It visits each step and
// edge once.
type loopSearch struct {
	visitOrder   []int   // the order in which steps were visited, from 1; 0: not visited
	visitedCount int     // the number of visited steps
	openSteps    []*step // the stack of steps whose component is not complete
	completed    stepSet
	inLoop       stepSet
}

// visit searches from a step and returns the lowest visit order among open steps that it reaches.
func (c *loopSearch) visit(s *step) int {
	c.visitedCount++
	at, number := len(c.openSteps), c.visitedCount
	first := number
	c.visitOrder[s.index] = number
	c.openSteps = append(c.openSteps, s)
	for _, t := range s.successors {
		switch n := c.visitOrder[t.index]; {
		case n == 0:
			first = min(first, c.visit(t))
		case !c.completed[t.index]:
			first = min(first, n)
		}
	}
	if first == number {
		part := c.openSteps[at:]
		for _, t := range part {
			c.completed[t.index] = true
			c.inLoop[t.index] = len(part) > 1 || t.hasSelfLoop()
		}
		c.openSteps = c.openSteps[:at]
	}
	return first
}

// hasSelfLoop reports whether a step leads to itself other than with repeat.
func (s *step) hasSelfLoop() bool {
	for _, e := range s.edges {
		if e.targetID == s.id && e.intent != intentRepeat && !s.isSection {
			return true
		}
	}
	return false
}
