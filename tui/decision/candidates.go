// Package decision draws the decisions of a run: the candidates in columns, and the checks of the outcome
// on which a decision was based.
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

// CandidateLines holds the candidates of a decision in lines.
type CandidateLines struct {
	Lines    []string
	Of       []int // for each line, the index of its candidate; -1: several
	From, To int   // the lines of the taken candidate; 0, 0: none was taken, or a person decided
}

// Candidates returns the candidates of a decision in columns that are w cells wide together: mark, line,
// text, why. A text that is too long for its column is wrapped, not cut.
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

// Before returns the decision that led to a step, in lines of at most w cells: "from 2, line 38 → 2b".
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

// table holds candidates and the widths of their columns.
type table struct {
	rows                 []candidateRow
	lineWidth, textWidth int
	room                 int // the width of text and why together
}

// candidateRow is a candidate as a row of cells.
type candidateRow struct {
	index           int // the index of the candidate; -1: several candidates
	line, text, why string
	taken           bool
}

func (c *table) add(l *draw.Look, step *track.Row, d *machine.Decision, i int) {
	x := d.Candidates[i]
	r := candidateRow{index: i, text: draw.Clean(x.Text), why: wording.Candidate(d, i)}
	r.taken = d.CandidateIndex != nil && *d.CandidateIndex == i && !d.ByPerson
	if route := defaultRoute(step, d, i); route != nil {
		text, namesDestination := defaultText(step, route)
		if r.text = text; namesDestination {
			r.why = strings.TrimSuffix(r.why, " → "+wording.Destination(d))
		}
	}
	if x.Implicit {
		r.text += defaultMark
	}
	if x.Line > 0 && !x.Implicit {
		r.line = LineNo(x.Line, false)
	}
	c.append(l, r)
}

// mostDefaults is the maximum number of untaken default routes with rows of their own.
const mostDefaults = 2

// untakenDefaults returns the indices of the format's default routes that were not taken, if there are too
// many for rows of their own.
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
	c.lineWidth = max(c.lineWidth, len(r.line))
}

// MarkWidth is the width of the column before the number of a route's line, in cells: the mark of the selection, and
// the arrow of the route that was taken.
const MarkWidth = 4

// whyGap is the gap between a route and the reason why it was taken or not, in cells.
const whyGap = 2

// share sets the width of the text column, so that all rows whose text and why fit on one line are aligned.
func (c *table) share(l *draw.Look, w int) {
	c.room, c.textWidth = w-MarkWidth-c.lineWidth-whyGap, 0
	for _, r := range c.rows {
		if text := l.Width(r.text); text+l.Width(r.why) <= c.room {
			c.textWidth = max(c.textWidth, text)
		}
	}
}

// lines returns the lines of a row: text and why beside each other or, if they do not fit, below each
// other.
func (c *table) lines(l *draw.Look, r candidateRow) []string {
	mark, ink, end := cells.Spaces(MarkWidth), l.Muted, l.Text
	if r.taken {
		mark, ink, end = l.Bold.Paint(" ━▸ "), l.Bold, l.Bold
	}
	head := mark + l.Muted.Paint(l.Fit(r.line, c.lineWidth))
	if l.Width(r.text) <= c.textWidth && c.textWidth+l.Width(r.why) <= c.room {
		return []string{head + ink.Paint(l.Fit(r.text, c.textWidth)) + cells.Spaces(whyGap) + end.Paint(r.why)}
	}
	var out []string
	for i, line := range l.Wrap(r.text, c.room+whyGap) {
		if i > 0 {
			head = cells.Spaces(MarkWidth + c.lineWidth)
		}
		out = append(out, head+ink.Paint(line))
	}
	for _, line := range l.Wrap(r.why, c.room) {
		out = append(out, cells.Spaces(MarkWidth+c.lineWidth+whyGap)+end.Paint(line))
	}
	return out
}

// Facts returns how a step's outcome was read, and the next prompt if the decision replaces it, with as
// many facts on a line as fit.
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

// WrittenRoutes returns the routes of a step that has not decided yet. Too many default routes share a row.
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
			text, _ := defaultText(step, &rs[i])
			add(i, 0, text+defaultMark)
		default:
			add(i, do.Span.Line, draw.Clean(do.Text))
		}
	}
	if defaults > mostDefaults {
		add(-1, 0, defaultRoutes(defaults))
	}
	return out
}

// defaultRoutes returns the text for default routes without rows of their own.
func defaultRoutes(n int) string { return fmt.Sprintf("(%d default routes)", n) }

// LineNo returns the line number of a route, blank for a route that the format adds.
func LineNo(n int, implicit bool) string {
	if n == 0 || implicit {
		return "     "
	}
	return fmt.Sprintf("%4d ", n)
}

// defaultMark follows a route that the document does not write.
const defaultMark = " (default)"

// defaultRoute returns the route of candidate i if the format adds it, nil if the document writes it or, since the
// decision, has changed.
func defaultRoute(step *track.Row, d *machine.Decision, i int) *plan.Route {
	if step == nil || step.Step == nil || d.Outcome == nil || i >= len(step.Step.Routes) {
		return nil
	}
	route := &step.Step.Routes[i]
	if !d.Candidates[i].Implicit || !route.Do.Implicit || route.Do.Text != d.Candidates[i].Text {
		return nil
	}
	return route
}

// defaultText returns when a route that the format adds is taken, and where it leads, such as "pass → 2 Push", unless
// its own text says so.
func defaultText(step *track.Row, route *plan.Route) (text string, namesDestination bool) {
	to, do := "", route.Do
	switch {
	case do.Verb == plan.Continue:
		to = destination(step, step.Next())
	case do.Verb == plan.Leave:
		to = destination(step, step.Group())
	case do.Verb == plan.End && route.When.Intent == "" && route.When.Test == nil:
		to = endOfDocument(step, do.Result)
	}
	if to == "" {
		return draw.Clean(do.Text), false
	}
	return strings.TrimSpace(draw.Clean(route.Condition()) + " → " + to), true
}

// destination returns what the row to which a step leads stands for: a step, the routes of the group around it, or,
// if there is none, the end of the document.
func destination(step, to *track.Row) string {
	switch {
	case to == nil:
		return endOfDocument(step, plan.Completed)
	case isAround(to, step):
		return draw.Clean(to.Label) + " decides"
	}
	return draw.StepName(to)
}

func isAround(group, r *track.Row) bool {
	for r != nil && r != group {
		r = r.Parent
	}
	return r == group
}

// endOfDocument returns how the document of a step ends. That of an included document does not end the run.
func endOfDocument(step *track.Row, result plan.RunResult) string {
	for r := step; r != nil; r = r.Parent {
		if r.Doc != nil {
			return draw.Clean(r.Label) + " " + wording.Result(result)
		}
	}
	return wording.End(result, "")
}
