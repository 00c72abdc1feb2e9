package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// shownPlaybook is the part of show --json that is needed to run a playbook with made-up values.
type shownPlaybook struct {
	Inputs []struct {
		Name, Type string
		Options    []string
	}
	Steps []shownStep
}

type shownStep struct {
	Label     string
	Condition struct{ Variable, Value string }
	Actions   []struct {
		Kind, Type, Tool  string
		Variable, Extract string
		Options           []string
	}
	Children []shownStep
}

// prepared holds all inputs, answers and replies of one run. Each world is a run in which every choice takes another of
// its options.
type prepared struct {
	world    int
	choices  map[string][]string // by variable: its options, or the values it is compared with
	widest   int                 // the largest number of options
	inputs   map[string]any
	answers  map[string]any
	replies  map[string]any
	expected []string // labels of the steps that do something
}

// runsToItsEnd runs a playbook headless with made-up values, until each option was used once: each run completes, and
// together they enter every step.
func runsToItsEnd(t *testing.T, file string) {
	stdout, stderr, status := runApp(t, "show", "--json", file)
	var doc shownPlaybook
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || status != exitOK {
		t.Fatalf("show: status %d, %v\n%s", status, err, stderr)
	}
	entered := map[string]bool{}
	worlds := 1
	for world := 0; world < worlds; world++ {
		p := doc.prepare(world)
		worlds = p.widest
		for _, label := range p.run(t, file) {
			entered[label] = true
		}
		for _, label := range p.expected {
			if world == worlds-1 && !entered[label] {
				t.Errorf("%s was never entered", label)
			}
		}
	}
	t.Logf("%d runs", worlds)
}

func (s shownPlaybook) prepare(world int) *prepared {
	p := &prepared{
		world: world, widest: 1, choices: map[string][]string{},
		inputs: map[string]any{}, answers: map[string]any{}, replies: map[string]any{},
	}
	p.compared(s.Steps)
	for _, in := range s.Inputs {
		switch in.Type {
		case "number":
			p.inputs[in.Name] = 12
		case "boolean":
			p.inputs[in.Name] = p.choose([]string{"true", "false"})
		case "enum":
			p.inputs[in.Name] = p.choose(in.Options)
		default:
			p.inputs[in.Name] = "some words as " + in.Name + "\nand a second line with {{" + in.Name + "}}"
		}
	}
	p.say(s.Steps)
	return p
}

// compared collects the values that conditions compare variables with, and for each variable one other value.
func (p *prepared) compared(steps []shownStep) {
	for _, s := range steps {
		if c := s.Condition; c.Variable != "" {
			if p.choices[c.Variable] == nil {
				p.choices[c.Variable] = []string{"none of them"}
			}
			p.choices[c.Variable] = append(p.choices[c.Variable], c.Value)
		}
		p.compared(s.Children)
	}
}

func (p *prepared) choose(options []string) string {
	p.widest = max(p.widest, len(options))
	return options[p.world%len(options)]
}

// say makes up the answers, tool results and replies of all steps.
func (p *prepared) say(steps []shownStep) {
	for _, s := range steps {
		fields := map[string]any{"confidence": 0.9, "list": []int{1, 2}}
		whole := ""
		for _, a := range s.Actions {
			switch a.Kind {
			case "ask":
				p.answers[s.Label] = p.answer(a.Type, a.Options)
			case "tool":
				p.replies[s.Label+"/tool/"+a.Tool] = `{"rows": [1, 2, 3]}`
			case "capture":
				options := a.Options
				if options == nil {
					options = p.choices[a.Variable]
				}
				if options != nil && a.Extract == "" {
					whole = p.choose(options)
				}
				if options == nil {
					options = []string{"a value"}
				}
				fields[a.Extract] = p.choose(options)
			}
		}
		if len(s.Actions) > 0 {
			p.expected = append(p.expected, s.Label)
		}
		object, _ := json.Marshal(fields) // plain data
		p.replies[s.Label] = whole
		if whole == "" {
			p.replies[s.Label] = fmt.Sprintf("Here it is, for `%s`:\n\n```json\n%s\n```\n", s.Label, object)
		}
		p.say(s.Children)
	}
}

func (p *prepared) answer(kind string, options []string) string {
	switch kind {
	case "confirm":
		return p.choose([]string{"yes", "no"})
	case "select":
		return p.choose(options)
	}
	return "words of a person"
}

// run runs the document and returns the path of the run.
func (p *prepared) run(t *testing.T, file string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"run", file, "--json"}
	for name, values := range map[string]map[string]any{"inputs": p.inputs, "answers": p.answers, "replies": p.replies} {
		data, _ := json.Marshal(values) // plain data always encodes, and JSON is YAML
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--"+name, path)
	}
	stdout, stderr, status := runApp(t, args...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var end struct {
		Result  plan.RunResult
		Message string
		Path    []string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil {
		t.Fatalf("world %d: status %d, %v\n%s", p.world, status, err, stderr)
	}
	if end.Result != plan.Completed || status != exitOK {
		t.Errorf("world %d: %s, %q (path %s)\ninputs %v, answers %v", p.world, end.Result, end.Message, end.Path, p.inputs, p.answers)
	}
	return end.Path
}
