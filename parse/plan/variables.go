package plan

import "slices"

// Setter is a Judge that gives variables values.
type Setter interface {
	Judge
	// Sets are the names of those that it can give one.
	Sets() []string
}

// Variables are the names that the document can give a value to: those of its inputs, of
// what its steps ask for, and of what they capture. Each is there once.
func (p *Plan) Variables() (out []string) {
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, in := range p.Inputs {
		add(in.Name)
	}
	p.Walk(func(s, _ *Step) bool {
		for _, a := range s.Actions {
			if sets, ok := a.Judge.(Setter); ok {
				add(sets.Sets()...)
			}
			if ask, ok := a.Work.(Ask); ok {
				for _, f := range ask.Fields {
					add(f.Name)
				}
			}
		}
		return true
	})
	return out
}
