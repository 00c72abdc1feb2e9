package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// checkGraph looks at where steps lead (spec §11, §12).
func (r *registry) checkGraph() {
	for _, s := range r.steps {
		s.edges = r.pairs(s)
		s.leads = s.followed()
	}
	for _, s := range r.steps {
		r.boundaries(s)
	}
	starts := r.starts()
	if len(starts) == 0 {
		return
	}
	reachable := r.reached(starts, r.follows)
	for _, s := range r.steps {
		if !reachable[s.nth] && !s.section {
			r.Warn(s.Place(), "unreachable-step", "no entry leads to "+s.id, "add a route to it, or remove it")
		}
	}
	if !r.gated {
		return
	}
	r.reversed()
	r.exits()
	r.closures(starts, reachable)
}

// starts are the steps that runs can begin with.
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

// followed are the steps that a step's edges lead to. Sections are never executed: they
// lead nowhere, and nothing leads to them.
func (s *step) followed() []*step {
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

// follows are the steps that can come after one. A registry without gates goes on with
// the step that is derived.
func (r *registry) follows(s *step) []*step {
	if to := r.byID[r.derived(s)]; !r.gated && to != nil && !to.section {
		return append(slices.Clone(s.leads), to)
	}
	return s.leads
}

// reversed notes of each step where it is led to from.
func (r *registry) reversed() {
	for _, s := range r.steps {
		for _, to := range s.leads {
			to.from = append(to.from, s)
		}
	}
}

// marked are steps, by their places in the file.
type marked []bool

// reached are some steps and all that can be come to from them.
func (r *registry) reached(from []*step, next func(*step) []*step) marked {
	out, todo := make(marked, len(r.steps)), slices.Clone(from)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !out[s.nth] {
			out[s.nth] = true
			todo = append(todo, next(s)...)
		}
	}
	return out
}

// backwards are the steps that lead to one.
func backwards(s *step) []*step { return s.from }

// exits finds loops that nothing leads out of: neither to a closure nor to an end.
func (r *registry) exits() {
	var ends []*step
	for _, s := range r.steps {
		ending := func(e edge) bool { return e.to == "" }
		if !s.section && (s.kind == closure || slices.ContainsFunc(s.edges, ending)) {
			ends = append(ends, s)
		}
	}
	out := r.reached(ends, backwards)
	looping := loops(r.steps)
	for _, s := range r.steps {
		if looping[s.nth] && !out[s.nth] {
			r.Warn(s.Place(), "no-exit", s.id+" is in a loop that leads to no closure and no end", "lead to a closure")
		}
	}
}

// closures finds entries that lead to no closure, and closures that cannot close.
func (r *registry) closures(starts []*step, reachable marked) {
	var all []*step
	closes, leads := false, false
	for _, s := range r.steps {
		if s.kind == closure && !s.section {
			all = append(all, s)
			closes = closes || reachable[s.nth] && slices.Contains(r.allowed(s), closing)
		}
	}
	through := r.reached(all, backwards)
	reported := make(marked, len(r.steps))
	for _, s := range starts {
		leads = leads || through[s.nth]
		if !through[s.nth] && !reported[s.nth] {
			reported[s.nth] = true
			r.Warn(s.Place(), "closure-unreachable", "no closure can be reached from the entry "+s.id, "add a route to a closure step")
		}
	}
	if leads && !closes {
		r.Warn(r.Registry.At("steps"), "no-closing", "no closure that can be reached allows closing", "allow it")
	}
}

// boundaries finds edges between kinds that do not belong together (spec §12).
func (r *registry) boundaries(s *step) {
	for _, e := range s.edges {
		to := e.step
		if e.implied || to == nil || to == s || s.kind == "" || to.kind == "" || e.intent == closing {
			continue
		}
		if !crosses(s.kind, e.intent, to.kind) {
			r.Warn(e.at.Place(), "kind-boundary", fmt.Sprintf("%s of a %s step leads to %s, a %s step", e.intent, s.kind, to.id, to.kind), "")
		}
	}
}

func crosses(from, intent, to string) bool {
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

// loops are the steps that lead back to themselves, by more than repeating themselves.
func loops(steps []*step) marked {
	l := componentSearch{order: make([]int, len(steps)), done: make(marked, len(steps)), found: make(marked, len(steps))}
	for _, s := range steps {
		if l.order[s.nth] == 0 {
			l.visit(s)
		}
	}
	return l.found
}

// componentSearch is Tarjan's search for the parts of a graph whose steps lead to each other:
// each step and each edge is looked at once.
type componentSearch struct {
	order []int   // in which steps were come to, from 1; 0: not yet
	count int     // of those that were
	open  []*step // those whose part is not known yet
	done  marked
	found marked
}

// visit looks at a step and what it leads to. It gives the first of the open steps that
// can be come to from there.
func (l *componentSearch) visit(s *step) int {
	l.count++
	at, number := len(l.open), l.count
	first := number
	l.order[s.nth] = number
	l.open = append(l.open, s)
	for _, t := range s.leads {
		switch n := l.order[t.nth]; {
		case n == 0:
			first = min(first, l.visit(t))
		case !l.done[t.nth]:
			first = min(first, n)
		}
	}
	if first == number {
		part := l.open[at:]
		for _, t := range part {
			l.done[t.nth] = true
			l.found[t.nth] = len(part) > 1 || t.toItself()
		}
		l.open = l.open[:at]
	}
	return first
}

// toItself reports whether a step has itself as a target, other than to repeat it.
func (s *step) toItself() bool {
	for _, e := range s.edges {
		if e.to == s.id && e.intent != repeat && !s.section {
			return true
		}
	}
	return false
}

// node is a JSON value whose objects keep the order of their keys: a members, a []node,
// or what encoding/json has for the rest.
type node any

// members are an object's.
type members []member

type member struct {
	key   string
	value node
}

// get is the value of a key.
func (m members) get(key string) (node, bool) {
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return nil, false
	}
	return m[i].value, true
}

// with is a copy in which a key is set, in its place or at the end.
func (m members) with(key string, value node) members {
	out := slices.Clone(m)
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return append(out, member{key, value})
	}
	out[i].value = value
	return out
}

// encode is a node as JSON, with <, > and & readable.
func encode(n node) []byte { return appendNode(make([]byte, 0, 256), n) }

// appendNode writes nodes itself: encoding/json would check each level anew.
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
