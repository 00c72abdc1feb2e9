package workflow

import (
	"fmt"

	"playhead/parse/plan"
)

// flow follows values through the steps, in order (§4).
type flow struct {
	*document
	initial   map[string]bool // they have a value before the run
	supplied  map[string]bool // by an earlier step
	askedFor  map[string]bool // before the run, since no step supplies an input
	mentioned map[string]bool // anywhere in the document
}

// checkFlow reports what nothing supplies, and what nothing uses.
func (d *document) checkFlow() {
	f := flow{d, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	initial := d.options.initialVariables()
	for _, name := range initial {
		f.initial[name] = true
	}
	for _, s := range d.steps {
		for _, in := range s.inputs {
			f.input(s, in)
		}
		f.uses(s)
		for _, out := range s.outputs {
			f.supplied[out.Variable], f.mentioned[out.Variable] = true, true
		}
	}
	for _, name := range initial {
		if !f.mentioned[name] {
			d.add(place{}, nil, finding{"unused-input", fmt.Sprintf("nothing names the variable %s", name), "correct the name, or leave it out"})
		}
		if !f.askedFor[name] && validName(name) {
			d.inputs = append(d.inputs, plan.Input{Name: name, Type: "string"})
		}
	}
}

// input checks that an input has a value. What no step supplies is asked for before
// the run.
func (f flow) input(s *step, in input) {
	f.mentioned[in.Name] = true
	if f.supplied[in.Name] {
		return
	}
	if !f.initial[in.Name] {
		f.add(in.at, s, finding{"missing-input", "input " + in.Name + " has no value",
			"output " + in.Name + " in an earlier step, or start with --input " + in.Name + "=value"})
	}
	if !f.askedFor[in.Name] {
		f.askedFor[in.Name] = true
		line, _ := f.position(in.at)
		f.inputs = append(f.inputs, plan.Input{Name: in.Name, Type: "string", Description: in.Description, Required: true, Blank: true, Line: line})
	}
}

// uses checks the placeholders of a step, each name once.
func (f flow) uses(s *step) {
	seen := map[string]bool{}
	use := func(line, from, to int) {
		for at, name := range placeholders(f.text[line][from:to]) {
			f.mentioned[name] = true
			if !seen[name] && !f.supplied[name] && !f.askedFor[name] && !f.initial[name] {
				f.add(place{line, from + at}, s, finding{"unknown-placeholder", fmt.Sprintf("nothing supplies [%s]", name), "correct the name, or supply it"})
			}
			seen[name] = true
		}
	}
	if s.desc != nil {
		for i := s.desc.line + 1; i < s.desc.content; i++ {
			use(i, 0, len(f.text[i]))
		}
	}
	for _, t := range s.tools {
		use(t.at.Line, t.at.At, t.at.At+len(t.name))
	}
	for _, a := range s.asserts {
		for _, p := range a.pieces {
			use(p.line, p.from, p.to)
		}
	}
}
