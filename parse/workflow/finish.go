package workflow

import (
	"playhead/parse/source"
	"strings"
)

// finish reads what a step's lines hold, once they are all there.
func (d *document) finish(s *step) {
	d.describe(s)
	inputs, outputs := map[string]int{}, map[string]bool{}
	for _, l := range s.lists {
		for _, it := range l.items {
			if it.join(d.text); it.text == "" {
				d.add(it.place(0), s, finding{"item-dropped", "this item is empty, so it is ignored", "write what it is, or remove it"})
				continue
			}
			switch l.part {
			case toolsPart:
				d.readTools(s, it)
			case inputsPart:
				d.readInput(s, it, inputs)
			case outputsPart:
				d.readOutput(s, it, outputs)
			case assertsPart:
				s.asserts = append(s.asserts, it)
			}
		}
	}
	if !s.tried {
		d.add(d.head(s), s, finding{"missing-tool-spec", "the step names no tool", "add a TOOL or TOOLS section: `" + toolsPart.canonical("x") + " name`"})
	}
}

// head is where a step's heading is.
func (d *document) head(s *step) place {
	return place{s.line, strings.IndexByte(d.text[s.line], '#')}
}

// describe makes a step's description of its first block (§3.2).
func (d *document) describe(s *step) {
	if f := s.desc; f != nil {
		lines := make([]string, 0, f.content-f.line)
		for i := f.line + 1; i < f.content; i++ {
			lines = append(lines, unindent(d.text[i], f.indent))
		}
		s.text = strings.TrimSpace(strings.Join(lines, "\n"))
	}
	if s.text == "" {
		d.add(d.head(s), s, finding{"missing-description", "the step has no description", "write its instruction into a fenced block below the heading"})
	}
}

// unindent takes at most n blanks away.
func unindent(text string, n int) string {
	_, blanks := source.Indent(text)
	return text[min(n, blanks):]
}
