// Package decision draws the decisions of a run: the candidates in columns, and the checks of the outcome
// on which a decision was based.
package decision

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/draw"
)

// CandidateLines holds the candidates of a decision in lines.
type CandidateLines struct {
	Lines                        []string
	CandidateByLine              []int // for each line, the index of its candidate, or DefaultRoutes; -1: none
	TakenFirstLine, TakenEndLine int   // the lines of the row that is marked as taken; 0, 0: none is
}

// DefaultRoutes takes the place of a candidate's index for a line that stands for several default routes.
const DefaultRoutes = -2

// DrawCandidates returns the candidates of a decision in columns that are w cells wide together: mark, line,
// text, reason. A text that is too long for its column is wrapped, not cut. If there are too many untaken default
// routes, they share a row; if unfolded is set, they also follow it in rows of their own.
func DrawCandidates(dc *draw.Context, r *track.Row, d *machine.Decision, unfolded bool, w int) CandidateLines {
	var c candidateTable
	defaults := untakenDefaultRoutes(d)
	for i := range d.Candidates {
		if !slices.Contains(defaults, i) {
			c.addCandidate(r, d, i)
		}
	}
	if len(defaults) > 0 {
		c.addRow(candidateRow{candidateIndex: DefaultRoutes, text: sharedDefaultRowText(len(defaults)), reason: "not taken"})
	}
	if unfolded {
		for _, i := range defaults {
			c.addCandidate(r, d, i)
		}
	}
	if d.TakenCandidate() == nil && d.Outcome != nil && !d.ByPerson {
		c.addRow(rowWithoutCandidate(r, d))
	}
	return c.draw(dc, w)
}

// draw draws the rows in columns that are w cells wide together.
func (c *candidateTable) draw(dc *draw.Context, w int) (out CandidateLines) {
	c.divideWidth(dc, w)
	for _, r := range c.rows {
		from := len(out.Lines)
		out.addLines(r.candidateIndex, c.rowLines(dc, r)...)
		if r.isTaken {
			out.TakenFirstLine, out.TakenEndLine = from, len(out.Lines)
		}
	}
	return out
}

func (c *CandidateLines) addLines(candidate int, lines ...string) {
	for _, line := range lines {
		c.Lines, c.CandidateByLine = append(c.Lines, line), append(c.CandidateByLine, candidate)
	}
}

// PrecedingDecisionLines returns the decision that led to a step, such as "from 2, line 38 → 2b", in lines
// of w cells.
func PrecedingDecisionLines(dc *draw.Context, from *track.Row, d *machine.Decision, w int) []string {
	style := dc.Text
	if d.ByPerson {
		style = dc.Warn
	}
	return dc.PaintLines(style, wording.StepAndDecisionText(from.StepLabel(), wording.WithArmNames(from, d), wording.PersonNoteOrAnswerText(from, d)), w)
}

// Destination returns where the last event of a preview leads. text names the step with its title, or the end with its
// message; brief has neither title nor message.
func Destination(t *track.Track, last machine.Event) (text, brief string) {
	text = wording.PreviewDestinationText(last)
	brief = draw.ShortLabel(text, draw.HintLabelWidth)
	if r := t.DestinationRow(last); r != nil {
		text = draw.StepName(r)
		if strings.IndexFunc(brief, unicode.IsDigit) == 0 { // a number alone could be that of an answer
			brief = "step " + brief
		}
	} else if result := wording.PreviewEndResult(last); result != "" {
		brief = wording.EndText(result, "")
	}
	return text, brief
}

// MaxDestinationWidth is the maximum width of a destination in a hint.
const MaxDestinationWidth = 24

// candidateTable holds candidates and the widths of their columns.
type candidateTable struct {
	rows                 []candidateRow
	lineWidth, textWidth int
	textAndReasonWidth   int // the width of text and reason together
}

// candidateRow is a candidate as a row of cells.
type candidateRow struct {
	candidateIndex           int // the index of the candidate, or DefaultRoutes; -1: none
	lineNumber, text, reason string
	isTaken, isUndecided     bool
}

// addCandidate adds the row of candidate i of a decision. step is the row that decided.
func (c *candidateTable) addCandidate(step *track.Row, d *machine.Decision, i int) {
	x, named := d.Candidates[i], wording.WithArmNames(step, d)
	text, namesDestination := candidateText(step, d, i)
	r := candidateRow{candidateIndex: i, text: text, reason: wording.CandidateReasonWithDestination(named, i)}
	r.isTaken = d.CandidateIndex != nil && *d.CandidateIndex == i && !d.ByPerson
	if namesDestination && r.isTaken {
		r.reason = draw.CleanLine(wording.CandidateReason(named, i))
	}
	if r.isTaken {
		r.reason = reasonWithoutRepetition(r, step, named)
	}
	if x.Line > 0 && !x.Implicit {
		r.lineNumber = LineNumberText(x.Line, false)
	}
	c.addRow(r)
}

// reasonWithoutRepetition returns the reason of the taken candidate of a step, without the destination that ends its text
// and without the reading that OutcomeFactLines shows.
func reasonWithoutRepetition(r candidateRow, step *track.Row, d *machine.Decision) string {
	reason := r.reason
	if to := " → " + wording.DestinationText(d); strings.HasSuffix(r.text, to) {
		reason = strings.TrimSuffix(reason, to)
	}
	if step != nil && step.Step != nil && d.Outcome != nil && len(step.Step.Explain(*d.Outcome)) > 0 {
		reason = strings.TrimPrefix(reason, sanitize.Plain(wording.IntentReadingText(d.Outcome)))
	}
	return strings.TrimPrefix(reason, "; ")
}

// rowWithoutCandidate returns the row for where a run goes if none of a step's routes matches its outcome.
func rowWithoutCandidate(step *track.Row, d *machine.Decision) candidateRow {
	to, reason := wording.DestinationText(wording.WithArmNames(step, d)), ""
	if d.Outcome.Result == plan.Skipped && step != nil {
		next, known := step.NextRow()
		to = destinationOfRow(step, next, known, d)
	}
	if len(d.Outcome.UntakenBranches) > 0 {
		reason = wording.NoBranchText
	}
	return candidateRow{candidateIndex: -1, text: wording.OutcomeText(d) + " → " + to + defaultMark, reason: reason, isTaken: true}
}

// CandidateText returns the text of candidate i of a decision, such as "FAIL → stopped (default)".
func CandidateText(step *track.Row, d *machine.Decision, i int) string {
	text, _ := candidateText(step, d, i)
	return text
}

// candidateText returns the text of a candidate. namesDestination is true for a default route whose text ends
// with the destination.
func candidateText(step *track.Row, d *machine.Decision, i int) (text string, namesDestination bool) {
	text = draw.CleanLine(d.Candidates[i].Text)
	if route := defaultRoute(step, d, i); route != nil {
		var decision *machine.Decision
		if d.CandidateIndex != nil && *d.CandidateIndex == i {
			decision = d
		}
		text, namesDestination = defaultRouteText(step, route, decision)
	}
	if d.Candidates[i].Implicit {
		text += defaultMark
	}
	return text, namesDestination
}

// maxDefaultRouteRows is the maximum number of untaken default routes with rows of their own.
const maxDefaultRouteRows = 2

// untakenDefaultRoutes returns the indices of the format's default routes that were not taken, if there are too
// many for rows of their own.
func untakenDefaultRoutes(d *machine.Decision) []int {
	var out []int
	for i, c := range d.Candidates {
		if c.Implicit && (d.CandidateIndex == nil || *d.CandidateIndex != i) {
			out = append(out, i)
		}
	}
	if len(out) <= maxDefaultRouteRows {
		return nil
	}
	return out
}

func (c *candidateTable) addRow(r candidateRow) {
	c.rows = append(c.rows, r)
	c.lineWidth = max(c.lineWidth, len(r.lineNumber))
}

// MarkWidth is the width in cells of the column before a route's line number. The column holds the mark
// of the selection and the arrow of the route that was taken.
const MarkWidth = 4

// reasonGap is the gap between a route and the reason why it was taken or not, in cells.
const reasonGap = 2

// minReasonWidth is the minimum width of the reason column in cells. A longer reason is wrapped.
const minReasonWidth = 20

// divideWidth sets the width of the text column. Rows whose text and reason fit on one line are aligned.
func (c *candidateTable) divideWidth(dc *draw.Context, w int) {
	c.textAndReasonWidth, c.textWidth = w-MarkWidth-c.lineWidth-reasonGap, 0
	for _, r := range c.rows {
		if text := dc.Width(r.text); text+dc.Width(r.reason) <= c.textAndReasonWidth {
			c.textWidth = max(c.textWidth, text)
		}
	}
}

// rowLines draws a row: text and reason beside each other, in columns if they fit, or else below each other.
func (c *candidateTable) rowLines(dc *draw.Context, r candidateRow) []string {
	mark, style, end := cells.Spaces(MarkWidth), dc.Muted, dc.Text
	switch {
	case r.isTaken:
		mark, style, end = dc.Bold.Paint(" ━▸ "), dc.Bold, dc.Bold
	case r.isUndecided:
		style = dc.Text
	}
	head := mark + dc.Muted.Paint(dc.Fit(r.lineNumber, c.lineWidth))
	column, reason := dc.Width(r.text), dc.Width(r.reason)
	isAligned := column <= c.textWidth && c.textWidth+min(reason, minReasonWidth) <= c.textAndReasonWidth
	if isAligned {
		column = c.textWidth
	}
	if isAligned || column+reason <= c.textAndReasonWidth {
		left := head + style.Paint(dc.Fit(r.text, column))
		return besideText(dc, left, MarkWidth+c.lineWidth+column, end, dc.Wrap(r.reason, c.textAndReasonWidth-column))
	}
	out := dc.MarkedLines(head, dc.PaintLines(style, r.text, c.textAndReasonWidth+reasonGap))
	indent := cells.Spaces(MarkWidth + c.lineWidth + reasonGap)
	return append(out, dc.MarkedLines(indent, dc.PaintLines(end, r.reason, c.textAndReasonWidth))...)
}

// besideText returns a text, width cells wide, with the lines of a reason in a column beside it.
func besideText(dc *draw.Context, text string, width int, style themes.Style, reason []string) []string {
	if len(reason) == 0 {
		return []string{text}
	}
	out := make([]string, len(reason))
	for i, line := range reason {
		out[i] = dc.Fit(text, width) + cells.Spaces(reasonGap) + style.Paint(line)
		text = ""
	}
	return out
}

// OutcomeFactLines returns how a step's outcome was read, and the next prompt if the decision replaces it,
// with as many facts on a line as fit.
func OutcomeFactLines(dc *draw.Context, r *track.Row, d *machine.Decision, w int) []string {
	if d == nil || d.Outcome == nil || r.Step == nil {
		return nil
	}
	facts := r.Step.Explain(*d.Outcome)
	if r.HasManualReply() && d == r.Decision {
		facts = append([]plan.Fact{{Name: "reply", Value: "by a person"}}, facts...)
	}
	if from := d.Destination.PromptOrigin.From; from != "" {
		facts = append(facts, plan.Fact{Name: "next prompt", Value: from})
	}
	line, out := "", []string{}
	for _, f := range facts {
		fact := dc.Muted.Paint(draw.CleanLine(f.Name)) + " " + draw.FirstLine(f.Value)
		switch next := line + dc.Muted.Paint(" · ") + fact; {
		case line == "":
			line = fact
		case dc.Width(next) <= w:
			line = next
		default:
			out, line = append(out, dc.Wrap(line, w)...), fact
		}
	}
	if line != "" {
		out = append(out, dc.Wrap(line, w)...)
	}
	return out
}

// UndecidedRouteLines returns the routes of a step that has not decided yet. If it has arms and has chosen none,
// they come first. Default routes share a row as in DrawCandidates.
func UndecidedRouteLines(dc *draw.Context, step *track.Row, unfolded bool, w int) CandidateLines {
	var c candidateTable
	add := func(i, line int, text string) {
		r := candidateRow{candidateIndex: i, text: text, isUndecided: true}
		if line > 0 {
			r.lineNumber = LineNumberText(line, false)
		}
		c.addRow(r)
	}
	if len(step.ArmChoices) == 0 {
		for _, arm := range step.Children {
			if arm.Step != nil && arm.Step.IsArm() {
				add(-1, arm.Step.Span.Line, armText(arm))
			}
		}
	}
	addDefault := func(i int) {
		text, _ := defaultRouteText(step, &step.Step.Routes[i], nil)
		add(i, 0, text+defaultMark)
	}
	shared := defaultRoutesSharingRow(step)
	for i, r := range step.Step.Routes {
		switch do := r.Do; {
		case do.SourceText == "" || slices.Contains(shared, i):
		case do.Implicit:
			addDefault(i)
		default:
			add(i, do.Span.Line, draw.CleanLine(do.SourceText))
		}
	}
	if len(shared) > 0 {
		add(DefaultRoutes, 0, sharedDefaultRowText(len(shared)))
	}
	if unfolded {
		for _, i := range shared {
			addDefault(i)
		}
	}
	return c.draw(dc, w)
}

// defaultRoutesSharingRow returns the indices of a step's default routes, if there are too many for rows of their own.
func defaultRoutesSharingRow(step *track.Row) []int {
	var out []int
	for i, r := range step.Step.Routes {
		if r.Do.SourceText != "" && r.Do.Implicit {
			out = append(out, i)
		}
	}
	if len(out) <= maxDefaultRouteRows {
		return nil
	}
	return out
}

// armText returns the condition of an arm, and its first step.
func armText(arm *track.Row) string {
	text := draw.CleanLine(arm.Step.ArmText())
	if len(arm.Children) > 0 {
		text += " → " + draw.StepName(arm.Children[0])
	}
	return text
}

// sharedDefaultRowText returns the text of the row that n default routes share.
func sharedDefaultRowText(n int) string { return fmt.Sprintf("(%d default routes)", n) }

// LineNumberText returns the line number of a route, blank for a route that the format adds.
func LineNumberText(n int, implicit bool) string {
	if n == 0 || implicit {
		return "     "
	}
	return fmt.Sprintf("%4d ", n)
}

// defaultMark follows a route that the document does not write.
const defaultMark = " (default)"

// defaultRoute returns the route of candidate i if the format adds it, nil if the document writes the route or has
// changed since the decision.
func defaultRoute(step *track.Row, d *machine.Decision, i int) *plan.Route {
	if step == nil || step.Step == nil || d.Outcome == nil || i >= len(step.Step.Routes) {
		return nil
	}
	route := &step.Step.Routes[i]
	if !d.Candidates[i].Implicit || !route.Do.Implicit || route.Do.SourceText != d.Candidates[i].Text {
		return nil
	}
	return route
}

// defaultRouteText returns when a route that the format adds is taken, and where it leads, such as "pass → 2
// Push". If the destination is unknown, it returns the text of the route and false. decision is the decision that took
// the route, nil if none did.
func defaultRouteText(step *track.Row, route *plan.Route, decision *machine.Decision) (text string, namesDestination bool) {
	to, do := "", route.Do
	switch {
	case do.Verb == plan.Continue:
		next, known := step.NextRow()
		to = destinationOfRow(step, next, known, decision)
	case do.Verb == plan.LeaveGroup:
		to = destinationOfRow(step, step.GroupRow(), true, decision)
	case do.Verb == plan.EndDocument && route.When.Intent == "" && route.When.Test == nil:
		to = endOfDocument(step, do.Result)
	}
	if to == "" {
		return draw.CleanLine(do.SourceText), false
	}
	return strings.TrimSpace(draw.CleanLine(route.Condition()) + " → " + to), true
}

// destinationOfRow returns the text of the row to which a step leads: the name of a step, the end of a group around
// the step, or the end of the document if to is nil. A route that was taken leads where its decision
// says, because the rows or the document may have changed since. It returns "" if the destination is
// unknown.
func destinationOfRow(step, to *track.Row, known bool, decision *machine.Decision) string {
	ended := decision != nil && decision.Destination.Kind == machine.ToDocumentEnd
	switch {
	case decision != nil && (!known || (to == nil) != ended || to != nil && !to.IsDestination(step, decision)):
		return wording.DestinationText(wording.WithArmNames(step, decision))
	case !known:
		return ""
	case to == nil:
		return endOfDocument(step, plan.Completed)
	case to.Contains(step):
		return "end of group " + draw.CleanLine(to.DisplayLabel())
	case to.Step != nil && to.Step.IsArm():
		return draw.CleanLine(to.Step.ArmText())
	}
	return draw.StepName(to)
}

// endOfDocument returns how the document of a step ends. That of an included document does not end the run.
func endOfDocument(step *track.Row, result plan.RunResult) string {
	for r := step; r != nil; r = r.Parent {
		if r.IncludedDocument != nil {
			return draw.CleanLine(r.Label) + " " + track.ResultWord(result)
		}
	}
	return wording.EndText(result, "")
}
