package playbook

import (
	"fmt"
	"maps"
)

// flow visits the steps in the order in which they run, and tracks which variables can be defined
// at each point (spec §8).
type flow struct {
	d       *document
	defined map[string]*definition // outputs and answers so far
	later   map[string]*part       // where a name is first stored, anywhere
	used    map[string]bool
	inArm   bool
	undo    []change // the changes of defined since the arm began
}

// definition is the set of possible values of an output or an answer.
type definition struct {
	options map[string]bool // nil: any value
}

// change is a name and its definition before the change.
type change struct {
	name   string
	before *definition
}

// checkFlow checks every place that reads or stores a variable.
func (d *document) checkFlow() {
	f := &flow{d: d, defined: map[string]*definition{}, later: map[string]*part{}, used: map[string]bool{}}
	f.collect()
	for _, s := range d.steps {
		f.step(s)
	}
	f.everywhere(d.system.reads())
	if m := variableOnly.FindStringSubmatch(d.artifact.kind); m != nil {
		f.everywhere([]variableUse{{name: m[1], at: d.artifact.place}})
	}
	if len(d.steps) > 0 && !d.fetches { // fetched text may read any of them
		f.unused()
	}
}

// collect finds all names that are stored.
func (f *flow) collect() {
	for _, s := range f.d.steps {
		for _, p := range s.parts {
			if p.elicit != nil {
				f.first(answerName(p.number), p)
			}
			for _, o := range p.stores {
				f.shadow(o)
				f.first(o.name, p)
			}
		}
	}
}

// shadow warns, once, of an output with the name of an input.
func (f *flow) shadow(o *output) {
	if f.d.input[o.name] == nil || o.shadows {
		return
	}
	o.shadows = true
	f.d.add(o.at, finding{"output-shadows-input", fmt.Sprintf("%q is an input, which takes precedence: this output is not stored", o.name), "give the output another name"})
}

func (f *flow) first(name string, p *part) {
	if f.later[name] == nil {
		f.later[name] = p
	}
}

func (f *flow) step(s *step) {
	f.part(&s.part)
	for _, b := range s.blocks {
		f.block(b)
	}
}

// part reads and stores in the order of spec §5: tool, question, prompt, placeholders, output.
func (f *flow) part(p *part) {
	if t := p.tool; t != nil {
		f.reads(readsIn(t.args, t.argsAt), true)
	}
	if e := p.elicit; e != nil {
		f.reads(readsIn(e.text, e.textAt), true)
		f.define(answerName(p.number), e.answers())
	}
	if r := p.prompt; r != nil {
		f.reads(readsIn(r.id, r.idAt), r.variable == "")
	}
	f.reads(p.content.reads(), true)
	for _, o := range p.stores {
		if !o.shadows && p.acts() {
			f.define(o.name, p.values(o))
		}
	}
}

// values returns the possible values of an output of the part, nil for any.
func (p *part) values(o *output) map[string]bool {
	switch {
	case o.kind == "enum" && len(o.options) > 0:
		return setOf(o.options)
	case p.elicit != nil && p.tool == nil && !p.callsModel() && o.extract == "" && o.kind == "":
		return p.elicit.answers()
	}
	return nil
}

// answers returns the possible answers to a question, nil for any.
func (e *elicit) answers() map[string]bool {
	if e.kind == "confirm" {
		return setOf([]string{"yes", "no"})
	}
	return setOf(e.options)
}

// define stores a name. Its possible values are added to those it had before.
func (f *flow) define(name string, options map[string]bool) {
	before := f.defined[name]
	if before != nil {
		options = union(options, before.options)
	}
	if f.inArm {
		f.undo = append(f.undo, change{name, before})
	}
	f.defined[name] = &definition{options}
}

// maxOptions limits the work for names that are stored again and again.
const maxOptions = 64

// union returns the values of both sets. It returns nil, for any value, if one is nil or there are
// too many.
func union(a, b map[string]bool) map[string]bool {
	if a == nil || b == nil || len(a)+len(b) > maxOptions {
		return nil
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// block checks conditions and arms. Each arm sees what was defined before the block, and what
// follows sees the definitions of all arms.
func (f *flow) block(b *block) {
	for _, a := range b.arms {
		f.condition(&a.cond)
	}
	f.reach(b)
	var stored []change
	f.inArm = true
	for _, a := range b.arms {
		for _, p := range a.subs {
			f.part(p)
		}
		stored = f.leave(stored)
	}
	f.inArm = false
	for _, c := range stored {
		f.define(c.name, c.before.options)
	}
}

// leave removes the definitions of an arm, and adds them to those of the arms before.
func (f *flow) leave(stored []change) []change {
	for i := len(f.undo) - 1; i >= 0; i-- {
		c := f.undo[i]
		stored = append(stored, change{c.name, f.defined[c.name]})
		if f.defined[c.name] = c.before; c.before == nil {
			delete(f.defined, c.name)
		}
	}
	f.undo = f.undo[:0]
	return stored
}

// condition finds out where a condition's variable comes from.
func (f *flow) condition(c *condition) {
	if c.variable == "" {
		return
	}
	f.used[c.variable] = true
	switch {
	case f.d.input[c.variable] != nil:
		c.source = "input"
	case f.defined[c.variable] != nil:
		c.source = "output"
	default:
		c.source = "unknown"
		f.d.add(c.at, finding{"condition-variable", fmt.Sprintf("no input and no earlier @output defines %q: it is empty here%s", c.variable, f.whereLater(c.variable)), "compare an input, or the @output of an earlier step"})
	}
}

// reads checks placeholders against the definitions so far. If nothing defines a placeholder, it
// stays literal text, or its step fails.
func (f *flow) reads(all []variableUse, literal bool) {
	for _, r := range all {
		f.used[r.name] = true
		if r.fallback || f.d.input[r.name] != nil || f.defined[r.name] != nil {
			continue
		}
		consequence := "the step fails"
		if literal {
			consequence = "{{" + r.name + "}} stays as it is"
		}
		f.d.add(r.at, finding{"placeholder-undefined", fmt.Sprintf("nothing defines %q before it: %s%s", r.name, consequence, f.whereLater(r.name)), "name an input, or the @output of an earlier step"})
	}
}

// everywhere checks the placeholders of texts that are rendered throughout the run.
func (f *flow) everywhere(all []variableUse) {
	for _, r := range all {
		f.used[r.name] = true
		if !r.fallback && f.d.input[r.name] == nil && f.later[r.name] == nil {
			f.d.add(r.at, finding{"placeholder-undefined", fmt.Sprintf("nothing defines %q: {{%s}} stays as it is", r.name, r.name), "name an input, or the @output of a step"})
		}
	}
}

func (f *flow) whereLater(name string) string {
	if p := f.later[name]; p != nil {
		return fmt.Sprintf("; %s stores it, but is not an earlier step", p.name())
	}
	return ""
}

// unused reports what is declared or stored and never read.
func (f *flow) unused() {
	for _, in := range f.d.inputs {
		if !f.used[in.Name] {
			f.d.add(in.at, finding{"unused-input", fmt.Sprintf("nothing reads the input %q", in.Name), "write {{" + in.Name + "}} where it is needed, or remove it"})
		}
	}
	for _, s := range f.d.steps {
		for _, p := range s.parts {
			for _, o := range p.stores {
				f.warnUnused(o)
			}
		}
	}
}

func (f *flow) warnUnused(o *output) {
	if o.shadows || f.used[o.name] {
		return
	}
	f.used[o.name] = true
	f.d.add(o.at, finding{"unused-output", fmt.Sprintf("nothing reads the output %q by its name", o.name), "write {{" + o.name + "}} where it is needed, or remove the @output"})
}
