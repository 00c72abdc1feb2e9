package show

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// flowTree draws a flow as a tree: each step is below the link that leads to it. A step is drawn at the
// first link to it; other links only refer to it.
type flowTree struct {
	plan          *plan.Plan
	stepByID      map[string]*plan.Step
	isDrawn       map[string]bool
	deferredSteps []*plan.Step // the steps that are too deep and are drawn later
	lines         []string
	width         int
}

// maxFlowDepth is the maximum depth of the tree. Deeper steps are drawn below it, at the left margin.
const maxFlowDepth = 24

// isFlow reports whether the steps of a document are connected by links.
func isFlow(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Steps, func(s *plan.Step) bool { return len(s.FlowEdges) > 0 })
}

// writeFlow writes a flow in lines of at most width columns; 0 means no limit.
func writeFlow(w io.Writer, p *plan.Plan, width int) {
	t := &flowTree{plan: p, stepByID: map[string]*plan.Step{}, isDrawn: map[string]bool{}, width: width}
	p.Walk(func(s, _ *plan.Step) bool {
		if t.stepByID[s.ID] == nil {
			t.stepByID[s.ID] = s
		}
		return true
	})
	t.drawRoots()
	var rest, sections []*plan.Step
	steps, links := 0, 0
	for _, s := range p.Steps {
		for _, e := range s.FlowEdges {
			if !e.Implicit {
				links++
			}
		}
		switch {
		case s.Kind == "section":
			sections = append(sections, s)
			continue
		case !t.isDrawn[s.ID]:
			rest = append(rest, s)
		}
		steps++
	}
	t.drawGroup("Unreachable", rest)
	t.drawGroup("Sections", sections)
	fmt.Fprintf(w, "%s   %s, %s\n", sanitize.Plain(p.Title), plan.CountText(steps, "step"), plan.CountText(links, "edge"))
	for _, line := range t.lines {
		fmt.Fprintln(w, line)
	}
}

// drawRoots draws the flow from the steps at which a run can start, with the conditions that choose them, in the order of
// the document (climpt-registry.md §11).
func (t *flowTree) drawRoots() {
	var entries []*plan.Step
	conditionsByStep := map[string][]string{}
	for _, e := range t.plan.Entries {
		if e.When != "" {
			conditionsByStep[e.Step] = append(conditionsByStep[e.Step], e.When)
		}
	}
	for _, e := range t.plan.Entries {
		s := t.stepByID[e.Step]
		isListedLater := e.When == "" && conditionsByStep[e.Step] != nil
		if s != nil && !isListedLater && !slices.Contains(entries, s) {
			entries = append(entries, s)
		}
	}
	for i, s := range entries {
		prefixes, note := branchPrefixes(i == len(entries)-1), strings.TrimRight("  "+strings.Join(conditionsByStep[s.ID], ", "), " ")
		if t.isDrawn[s.ID] {
			t.addLine(prefixes[0], prefixes[1], "↩ "+sanitize.Plain(s.ID+note))
			continue
		}
		t.drawStep(s, "", prefixes, note)
		t.drawDeferred()
	}
}

// drawDeferred draws the steps that were too deep.
func (t *flowTree) drawDeferred() {
	for len(t.deferredSteps) > 0 {
		s := t.deferredSteps[0]
		t.deferredSteps = t.deferredSteps[1:]
		t.drawStep(s, "", branchPrefixes(true), "")
	}
}

// drawGroup draws steps without a link to them, below a title.
func (t *flowTree) drawGroup(title string, steps []*plan.Step) {
	for i, s := range steps {
		if i == 0 {
			t.lines = append(t.lines, title)
		}
		if !t.isDrawn[s.ID] {
			t.drawStep(s, "", branchPrefixes(i == len(steps)-1), "")
			t.drawDeferred()
		}
	}
}

// branchPrefixes returns the prefix of the first line of a branch, and that of the lines below it.
func branchPrefixes(last bool) [2]string {
	if last {
		return [2]string{"└ ", "  "}
	}
	return [2]string{"├ ", "│ "}
}

// drawStep draws a step with a note behind its text, and its links below it. prefixes are those of branchPrefixes.
func (t *flowTree) drawStep(s *plan.Step, indent string, prefixes [2]string, note string) {
	t.isDrawn[s.ID] = true
	t.addLine(indent+prefixes[0], prefixBelowStep(s, indent+prefixes[1]), t.stepText(s)+sanitize.Plain(note))
	t.addDetails(s, indent+prefixes[1])
	t.drawEdges(s, indent+prefixes[1])
}

// drawEdges draws the links of a step, and the steps to which they are the first links.
func (t *flowTree) drawEdges(s *plan.Step, indent string) {
	for i, e := range s.FlowEdges {
		prefixes := branchPrefixes(i == len(s.FlowEdges)-1)
		to := t.stepByID[e.To]
		isFirstLink := to != nil && !t.isDrawn[to.ID]
		isTooDeep := isFirstLink && len([]rune(indent)) >= 2*maxFlowDepth
		line := sanitize.Plain(e.Label) + routeArrow(e.Implicit)
		switch {
		case to == nil && e.To != "":
			line += sanitize.Plain(e.To) + " (no such step)"
		case to == nil:
			line += "end"
		case t.isDrawn[to.ID]:
			line += "↩ " + sanitize.Plain(to.ID)
		default:
			line += t.stepText(to)
		}
		if e.AfterLimitText != "" {
			line += "   then" + routeArrow(true) + sanitize.Plain(e.AfterLimitText)
		}
		if isTooDeep {
			line += "  ↓ below"
			t.deferredSteps = append(t.deferredSteps, to)
		}
		below := indent + prefixes[1]
		if !isFirstLink {
			t.addLine(indent+prefixes[0], below, line)
			continue
		}
		t.isDrawn[to.ID] = true
		t.addLine(indent+prefixes[0], prefixBelowStep(to, below), line)
		t.addDetails(to, below)
		if !isTooDeep {
			t.drawEdges(to, below)
		}
	}
}

// addLine adds a line, and wraps it if it is too long.
func (t *flowTree) addLine(first, below, text string) {
	t.lines = append(t.lines, wrapWithPrefixes(first, below+"  ", text, t.width)...)
}

// addDetails adds what a step does below its line.
func (t *flowTree) addDetails(s *plan.Step, indent string) {
	t.lines = append(t.lines, detailLines(s, prefixBelowStep(s, indent), t.width)...)
}

// prefixBelowStep returns the prefix of the lines below a step, down to its first edge.
func prefixBelowStep(s *plan.Step, indent string) string {
	if len(s.FlowEdges) > 0 {
		return indent + "│ "
	}
	return indent
}

// routeArrow returns the arrow of a route, dashed if the document does not write the route.
func routeArrow(implied bool) string {
	if implied {
		return " ┄→ "
	}
	return " → "
}

// stepText returns the ID and title of a step, and the short text that its format has for it.
func (t *flowTree) stepText(s *plan.Step) string {
	name := stepName(s)
	if t.plan.ShowsOnlyIDs {
		name = sanitize.Plain(s.ID)
	}
	if s.TitleNote == "" {
		return name
	}
	return name + "  " + sanitize.Plain(s.TitleNote)
}
