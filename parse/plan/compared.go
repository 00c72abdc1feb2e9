package plan

import "slices"

// Compared are the values that the document's routes compare a variable with.
func (p *Plan) Compared(name string) (out []string) {
	add := func(t *Test) {
		if t != nil && !t.Data && t.Path[0] == name && t.Value != "" && !slices.Contains(out, t.Value) {
			out = append(out, t.Value)
		}
	}
	p.Walk(func(s, _ *Step) bool {
		add(s.When)
		for _, r := range s.Routes {
			add(r.When.Test)
		}
		return true
	})
	return out
}
