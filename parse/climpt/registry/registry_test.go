package registry_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/parse"
	"playhead/parse/plan"
)

// notes is the example of spec §13.
var notes = read("testdata/notes/steps_registry.json")

func read(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// files returns the files of an agent directory: a registry and other files.
func files(registry string, more map[string]string) fstest.MapFS {
	out := fstest.MapFS{"agent/steps_registry.json": {Data: []byte(registry)}}
	for name, text := range more {
		out["agent/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// noteFiles returns the example and its prompts.
func noteFiles() fstest.MapFS {
	out := fstest.MapFS{}
	root := os.DirFS("testdata/notes")
	_ = fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := fs.ReadFile(root, path)
			out["agent/"+path] = &fstest.MapFile{Data: data}
		}
		return err
	})
	return out
}

func load(files fstest.MapFS, flags map[string][]string) *plan.Plan {
	return parse.Load("agent", parse.Options{FS: files, Flags: flags})
}

// codes returns the severity, code and pointer of each diagnostic of a Plan.
func codes(p *plan.Plan) []string {
	out := []string{}
	for _, d := range p.Diagnostics {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Severity, strings.TrimPrefix(d.Code, "climpt/"), d.Pointer)))
	}
	return out
}

// TestWarningCodes (spec §12): the warnings of a run have codes of climpt too.
func TestWarningCodes(t *testing.T) {
	if got := load(noteFiles(), nil).WarningCode("turn-limit"); got != "climpt/turn-limit" {
		t.Errorf("the code is %s", got)
	}
}

// TestExample (spec §13): the example has four warnings and one input.
func TestExample(t *testing.T) {
	p := load(noteFiles(), nil)
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
		edges += len(s.FlowEdges)
	}
	if len(p.Steps) != 4 || edges != 7 || p.Steps[3].TitleNote != "closure  no-todo, 1 retry" {
		t.Errorf("%d steps, %d edges, %q", len(p.Steps), edges, p.Steps[3].TitleNote)
	}
}

// TestShow: a transition has one route for each of its targets.
func TestShow(t *testing.T) {
	data, err := json.Marshal(load(noteFiles(), nil))
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
		"closure.notes intent closing <nil>=<nil> complete <nil> 18",
		"closure.notes intent repeat <nil>=<nil> goto continuation.notes 18",
		"closure.notes intent closing <nil>=<nil> goto caller 6",
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

// TestChoices (spec §7, §8): a person can choose each reply that the gate allows, with the step that it leads to.
func TestChoices(t *testing.T) {
	const rules = `"next": { "condition": "size", "targets": { "small": "continuation.notes", "default": "continuation.outline" } },
        "repeat": { "target": "initial.notes" }`
	for _, c := range []struct{ step, old, new, want string }{
		{"initial.notes", "", "", `next size=small → continuation.notes|next size=any other value (default) → continuation.outline|repeat → initial.notes`},
		{"continuation.outline", "", "", "next → continuation.notes"},
		{"closure.notes", "", "", "closing → end|repeat → continuation.notes"},
		{"initial.notes", rules, ``, "next → continuation.notes|repeat → initial.notes"},
		{"initial.notes", rules, `"next": { "target": null }`, "next → end|repeat → initial.notes"},
		{"continuation.outline", `"allowedIntents": ["next"]`, `"targetField": "to", "allowedIntents": ["next", "jump", "abort"]`,
			"next → continuation.notes|jump initial.notes → initial.notes|jump continuation.outline → continuation.outline|" +
				"jump continuation.notes → continuation.notes|jump closure.notes → closure.notes|abort → end"},
	} {
		if !strings.Contains(notes, c.old) {
			t.Fatalf("there is no %s", c.old)
		}
		all := noteFiles()
		all["agent/steps_registry.json"] = &fstest.MapFile{Data: []byte(strings.Replace(notes, c.old, c.new, 1))}
		var got []string
		for _, one := range load(all, nil).FindStep(c.step).Actions[0].Work.(plan.Model).Choices() {
			got = append(got, one.Name+" → "+one.To)
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.step, c.new, text, c.want)
		}
	}
}

// TestChoiceOfDefault: the choice for the default target of a rule replies with a value that no target lists.
func TestChoiceOfDefault(t *testing.T) {
	for target, want := range map[string]string{"small": `"size":"other"`, "other": `"size":"any other"`} {
		all := noteFiles()
		all["agent/steps_registry.json"] = &fstest.MapFile{Data: []byte(strings.Replace(notes, `"targets": { "small"`, fmt.Sprintf(`"targets": { %q`, target), 1))}
		c := load(all, nil).FindStep("initial.notes").Actions[0].Work.(plan.Model).Choices()[1]
		if !strings.Contains(c.Reply, want) || c.Name != "next size=any other value (default)" {
			t.Errorf("%s: %s: %s", target, c.Name, c.Reply)
		}
	}
}

// TestLineOfValue: the route of a conditional rule has the line of the compared value, not of its target.
func TestLineOfValue(t *testing.T) {
	const written = `"targets": { "small": "continuation.notes", "default"`
	if !strings.Contains(notes, written) {
		t.Fatalf("there is no %s", written)
	}
	before, _, _ := strings.Cut(notes, written)
	all := noteFiles()
	all["agent/steps_registry.json"] = &fstest.MapFile{Data: []byte(strings.Replace(notes, written, "\"targets\": {\n\"small\":\n\"continuation.notes\",\n\"default\"", 1))}
	routes := load(all, nil).FindStep("initial.notes").Routes
	first := strings.Count(before, "\n") + 2
	if small, other := routes[0].Do.Span.Line, routes[1].Do.Span.Line; small != first || other != first+2 {
		t.Errorf("at lines %d and %d, want %d and %d", small, other, first, first+2)
	}
}
