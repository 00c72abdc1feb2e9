package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// flowTree draws a flow: its steps hang on the links that lead to them. A step is
// drawn where it is met first, and later referred to.
type flowTree struct {
	plan     *plan.Plan
	steps    map[string]*plan.Step
	drawn    map[string]bool
	deferred []*plan.Step // those that lie too deep
	lines    []string
	width    int
}

// deepestFlow is how many steps hang on each other; what lies deeper is drawn below, at the
// margin.
const deepestFlow = 24

// isFlow reports whether a document's steps are held together by links alone.
func isFlow(p *plan.Plan) bool {
	for _, s := range p.Steps {
		if len(s.Edges) > 0 {
			return true
		}
	}
	return false
}

// writeFlow prints a flow, width columns wide; 0 is as wide as it takes.
func writeFlow(w io.Writer, p *plan.Plan, width int) {
	t := &flowTree{plan: p, steps: map[string]*plan.Step{}, drawn: map[string]bool{}, width: width}
	p.Walk(func(s, _ *plan.Step) bool {
		if t.steps[s.ID] == nil {
			t.steps[s.ID] = s
		}
		return true
	})
	t.roots()
	var rest, sections []*plan.Step
	steps, links := 0, 0
	for _, s := range p.Steps {
		for _, e := range s.Edges {
			if !e.Implied {
				links++
			}
		}
		switch {
		case s.Kind == "section":
			sections = append(sections, s)
			continue
		case !t.drawn[s.ID]:
			rest = append(rest, s)
		}
		steps++
	}
	t.group("Unreachable", rest)
	t.group("Sections", sections)
	fmt.Fprintf(w, "%s   %s, %s\n", sanitize.Plain(p.Title), wording.Count(steps, "step"), wording.Count(links, "edge"))
	for _, line := range t.lines {
		fmt.Fprintln(w, line)
	}
}

// roots draws the flow from the steps where a run can start, with what chooses them.
func (t *flowTree) roots() {
	var entries []*plan.Step
	whens := map[string][]string{}
	for _, e := range t.plan.Entries {
		s := t.steps[e.Step]
		if s != nil && whens[s.ID] == nil {
			entries = append(entries, s)
		}
		whens[e.Step] = append(whens[e.Step], e.When)
	}
	for i, s := range entries {
		chosen := slices.DeleteFunc(whens[s.ID], func(when string) bool { return when == "" })
		t.step(s, "", corner(i == len(entries)-1), strings.TrimRight("  "+strings.Join(chosen, ", "), " "))
		t.drawDeferred()
	}
}

// drawDeferred draws what lay too deep.
func (t *flowTree) drawDeferred() {
	for len(t.deferred) > 0 {
		s := t.deferred[0]
		t.deferred = t.deferred[1:]
		t.step(s, "", corner(true), "")
	}
}

// group draws steps that nothing leads to.
func (t *flowTree) group(title string, steps []*plan.Step) {
	for i, s := range steps {
		if i == 0 {
			t.lines = append(t.lines, title)
		}
		if !t.drawn[s.ID] {
			t.step(s, "", corner(i == len(steps)-1), "")
			t.drawDeferred()
		}
	}
}

// corner returns what is drawn in front of a branch, and what is drawn below it.
func corner(last bool) [2]string {
	if last {
		return [2]string{"└ ", "  "}
	}
	return [2]string{"├ ", "│ "}
}

// step draws a step, and below it where it leads.
func (t *flowTree) step(s *plan.Step, indent string, in [2]string, more string) {
	t.drawn[s.ID] = true
	t.add(indent+in[0], belowStep(s, indent+in[1]), t.name(s)+sanitize.Plain(more))
	t.addDetails(s, indent+in[1])
	t.edges(s, indent+in[1])
}

func (t *flowTree) edges(s *plan.Step, indent string) {
	for i, e := range s.Edges {
		in := corner(i == len(s.Edges)-1)
		to := t.steps[e.To]
		hangs := to != nil && !t.drawn[to.ID]
		deep := hangs && len([]rune(indent)) >= 2*deepestFlow
		line := sanitize.Plain(e.Label) + arrow(e.Implied)
		switch {
		case to == nil && e.To != "":
			line += sanitize.Plain(e.To) + " (no step)"
		case to == nil:
			line += "end"
		case t.drawn[to.ID]:
			line += "↩ " + sanitize.Plain(to.ID)
		default:
			line += t.name(to)
		}
		if e.Then != "" {
			line += "   then" + arrow(true) + sanitize.Plain(e.Then)
		}
		if deep {
			line += "  ↓ below"
			t.deferred = append(t.deferred, to)
		}
		below := indent + in[1]
		if hangs {
			below = belowStep(to, below)
		}
		t.add(indent+in[0], below, line)
		if hangs {
			t.drawn[to.ID] = true
			t.addDetails(to, indent+in[1])
		}
		if hangs && !deep {
			t.edges(to, indent+in[1])
		}
	}
}

// add adds a line, which goes on below if it is too long.
func (t *flowTree) add(first, below, text string) {
	t.lines = append(t.lines, hang(first, below+"  ", text, t.width)...)
}

// addDetails adds what a step does below its line.
func (t *flowTree) addDetails(s *plan.Step, indent string) {
	t.lines = append(t.lines, detailLines(s, belowStep(s, indent), t.width)...)
}

// belowStep returns what is drawn in front of the lines below that of a step, down to its first
// edge.
func belowStep(s *plan.Step, indent string) string {
	if len(s.Edges) > 0 {
		return indent + "│ "
	}
	return indent
}

// arrow returns the arrow of a route, dashed if the document does not write the route.
func arrow(implied bool) string {
	if implied {
		return " ┄→ "
	}
	return " → "
}

// name returns the ID and title of a step, and the short text that its format has for it.
func (t *flowTree) name(s *plan.Step) string {
	name := stepName(s)
	if t.plan.ByID {
		name = sanitize.Plain(s.ID)
	}
	if s.Brief == "" {
		return name
	}
	return name + "  " + sanitize.Plain(s.Brief)
}
