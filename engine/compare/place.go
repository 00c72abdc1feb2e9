package compare

import (
	"fmt"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// places know, as a run goes on, which step of which document a label stands for.
type places []*place

// place is a document that the run goes through.
type place struct {
	prefix  string // of its labels: 1/lint/
	name    string // of its keys: that of the step that includes it, and its own
	plan    *plan.Plan
	steps   map[string]*plan.Step
	parents map[string]*plan.Step
	numbers map[string]int // the current instances of template steps
}

func newPlace(p *plan.Plan, prefix, name string) *place {
	at := &place{
		prefix: prefix, name: name, plan: p,
		steps: map[string]*plan.Step{}, parents: map[string]*plan.Step{}, numbers: map[string]int{},
	}
	if p != nil {
		p.Walk(func(s, parent *plan.Step) bool {
			at.steps[s.ID], at.parents[s.ID] = s, parent
			return true
		})
	}
	return at
}

// of is the innermost document that a label is in.
func (ps places) of(label string) *place {
	found := ps[0]
	for _, p := range ps[1:] {
		if strings.HasPrefix(label, p.prefix) && len(p.prefix) > len(found.prefix) {
			found = p
		}
	}
	return found
}

// follow takes over what an event says about documents and instances.
func (ps *places) follow(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.Entered:
		at := ps.of(e.Step)
		for _, n := range b.Numbers {
			at.numbers[n.ID] = n.N
		}
	case *machine.ChildEntered:
		at := ps.of(e.Step)
		var p *plan.Plan
		if at.plan != nil {
			child, _ := at.plan.Child(b.Document)
			p = child.Plan
		}
		key := at.key(e.StepID()) + strings.TrimPrefix(b.Label, e.Step) + "/"
		*ps = append(*ps, newPlace(p, b.Label+"/", key))
	}
}

// key identifies a step in every run of its document, and the instance of it that is
// the current one. A step that the document does not have is known by its id.
func (p *place) key(id string) string {
	s := p.steps[id]
	if s == nil {
		return p.name + id
	}
	key := p.name + s.Key
	for ; s != nil; s = p.parents[s.ID] {
		if s.Template {
			key += fmt.Sprintf("#%d", p.numbers[s.ID])
		}
	}
	return key
}
