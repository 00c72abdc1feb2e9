// Package decision draws the decisions of a run: the candidates of one in columns, and what
// the outcome that it was made about was judged by.
package decision

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
)

// CandidateLines is the candidates of a decision in lines.
type CandidateLines struct {
	Lines    []string
	Of       []int // of each line, which candidate it is about; -1: several
	From, To int   // the lines of the one that was taken; 0, 0: none was, or a person decided
}

// Candidates sets the candidates of a decision in columns, w cells wide together: mark, line,
// text, why. What is too long for its column goes on below it: nothing is cut.
func Candidates(l *draw.Look, r *track.Row, d *machine.Decision, w int) (out CandidateLines) {
	var c table
	defaults := untakenDefaults(d)
	for i := range d.Candidates {
		if !slices.Contains(defaults, i) {
			c.add(l, r, d, i)
		}
	}
	if len(defaults) > 0 {
		c.append(l, candidateRow{index: -1, text: defaultRoutes(len(defaults)), why: "not taken"})
	}
	c.share(l, w)
	for _, r := range c.rows {
		from := len(out.Lines)
		out.add(r.index, c.lines(l, r)...)
		if r.taken {
			out.From, out.To = from, len(out.Lines)
		}
	}
	return out
}

func (c *CandidateLines) add(candidate int, lines ...string) {
	for _, line := range lines {
		c.Lines, c.Of = append(c.Lines, line), append(c.Of, candidate)
	}
}

// Before draws the decision that led to a step, in lines of at most w cells: from 2, line 38 → 2b.
func Before(l *draw.Look, from *track.Row, d *machine.Decision, w int) []string {
	ink := l.Text
	if d.ByPerson {
		ink = l.Warn
	}
	lines := l.Wrap(wording.DecisionAt(from, d), w)
	for i := range lines {
		lines[i] = ink.Paint(lines[i])
	}
	return lines
}

// table is candidates and the widths of their columns.
type table struct {
	rows       []candidateRow
	line, text int
	room       int // for text and why
}

// candidateRow is a candidate as a row of text cells.
type candidateRow struct {
	index           int // of the candidate; -1: of several
	line, text, why string
	taken           bool
}

func (c *table) add(l *draw.Look, step *track.Row, d *machine.Decision, i int) {
	x := d.Candidates[i]
	r := candidateRow{index: i, text: routeText(step, x.Text, x.Implicit), why: wording.Candidate(d, i)}
	r.taken = d.CandidateIndex != nil && *d.CandidateIndex == i && !d.ByPerson
	if x.Line > 0 && !x.Implicit {
		r.line = LineNo(x.Line, false)
	}
	c.append(l, r)
}

// mostDefaults is how many default routes that were not taken have rows of their own.
const mostDefaults = 2

// untakenDefaults are the places of the default routes of the format that were not taken, if they
// are too many for rows of their own.
func untakenDefaults(d *machine.Decision) []int {
	var out []int
	for i, c := range d.Candidates {
		if c.Implicit && (d.CandidateIndex == nil || *d.CandidateIndex != i) {
			out = append(out, i)
		}
	}
	if len(out) <= mostDefaults {
		return nil
	}
	return out
}

func (c *table) append(l *draw.Look, r candidateRow) {
	c.rows = append(c.rows, r)
	c.line = max(c.line, len(r.line))
}

// MarkWidth is the column before the number of a route's line, in cells: the mark of the selection, and
// the arrow of the route that was taken.
const MarkWidth = 4

// whyGap is the room between a route and why it was taken or not, in cells.
const whyGap = 2

// share makes the column of texts as wide as the rows need that have room for both text and why.
func (c *table) share(l *draw.Look, w int) {
	c.room, c.text = w-MarkWidth-c.line-whyGap, 0
	for _, r := range c.rows {
		if text := l.Width(r.text); text+l.Width(r.why) <= c.room {
			c.text = max(c.text, text)
		}
	}
}

// lines is a row: text and why beside each other or, where there is no room for that, below each other.
func (c *table) lines(l *draw.Look, r candidateRow) []string {
	mark, ink, end := cells.Spaces(MarkWidth), l.Muted, l.Text
	if r.taken {
		mark, ink, end = l.Bold.Paint(" ━▸ "), l.Bold, l.Bold
	}
	head := mark + l.Muted.Paint(l.Fit(r.line, c.line))
	if l.Width(r.text) <= c.text && c.text+l.Width(r.why) <= c.room {
		return []string{head + ink.Paint(l.Fit(r.text, c.text)) + cells.Spaces(whyGap) + end.Paint(r.why)}
	}
	var out []string
	for i, line := range l.Wrap(r.text, c.room+whyGap) {
		if i > 0 {
			head = cells.Spaces(MarkWidth + c.line)
		}
		out = append(out, head+ink.Paint(line))
	}
	for _, line := range l.Wrap(r.why, c.room) {
		out = append(out, cells.Spaces(MarkWidth+c.line+whyGap)+end.Paint(line))
	}
	return out
}

// Facts is how a step's outcome was read, and what the next prompt is where a
// decision replaces it: facts one behind the other, as many to a line as there is room.
func Facts(l *draw.Look, r *track.Row, d *machine.Decision, w int) []string {
	if d == nil || d.Outcome == nil || r.Step == nil {
		return nil
	}
	facts := r.Step.Explain(*d.Outcome)
	if from := d.Arrival.Origin.From; from != "" {
		facts = append(facts, plan.Fact{Name: "next prompt", Value: from})
	}
	line, out := "", []string{}
	for _, f := range facts {
		fact := l.Muted.Paint(draw.Clean(f.Name)) + " " + draw.FirstLine(f.Value)
		switch next := line + l.Muted.Paint(" · ") + fact; {
		case line == "":
			line = fact
		case l.Width(next) <= w:
			line = next
		default:
			out, line = append(out, l.Wrap(line, w)...), fact
		}
	}
	if line != "" {
		out = append(out, l.Wrap(line, w)...)
	}
	return out
}

// WrittenRoutes lists routes that are still to be decided on. Too many default routes share a row.
func WrittenRoutes(l *draw.Look, step *track.Row, w int) (out CandidateLines) {
	rs, defaults := step.Step.Routes, 0
	for _, r := range rs {
		if r.Do.Text != "" && r.Do.Implicit {
			defaults++
		}
	}
	add := func(i, line int, text string) {
		for _, line := range l.Numbered(LineNo(line, false), text, w-MarkWidth) {
			out.add(i, cells.Spaces(MarkWidth)+line)
		}
	}
	for i, r := range rs {
		switch do := r.Do; {
		case do.Text == "", do.Implicit && defaults > mostDefaults:
		case do.Implicit:
			add(i, 0, routeText(step, do.Text, true))
		default:
			add(i, do.Span.Line, routeText(step, do.Text, false))
		}
	}
	if defaults > mostDefaults {
		add(-1, 0, defaultRoutes(defaults))
	}
	return out
}

// defaultRoutes stands for default routes that have no rows of their own.
func defaultRoutes(n int) string { return fmt.Sprintf("(%d default routes)", n) }

// LineNo is the line that a route stands on; one that the format supplies stands on none.
func LineNo(n int, implicit bool) string {
	if n == 0 || implicit {
		return "     "
	}
	return fmt.Sprintf("%4d ", n)
}

// routeText is a route as the document writes it; one that the format supplies says so.
func routeText(step *track.Row, s string, implicit bool) string {
	if implicit {
		return draw.Clean(treeLabel(step, s)) + " (default)"
	}
	return draw.Clean(s)
}

// treeLabel names the group that a default route leaves as the tree does: in an included document, the
// document's own name for it may be that of another step.
func treeLabel(step *track.Row, s string) string {
	if step == nil || step.Parent == nil || step.Parent.Step == nil {
		return s
	}
	if of, ok := strings.CutSuffix(s, " of step "+step.Parent.Step.ID); ok {
		return of + " of step " + step.Parent.Label
	}
	return s
}
