package registry_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/parse"
	"playhead/parse/plan"
)

// notes is the example of spec §13.
const notes = `{ "agentId": "notes", "version": "1.0.0", "c1": "steps", "entryStepMapping": { "count:iteration": "initial.notes" },
  "failurePatterns": { "todo-left": { "description": "TODO marks remain", "edition": "failed", "adaptation": "todo" } },
  "validators": { "no-todo": { "type": "command", "command": "grep -n TODO NOTES.md || true", "successWhen": "empty", "failurePattern": "todo-left",
    "extractParams": { "lines": "stdout" } } },
  "validationSteps": { "closure.notes": { "stepId": "closure.notes", "name": "Check", "c2": "retry", "c3": "notes",
    "validationConditions": [{ "validator": "no-todo" }], "onFailure": { "action": "retry", "maxAttempts": 1 } } },
  "steps": {
    "initial.notes": { "stepId": "initial.notes", "name": "Collect", "stepKind": "work", "c2": "initial", "c3": "notes", "uvVariables": ["range"],
      "structuredGate": { "allowedIntents": ["next", "repeat"], "intentSchemaRef": "#/properties/act", "intentField": "act", "handoffFields": ["found.size"] },
      "transitions": { "next": { "condition": "size", "targets": { "small": "continuation.notes", "default": "continuation.outline" } },
        "repeat": { "target": "initial.notes" } } },
    "continuation.outline": { "stepId": "continuation.outline", "name": "Outline", "stepKind": "work", "c2": "continuation", "c3": "outline",
      "structuredGate": { "allowedIntents": ["next"], "intentSchemaRef": "#/properties/act", "intentField": "act" }, "transitions": { "next": { "target": "continuation.notes" } } },
    "continuation.notes": { "stepId": "continuation.notes", "name": "Write", "stepKind": "work", "c2": "continuation", "c3": "notes", "uvVariables": ["range"],
      "structuredGate": { "allowedIntents": ["handoff"], "intentSchemaRef": "#/properties/act", "intentField": "act" }, "transitions": { "handoff": { "target": "closure.notes" } } },
    "closure.notes": { "stepId": "closure.notes", "name": "Finish", "stepKind": "closure", "c2": "closure", "c3": "notes",
      "structuredGate": { "allowedIntents": ["closing", "repeat"], "intentSchemaRef": "#/properties/act", "intentField": "act" },
      "transitions": { "closing": { "target": null }, "repeat": { "target": "continuation.notes" } } } } }`

// files are those of an agent directory: a registry, and what is below it.
func files(registry string, more map[string]string) fstest.MapFS {
	fs := fstest.MapFS{"agent/steps_registry.json": {Data: []byte(registry)}}
	for name, text := range more {
		fs["agent/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

var noteFiles = map[string]string{
	"prompts/steps/initial/notes/f_default.md":        "Collect notes on {uv-range}.",
	"prompts/steps/continuation/outline/f_default.md": "Outline them.",
	"prompts/steps/continuation/notes/f_default.md":   "---\nuvVariables: [range]\n---\nWrite them for {uv-range}, {input_text}.",
	"prompts/steps/closure/notes/f_default.md":        "Finish in {literal} braces.",
	"prompts/steps/retry/notes/f_failed_todo.md":      "Still to do:\n{{#if lines}}{{lines}}{{else}}nothing{{/if}}\nin {uv-range}.",
}

func load(fs fstest.MapFS, flags map[string][]string) *plan.Plan {
	return parse.Load("agent", parse.Options{FS: fs, Flags: flags})
}

// codes are the diagnostics of a Plan: severity, code and pointer, each.
func codes(p *plan.Plan) []string {
	out := []string{}
	for _, d := range p.Diagnostics {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Severity, strings.TrimPrefix(d.Code, "climpt/"), d.Pointer)))
	}
	return out
}

// TestExample (spec §13): four diagnostics, and what is asked for.
func TestExample(t *testing.T) {
	p := load(files(notes, noteFiles), nil)
	var want []string
	for _, id := range []string{"initial.notes", "continuation.outline", "continuation.notes", "closure.notes"} {
		want = append(want, "warning incomplete-contract /steps/"+id)
	}
	if diff := cmp.Diff(want, codes(p)); diff != "" {
		t.Error(diff)
	}
	if p.Format != "climpt-registry" || len(p.Inputs) != 1 || p.Inputs[0].Name != "range" || p.Inputs[0].Required {
		t.Errorf("%s asks for %+v", p.Format, p.Inputs)
	}
	edges := 0
	for _, s := range p.Steps {
		edges += len(s.Edges)
	}
	if len(p.Steps) != 4 || edges != 7 || p.Steps[3].Brief != "closure  no-todo, 1 retry" {
		t.Errorf("%d steps, %d edges, %q", len(p.Steps), edges, p.Steps[3].Brief)
	}
}

// TestShow (contract.md): a transition is one route for each of its targets.
func TestShow(t *testing.T) {
	data, err := json.Marshal(load(files(notes, noteFiles), nil))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Entry   []string
		Entries []map[string]string
		Steps   []struct {
			ID      string
			Actions []struct {
				Kind       string
				Validators []string
			}
			Routes []map[string]any
			Extra  map[string]any
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]map[string]string{{"when": "count:iteration", "step": "initial.notes"}}, doc.Entries); diff != "" || doc.Entry[0] != "initial.notes" {
		t.Errorf("%v %s", doc.Entry, diff)
	}
	var got []string
	for _, s := range doc.Steps {
		for _, r := range s.Routes {
			if r["implicit"] == false {
				got = append(got, fmt.Sprint(s.ID, " ", r["on"], " ", r["intent"], " ", r["condition"], "=", r["value"], " ", r["do"], " ", r["target"], " ", r["line"]))
			}
		}
	}
	want := []string{
		"initial.notes intent next size=small goto continuation.notes 10",
		"initial.notes intent next <nil>=<nil> goto continuation.outline 10",
		"initial.notes intent repeat <nil>=<nil> goto initial.notes 11",
		"continuation.outline intent next <nil>=<nil> goto continuation.notes 13",
		"continuation.notes intent handoff <nil>=<nil> goto closure.notes 15",
		"closure.notes intent closing <nil>=<nil> goto caller 6",
		"closure.notes intent closing <nil>=<nil> complete <nil> 18",
		"closure.notes intent repeat <nil>=<nil> goto continuation.notes 18",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	last := doc.Steps[3]
	var kinds []string
	for _, a := range last.Actions {
		kinds = append(kinds, strings.TrimSpace(a.Kind+" "+strings.Join(a.Validators, ",")))
	}
	if !slices.Equal(kinds, []string{"model", "gate", "validate no-todo"}) || last.Extra["stepKind"] != "closure" || last.Extra["gate"] == nil {
		t.Errorf("%v %v", kinds, last.Extra)
	}
}
