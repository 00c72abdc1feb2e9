package registry_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// flow returns a registry with a step for each line such as "initial.issue work: next continuation.issue, repeat
// initial.issue", with all prompts and schemas. The first step is the entry.
func flow(lines ...string) fstest.MapFS {
	steps := map[string]any{}
	schemas := map[string]any{}
	out := files("", nil)
	order := []string{}
	for _, line := range lines {
		head, rules, _ := strings.Cut(line, ": ")
		id, kind, _ := strings.Cut(head, " ")
		c2, rest, _ := strings.Cut(id, ".")
		c3 := strings.ReplaceAll(rest, ".", "-")
		transitions, allowed := map[string]any{}, []string{}
		for _, rule := range strings.Split(rules, ", ") {
			intent, to, _ := strings.Cut(rule, " ")
			allowed = append(allowed, intent)
			transitions[intent] = map[string]any{"target": to}
			if to == "" {
				transitions[intent] = map[string]any{"target": nil}
			}
		}
		steps[id] = map[string]any{
			"stepId": id, "name": id, "stepKind": kind, "c2": c2, "c3": c3, "uvVariables": []string{"issue"},
			"outputSchemaRef": map[string]any{"file": "s.json", "schema": id}, "transitions": transitions,
			"structuredGate": map[string]any{"allowedIntents": allowed, "intentSchemaRef": "#/properties/next_action/properties/action", "intentField": "next_action.action"},
		}
		schemas[id] = map[string]any{"type": "object", "required": []string{"next_action"}, "properties": map[string]any{
			"next_action": map[string]any{"type": "object", "properties": map[string]any{"action": map[string]any{"enum": allowed}}},
		}}
		out["agent/prompts/steps/"+c2+"/"+c3+"/f_default.md"] = &fstest.MapFile{Data: []byte("Work on {uv-issue}.")}
		order = append(order, id)
	}
	top := map[string]any{"agentId": "seed", "version": "1.0.0", "c1": "steps", "entryStep": order[0], "steps": steps}
	put := func(name string, v any) {
		data, _ := json.Marshal(v)
		out["agent/"+name] = &fstest.MapFile{Data: data}
	}
	put("steps_registry.json", top)
	put("schemas/s.json", schemas)
	return out
}

// TestMinimalFlow (spec §13, the guide's minimal flow): the flow has 7 edges and one warning.
func TestMinimalFlow(t *testing.T) {
	p := load(flow(
		"initial.issue work: next continuation.issue, repeat initial.issue",
		"continuation.issue work: next continuation.issue, repeat continuation.issue, handoff closure.issue",
		"closure.issue closure: closing , repeat closure.issue",
	), nil)
	if got := codes(p); !slices.Equal(got, []string{"warning next-self /steps/continuation.issue/transitions/next/target"}) {
		t.Error(got)
	}
	edges := 0
	for _, s := range p.Steps {
		edges += len(s.FlowEdges)
	}
	if edges != 7 {
		t.Errorf("%d edges", edges)
	}
}

// TestBranchingFlow (spec §13, the guide's project flow): the flow has 7 steps, 14 edges and only warnings.
func TestBranchingFlow(t *testing.T) {
	p := load(flow(
		"initial.project.preparation work: next continuation.project.preparation, handoff initial.project.review",
		"continuation.project.preparation work: next continuation.project.preparation, handoff initial.project.review",
		"initial.project.review work: next continuation.project.review, repeat initial.project.again, handoff initial.project.closure",
		"continuation.project.review work: next continuation.project.review, repeat initial.project.again, handoff initial.project.closure",
		"initial.project.again work: next continuation.project.again, handoff initial.project.review",
		"continuation.project.again work: handoff initial.project.review",
		"initial.project.closure closure: closing ",
	), nil)
	edges := 0
	for _, s := range p.Steps {
		edges += len(s.FlowEdges)
	}
	if len(p.Steps) != 7 || edges != 14 || !p.Runnable() || len(p.Diagnostics) == 0 {
		t.Errorf("%d steps, %d edges, %v", len(p.Steps), edges, p.Diagnostics)
	}
}

// big returns a registry of n steps, each with a transition to the next step.
func big(n int) fstest.MapFS {
	var lines []string
	for i := range n - 1 {
		to := fmt.Sprintf("handoff closure.s%s", letters(n-1))
		if i < n-2 {
			to = fmt.Sprintf("next continuation.s%s, repeat continuation.s%s", letters(i+1), letters(i))
		}
		lines = append(lines, fmt.Sprintf("continuation.s%s work: %s", letters(i), to))
	}
	return flow(append(lines, fmt.Sprintf("closure.s%s closure: closing ", letters(n-1)))...)
}

// letters writes the digits of a number as letters, because a c3 has no digits.
func letters(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
}

// BenchmarkParse parses a registry of 1,000 steps without its prompt and schema files, because folders are slow in a
// MapFS.
func BenchmarkParse(b *testing.B) {
	files := fstest.MapFS{"agent/steps_registry.json": big(1000)["agent/steps_registry.json"]}
	if p := load(files, nil); !p.Runnable() || len(p.Steps) != 1000 {
		b.Fatal(len(p.Steps), p.Diagnostics[0])
	}
	b.ResetTimer()
	for b.Loop() {
		load(files, nil)
	}
}
