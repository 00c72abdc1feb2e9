package registry

import (
	"fmt"
	"slices"
)

// checkGraph looks at where steps lead (spec §11, §12).
func (r *registry) checkGraph() {
	for _, s := range r.steps {
		s.edges = r.pairs(s)
	}
	for _, s := range r.steps {
		r.boundaries(s)
	}
	if len(r.starts()) == 0 {
		return
	}
	r.reach()
	for _, s := range r.steps {
		if !s.reachable && !s.section {
			r.Warn(s.Place(), "unreachable-step", "no entry leads to "+s.id, "lead to it, or remove it")
		}
	}
	if !r.gated {
		return
	}
	r.exits()
	r.closures()
}

// starts are the steps that runs can begin with.
func (r *registry) starts() []string {
	out := []string{r.entry, r.Registry.Get("entryStep").Text()}
	for _, e := range r.entries {
		out = append(out, e.Step)
	}
	return slices.DeleteFunc(out, func(id string) bool { return r.byID[id] == nil || r.byID[id].section })
}

// reach marks what entries lead to. A registry without gates goes on with the step
// that is derived.
func (r *registry) reach() {
	r.spread(r.starts(), func(s *step) []string {
		if s.reachable {
			return nil
		}
		s.reachable = true
		out := s.leads()
		if !r.gated {
			out = append(out, r.derived(s))
		}
		return out
	})
}

// spread visits steps, and those that a visit names, until none are left.
func (r *registry) spread(ids []string, visit func(*step) []string) {
	for len(ids) > 0 {
		s := r.byID[ids[len(ids)-1]]
		ids = ids[:len(ids)-1]
		if s != nil && !s.section {
			ids = append(ids, visit(s)...)
		}
	}
}

// leads are the steps that a step's edges lead to.
func (s *step) leads() []string {
	var out []string
	for _, e := range s.edges {
		if e.to != "" {
			out = append(out, e.to)
		}
	}
	return out
}

// exits finds loops that nothing leads out of: neither to a closure nor to an end.
func (r *registry) exits() {
	back := map[string][]string{}
	var ends []string
	for _, s := range r.steps {
		for _, e := range s.edges {
			if e.to != "" {
				back[e.to] = append(back[e.to], s.id)
			}
		}
		if s.kind == closure || slices.ContainsFunc(s.edges, func(e edge) bool { return e.to == "" }) {
			ends = append(ends, s.id)
		}
	}
	out := map[string]bool{}
	r.spread(ends, func(s *step) []string {
		if out[s.id] {
			return nil
		}
		out[s.id] = true
		return back[s.id]
	})
	for _, s := range r.steps {
		if !s.section && !out[s.id] && r.loops(s) {
			r.Warn(s.Place(), "no-exit", s.id+" is in a loop that leads to no closure and no end", "lead to a closure")
		}
	}
}

// loops reports whether a step leads back to itself, by more than repeating itself.
func (r *registry) loops(s *step) bool {
	var from []string
	for _, e := range s.edges {
		if e.to != s.id || e.intent != repeat {
			from = append(from, e.to)
		}
	}
	seen, found := map[string]bool{}, false
	r.spread(from, func(t *step) []string {
		if found = found || t == s; found || seen[t.id] {
			return nil
		}
		seen[t.id] = true
		return t.leads()
	})
	return found
}

// closures finds entries that lead to no closure, and closures that cannot close.
func (r *registry) closures() {
	closes := false
	for _, s := range r.steps {
		closes = closes || s.reachable && s.kind == closure && slices.Contains(r.allowed(s), closing)
	}
	told := map[string]bool{}
	any := false
	for _, id := range r.starts() {
		found := r.reachesClosure(id)
		any = any || found
		if !found && !told[id] {
			told[id] = true
			r.Warn(r.byID[id].Place(), "closure-unreachable", "no closure can be reached from the entry "+id, "lead to a step of the kind closure")
		}
	}
	if any && !closes {
		r.Warn(r.Registry.At("steps"), "no-closing", "no closure that can be reached allows closing", "allow it")
	}
}

func (r *registry) reachesClosure(id string) bool {
	seen, found := map[string]bool{}, false
	r.spread([]string{id}, func(s *step) []string {
		if found = found || s.kind == closure; found || seen[s.id] {
			return nil
		}
		seen[s.id] = true
		return s.leads()
	})
	return found
}

// boundaries finds edges between kinds that do not belong together (spec §12).
func (r *registry) boundaries(s *step) {
	for _, e := range s.edges {
		to := r.byID[e.to]
		if e.implied || to == nil || to == s || s.kind == "" || to.kind == "" || e.intent == closing {
			continue
		}
		if !crosses(s.kind, e.intent, to.kind) {
			r.Warn(e.at, "kind-boundary", fmt.Sprintf("%s of a %s step leads to %s, a %s step", e.intent, s.kind, to.id, to.kind), "")
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
