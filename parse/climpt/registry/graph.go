package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// checkGraph checks where steps lead (spec §11, §12).
func (r *registry) checkGraph() {
	for _, s := range r.steps {
		s.edges = r.stepEdges(s)
		s.successors = s.edgeTargets()
	}
	for _, s := range r.steps {
		r.checkKindBoundaries(s)
	}
	starts := r.starts()
	if len(starts) == 0 {
		return
	}
	reachable := r.reachable(starts, r.nextSteps)
	for _, s := range r.steps {
		if !reachable[s.index] && !s.section {
			r.Warn(s.Place(), "unreachable-step", "no entry leads to "+s.id, "add a route to it, or remove it")
		}
	}
	if !r.gated {
		return
	}
	r.linkPredecessors()
	r.warnEndlessLoops()
	r.checkClosures(starts, reachable)
}

// starts returns the steps that a run can begin with.
func (r *registry) starts() []*step {
	ids := []string{r.entry, r.Registry.Get("entryStep").Text()}
	for _, e := range r.entries {
		ids = append(ids, e.Step)
	}
	var out []*step
	for _, id := range ids {
		if s := r.byID[id]; s != nil && !s.section {
			out = append(out, s)
		}
	}
	return out
}

// edgeTargets returns the steps that the edges lead to. Sections are never executed, so they are
// excluded at both ends.
func (s *step) edgeTargets() []*step {
	if s.section {
		return nil
	}
	out := make([]*step, 0, len(s.edges))
	for _, e := range s.edges {
		if e.step != nil && !e.step.section {
			out = append(out, e.step)
		}
	}
	return out
}

// nextSteps returns the possible successors of a step. Without gates these include the derived
// continuation.
func (r *registry) nextSteps(s *step) []*step {
	if to := r.byID[r.derivedNext(s)]; !r.gated && to != nil && !to.section {
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

// reachable returns the given steps and all that can be reached from them.
func (r *registry) reachable(from []*step, next func(*step) []*step) stepSet {
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

func stepPredecessors(s *step) []*step { return s.predecessors }

// warnEndlessLoops warns of loops from which no path leads to a closure or an end.
func (r *registry) warnEndlessLoops() {
	var ends []*step
	for _, s := range r.steps {
		ending := func(e edge) bool { return e.to == "" }
		if !s.section && (s.kind == closure || slices.ContainsFunc(s.edges, ending)) {
			ends = append(ends, s)
		}
	}
	out := r.reachable(ends, stepPredecessors)
	looping := findLoops(r.steps)
	for _, s := range r.steps {
		if looping[s.index] && !out[s.index] {
			r.Warn(s.Place(), "no-exit", s.id+" is in a loop with no route to a closure or an end", "lead to a closure")
		}
	}
}

// checkClosures warns of entries from which no closure can be reached, and of registries in which
// no reachable closure can close.
func (r *registry) checkClosures(starts []*step, reachable stepSet) {
	var all []*step
	closes, leads := false, false
	for _, s := range r.steps {
		if s.kind == closure && !s.section {
			all = append(all, s)
			closes = closes || reachable[s.index] && slices.Contains(r.allowedIntents(s), closing)
		}
	}
	through := r.reachable(all, stepPredecessors)
	reported := make(stepSet, len(r.steps))
	for _, s := range starts {
		leads = leads || through[s.index]
		if !through[s.index] && !reported[s.index] {
			reported[s.index] = true
			r.Warn(s.Place(), "closure-unreachable", "no closure can be reached from the entry "+s.id, "add a route to a closure step")
		}
	}
	if leads && !closes {
		r.Warn(r.Registry.At("steps"), "no-closing", "no reachable closure allows closing", "allow it")
	}
}

// checkKindBoundaries warns of edges between kinds of steps that should not connect (spec §12).
func (r *registry) checkKindBoundaries(s *step) {
	for _, e := range s.edges {
		to := e.step
		if e.implied || to == nil || to == s || s.kind == "" || to.kind == "" || e.intent == closing {
			continue
		}
		if !kindsConnect(s.kind, e.intent, to.kind) {
			r.Warn(e.at.Place(), "kind-boundary", fmt.Sprintf("%s of a %s step leads to %s, a %s step", e.intent, s.kind, to.id, to.kind), "")
		}
	}
}

func kindsConnect(from, intent, to string) bool {
	switch from + " " + intent {
	case "work next", "work jump", "verification escalate":
		return to == work || to == verification
	case "work handoff":
		return to == closure
	case "verification next", "verification jump":
		return true
	case "closure repeat":
		return to == work
	}
	return false
}

// findLoops returns the steps that can lead back to themselves, other than with repeat.
func findLoops(steps []*step) stepSet {
	l := componentSearch{order: make([]int, len(steps)), done: make(stepSet, len(steps)), inLoop: make(stepSet, len(steps))}
	for _, s := range steps {
		if l.order[s.index] == 0 {
			l.visit(s)
		}
	}
	return l.inLoop
}

// componentSearch is Tarjan's algorithm for strongly connected components. It visits each step and
// edge once.
type componentSearch struct {
	order  []int   // the order in which steps were visited, from 1; 0: not visited
	count  int     // the number of visited steps
	open   []*step // the stack of steps whose component is not complete
	done   stepSet
	inLoop stepSet
}

// visit searches from a step and returns the lowest visit order among open steps that it reaches.
func (l *componentSearch) visit(s *step) int {
	l.count++
	at, number := len(l.open), l.count
	first := number
	l.order[s.index] = number
	l.open = append(l.open, s)
	for _, t := range s.successors {
		switch n := l.order[t.index]; {
		case n == 0:
			first = min(first, l.visit(t))
		case !l.done[t.index]:
			first = min(first, n)
		}
	}
	if first == number {
		part := l.open[at:]
		for _, t := range part {
			l.done[t.index] = true
			l.inLoop[t.index] = len(part) > 1 || t.hasSelfLoop()
		}
		l.open = l.open[:at]
	}
	return first
}

// hasSelfLoop reports whether a step leads to itself other than with repeat.
func (s *step) hasSelfLoop() bool {
	for _, e := range s.edges {
		if e.to == s.id && e.intent != repeat && !s.section {
			return true
		}
	}
	return false
}

// node is a JSON value whose objects keep their key order: members, []node, or what encoding/json
// uses for the rest.
type node any

// members are the fields of a JSON object, in order.
type members []member

type member struct {
	key   string
	value node
}

func (m members) get(key string) (node, bool) {
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return nil, false
	}
	return m[i].value, true
}

// with returns a copy with a key set, in its place or at the end.
func (m members) with(key string, value node) members {
	out := slices.Clone(m)
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return append(out, member{key, value})
	}
	out[i].value = value
	return out
}

// encode returns a node as JSON without HTML escapes.
func encode(n node) []byte { return appendNode(make([]byte, 0, 256), n) }

// appendNode avoids encoding/json for containers, which would check every nested level again.
func appendNode(b []byte, n node) []byte {
	switch n := n.(type) {
	case members:
		b = append(b, '{')
		for i, m := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, m.key)
			b = appendNode(append(b, ':'), m.value)
		}
		return append(b, '}')
	case []node:
		b = append(b, '[')
		for i, item := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNode(b, item)
		}
		return append(b, ']')
	case string:
		b, _ = jsontext.AppendQuote(b, n)
		return b
	case bool:
		return strconv.AppendBool(b, n)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(n) != nil {
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSpace(out.Bytes())...)
}
