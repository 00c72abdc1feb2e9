package playbook

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// leftOut are the codes of findings by which something that the document says does not
// happen: a question that nobody is asked, a branch that is never taken. A run says it
// again where that would have been.
var leftOut = []string{
	"condition-syntax", "branch-structure", "elicit-type", "elicit-arguments", "directive-repeat", "directive-syntax", "directive-like",
	"directive-outside", "heading-like", "tool-arguments", "unclosed-fence",
}

// warnings gives each step the findings about what is left out in its lines, or behind
// them.
func (d *document) warnings() {
	for _, f := range d.sorted() {
		code := f.Code[len(Format)+1:]
		if len(d.steps) == 0 || !slices.Contains(leftOut, code) {
			continue
		}
		s := d.stepBefore(f.Line)
		if s == nil {
			s = d.steps[0]
		}
		p := s.partAt(f.Line - 1)
		p.notes = append(p.notes, plan.Note{Code: f.Code, Message: fmt.Sprintf("line %d: %s; %s", f.Line, f.Message, f.Suggestion)})
	}
}

// partAt is the sub-step whose lines hold one, or else the step itself.
func (s *step) partAt(line int) *part {
	subs := s.parts[1:]
	n, _ := slices.BinarySearchFunc(subs, line+1, func(p *part, line int) int { return cmp.Compare(p.head, line) })
	if n > 0 && line <= subs[n-1].last {
		return subs[n-1]
	}
	return &s.part
}
