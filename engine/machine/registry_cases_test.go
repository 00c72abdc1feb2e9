package machine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"playhead/engine/machine"
	documents "playhead/parse"
	"playhead/parse/plan"
)

// TestConformance runs the agents in the folder CASES to their ends, with the replies that a person can choose. Without
// CASES it is skipped.
func TestConformance(t *testing.T) {
	cases := os.Getenv("CASES")
	if cases == "" {
		t.Skip("CASES names no folder of documents")
	}
	for _, c := range []struct {
		name         string
		steps, pairs int
		entries      []plan.Entry
	}{
		{"reviewer", 5, 14, []plan.Entry{{Step: "initial.issue"}, {When: "poll:state", Step: "initial.issue"}, {When: "count:iteration", Step: "initial.default"}}},
		{"considerer", 1, 2, []plan.Entry{{Step: "consider"}, {When: "count:iteration", Step: "consider"}}},
	} {
		p := documents.Load(filepath.Join(cases, "climpt", c.name), documents.Options{})
		if !p.Runnable() {
			t.Fatal(p.Diagnostics)
		}
		pairs := 0
		for _, s := range p.Steps {
			pairs += len(s.FlowEdges)
		}
		if len(p.Steps) != c.steps || pairs != c.pairs || len(p.Entries) != len(c.entries) {
			t.Errorf("%s: %d steps, %d pairs, %v", c.name, len(p.Steps), pairs, p.Entries)
		}
		for i, e := range c.entries {
			if p.Entries[i] != e {
				t.Errorf("%s: an entry is %v", c.name, p.Entries[i])
			}
		}
		choices := len(p.FindStep(c.entries[0].Step).Actions[0].Work.(plan.Model).Choices())
		for first := range choices {
			walkRoads(t, p, first)
		}
	}
}

// walkRoads takes the first step's route number first, and then the routes of each step in turn, until the run is over.
func walkRoads(t *testing.T, p *plan.Plan, first int) {
	r := given(t, p, map[string]any{"issue": "7", "project": "p", "requirements_label": "r", "review_label": "v"})
	seen := map[string]int{p.Entries[0].Step: first}
	for {
		n := r.settle()
		switch e := n.Effect.(type) {
		case *machine.CallModel:
			choices := p.FindStep(e.Action.StepLabel).Actions[0].Work.(plan.Model).Choices()
			c := choices[seen[e.Action.StepLabel]%len(choices)]
			seen[e.Action.StepLabel]++
			r.apply(r.m.ResultEvent(plan.Product{Text: c.Reply}))
		case *machine.RunCommand:
			r.apply(r.m.ResultEvent(plan.Product{}))
		default:
			if n.Result == nil {
				t.Fatalf("%s waits: %+v", p.Title, n)
			}
			if n.Result.Result != plan.Completed && n.Result.ErrorCode != "climpt/max-iterations" {
				t.Errorf("%s ended %s: %s", p.Title, n.Result.Result, n.Result.Message)
			}
			if notes := r.warnings(); len(notes) > 0 {
				t.Errorf("%s, route %d: %v", p.Title, first, notes)
			}
			return
		}
	}
}

// TestEveryEdgeCanBeChosen (climpt-registry.md §8, §11): in a registry of 22 steps, every choice of a person leads
// somewhere, and all 49 edges can be taken by choosing.
func TestEveryEdgeCanBeChosen(t *testing.T) {
	taken := map[string]bool{}
	for _, entry := range []string{"initial.intake", "initial.polling", "initial.audit"} {
		p := documents.Load("../../parse/climpt/registry/testdata/porter", documents.Options{Flags: map[string][]string{"entry": {entry}, "max-iterations": {"400"}}})
		if !p.Runnable() {
			t.Fatal(p.Diagnostics)
		}
		walkChoices(t, p, given(t, p, map[string]any{"ticket": "PORT-7", "owner": "me"}), map[string]bool{}, taken)
		if entry != "initial.audit" {
			continue
		}
		edges := 0
		for _, s := range p.Steps {
			edges += len(s.FlowEdges)
			for _, r := range s.Routes {
				if key := s.ID + ": " + r.Do.SourceText; !r.Do.Implicit && !strings.HasPrefix(r.Do.SourceText, "onFailure") && !taken[key] {
					t.Errorf("never taken: %s", key)
				}
			}
		}
		if len(p.Steps) != 22 || edges != 49 {
			t.Errorf("%d steps, %d edges", len(p.Steps), edges)
		}
	}
}

// walkChoices takes every choice of each step from where the step is first reached, and notes which routes were
// taken. It ends where a step is reached again, or the run is over.
func walkChoices(t *testing.T, p *plan.Plan, r *run, reached, taken map[string]bool) {
	n := r.settle()
	for ; ; n = r.settle() {
		if _, runs := n.Effect.(*machine.RunCommand); !runs {
			break
		}
		r.apply(r.m.ResultEvent(plan.Product{}))
	}
	for _, e := range r.events {
		if d, ok := e.Body.(*machine.Decision); ok {
			taken[e.Step+": "+d.Candidates[*d.CandidateIndex].Text] = true
		}
	}
	if notes := r.warnings(); len(notes) > 0 {
		t.Errorf("%v", notes)
	}
	call, asks := n.Effect.(*machine.CallModel)
	if !asks && (n.Result == nil || n.Result.Result != plan.Completed) {
		t.Fatalf("%s ended %+v", p.Title, n.Result)
	}
	if !asks || reached[call.Action.StepLabel] {
		return
	}
	reached[call.Action.StepLabel] = true
	for _, c := range p.FindStep(call.Action.StepLabel).Actions[0].Work.(plan.Model).Choices() {
		next := &run{t: t, m: r.m.Clone(), events: slices.Clone(r.events)}
		next.apply(next.m.ResultEvent(plan.Product{Text: c.Reply}))
		walkChoices(t, p, next, reached, taken)
	}
}
