package output

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/markdown"
	"playhead/tui/session"
)

// logPage renders a log as Markdown, or a call with its result, for a width and a theme. Only the
// reader uses it. While the log grows, it renders a finished block once and only the last block again. When
// the log has ended, it renders the whole log again.
type logPage struct {
	styles              *themes.Styles
	measure             cells.Measure
	isToolResult        bool     // the log is a tool's result, not Markdown
	argumentsJSON       string   // the arguments of the call in JSON, shown above its result
	failure             string   // why there is no result, shown above the arguments and the result
	isRaw               bool     // text and report are not rendered
	report              string   // the report of a reply in JSON, shown below it
	reportLines         []string // shown instead of the report after it is judged; nil: it is not judged
	correction          string   // the answer to a reply that was not accepted, shown below the reply and its report
	width               int
	finishedLines       []string // the rendered finished blocks
	firstUnfinishedLine int      // the first line of the log after the finished blocks
	allLines            []string // finishedLines and the rendered open block
	renderedBytes       int64    // the size of the log when all was rendered
	hadLogEnded         bool     // the log had ended when all was rendered
	isRendered          bool     // render has been called
}

// maxRenderedBytes is the maximum size of a log that is rendered, in bytes. A longer one shows raw.
const maxRenderedBytes = 256 << 10

// render returns the lines of the page, which it updates if the log has changed.
func (r *logPage) render(log session.Log, live bool) ([]string, error) {
	bytes, total := log.Size()
	if r.isRendered && r.renderedBytes == bytes && r.hadLogEnded == !live {
		return r.allLines, nil
	}
	r.isRendered = true
	if r.isToolResult {
		r.allLines, r.renderedBytes, r.hadLogEnded = r.callLines(log.ShortenedText(maxRenderedBytes)), bytes, !live
		return r.allLines, nil
	}
	if !live {
		r.finishedLines, r.firstUnfinishedLine = nil, 0
	}
	raw, err := log.Lines(r.firstUnfinishedLine, total-r.firstUnfinishedLine)
	if err != nil {
		return nil, err
	}
	for i, line := range raw {
		raw[i] = sanitize.PlainLines(line)
	}
	if live {
		n := finishedLineCount(raw)
		r.finishedLines, r.firstUnfinishedLine, raw = r.appendToFinished(raw[:n]), r.firstUnfinishedLine+n, raw[n:]
	}
	r.allLines, r.renderedBytes, r.hadLogEnded = r.appendToFinished(raw), bytes, !live
	if r.report != "" && !live {
		r.allLines = joinWithBlank(r.allLines, r.renderReport())
	}
	if r.correction != "" {
		r.allLines = joinWithBlank(r.allLines, append([]string{r.styles.Muted.Paint("sent back to the model")}, markdown.JSONLines(r.correction, r.width, r.styles, r.measure)...))
	}
	return r.allLines, nil
}

// renderReport returns the lines of the report: in words after it is judged, else raw.
func (r *logPage) renderReport() []string {
	if r.isRaw || r.reportLines == nil {
		return markdown.JSONLines(r.report, r.width, r.styles, r.measure)
	}
	return r.reportLines
}

// callLines returns the arguments and the result of a tool in lines. An error comes first. The result is left
// out if the error contains it.
func (r *logPage) callLines(result string) []string {
	var out, argumentLines []string
	if r.failure != "" {
		for _, line := range r.measure.Wrap(sanitize.PlainLines(r.failure), r.width) {
			out = append(out, r.styles.Fail.Paint(line))
		}
		if strings.Contains(r.failure, strings.TrimSpace(result)) {
			result = ""
		}
	}
	if r.argumentsJSON != "{}" {
		argumentLines = markdown.JSONLines(r.argumentsJSON, r.width, r.styles, r.measure)
	}
	out = joinWithBlank(out, argumentLines)
	resultLines := markdown.JSONLines(result, r.width, r.styles, r.measure)
	if len(out) > 0 && len(resultLines) > 0 {
		resultLines = append([]string{r.styles.Muted.Paint("result")}, resultLines...)
	}
	return joinWithBlank(out, resultLines)
}

// joinWithBlank joins lines with a blank line between the two parts.
func joinWithBlank(above, below []string) []string {
	if len(above) > 0 && len(below) > 0 {
		above = append(slices.Clip(above), "")
	}
	return append(above, below...)
}

// appendToFinished returns the finished blocks, followed by lines that are rendered now.
func (r *logPage) appendToFinished(lines []string) []string {
	text := strings.Join(lines, "\n")
	var drawn []string
	switch {
	case r.isRaw:
		drawn = markdown.WrapText(text, r.width, r.measure)
	case tools.IsJSONContainer(text):
		drawn = markdown.JSONLines(text, r.width, r.styles, r.measure)
	default:
		drawn = markdown.RenderReply(text, r.width, r.styles, r.measure)
	}
	return joinWithBlank(slices.Clip(r.finishedLines), drawn)
}

// finishedLineCount returns how many leading lines form complete Markdown blocks: those up to the last blank
// line outside a fence that an unindented line follows.
func finishedLineCount(lines []string) int {
	fence, n := "", 0
	for i, line := range lines {
		if fence == "" && i > 0 && strings.TrimSpace(lines[i-1]) == "" && strings.TrimLeft(line, " \t") == line && line != "" {
			n = i
		}
		mark, rest := fenceOf(line)
		switch {
		case fence == "":
			fence = mark
		case mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && rest == "":
			fence = ""
		}
	}
	return n
}

// fenceOf returns the fence that a line opens or closes and the text after it, "" if there is none.
func fenceOf(line string) (mark, rest string) {
	line = strings.TrimSpace(line)
	for _, c := range []string{"`", "~"} {
		rest = strings.TrimLeft(line, c)
		if mark = line[:len(line)-len(rest)]; len(mark) >= 3 && !(c == "`" && strings.Contains(rest, c)) {
			return mark, strings.TrimSpace(rest)
		}
	}
	return "", ""
}

// pageKey identifies a page. It has the name of the log instead of its content, because a log only grows.
type pageKey struct {
	logFile        string
	action         *track.Action
	isActionDone   bool
	isRaw          bool
	width          int
	theme          string
	measure        cells.Measure
	heldReportText string // what became of a held report
}

// maxCachedPages limits the number of cached pages.
const maxCachedPages = 64

// choosePage sets the page on which the pane's log is rendered, nil if it is not rendered.
func (p *Pane) choosePage(dc *draw.Context) {
	w := p.box.W
	p.page, p.actionList.showsArguments = nil, false
	if !p.ShowsReplyOrResult() || p.isRaw && p.showsToolResult() || p.actionLog == nil || w <= 0 {
		return
	}
	a := p.action
	held := heldReportText(p.row, a)
	k := pageKey{p.logFile, a, a.IsDone, p.isRaw, w, dc.Palette.Name, dc.Measure, held}
	if p.pageCache[k] == nil {
		if p.pageCache == nil || len(p.pageCache) >= maxCachedPages {
			p.pageCache = map[pageKey]*logPage{}
		}
		page := &logPage{styles: dc.Styles, measure: dc.Measure, isToolResult: p.showsToolResult(), isRaw: p.isRaw, report: a.ReportArgs, reportLines: reportSummary(dc, p.row, a, held, w), correction: a.CorrectionMessage, width: w}
		if p.actionList.actions != nil { // else the step's text shows the arguments
			page.argumentsJSON, page.failure = a.Args, a.Error
		}
		p.pageCache[k] = page
	}
	p.page = p.pageCache[k]
	p.actionList.showsArguments = p.page.isToolResult && p.page.argumentsJSON != ""
}

// heldReportState returns what became of an action's report that a person has to accept: Waiting, Passed if
// it was accepted, Failed if it was rejected, else LeftUndecided. isHeld is false if the report's own
// result counts.
func heldReportState(r *track.Row, a *track.Action) (state track.Status, isHeld bool) {
	switch {
	case a.ReportArgs == "" || a.Outcome == nil || a.Outcome.Result != plan.Undecided:
		return track.Pending, false
	case r.Status.IsOpen():
		return track.Waiting, true
	case (r.Status == track.Passed || r.Status == track.Failed) && a == r.NewestAction():
		return r.Status, true
	}
	return track.LeftUndecided, true
}

// heldReportText returns what became of a held report in words, "" if the report's own result counts.
func heldReportText(r *track.Row, a *track.Action) string {
	state, isHeld := heldReportState(r, a)
	by := cmp.Or(wording.PreparedByText(draw.AnsweredBy(r)), "by a person")
	if draw.AnsweredBy(r) == machine.ByAuto {
		by = "automatically"
	}
	switch {
	case !isHeld:
		return ""
	case state == track.Waiting:
		return "waits for a person" // the report does not show this: the question says so
	case state == track.Passed:
		return "accepted " + by
	case state == track.Failed:
		return "rejected " + by
	}
	return wording.LeftUndecidedText
}

// reportSummary returns the content of a judged report in lines: how the step went, the values and, unless a
// person is asked about them, the assertions. It is nil before the report is judged. held says what became of a
// held report, and is "" for others.
func reportSummary(dc *draw.Context, r *track.Row, a *track.Action, held string, w int) []string {
	if a.ReportArgs == "" || a.Outcome == nil {
		return nil
	}
	state, _ := heldReportState(r, a)
	head := dc.Bold.Paint("report ") + dc.Wait.Paint(held)
	switch {
	case state == track.Waiting:
		head = dc.Muted.Paint("report")
	case a.Outcome.Result == plan.Passed:
		head = dc.Bold.Paint("report ") + dc.Pass.Paint("✓ passed")
	case a.Outcome.Result == plan.Failed:
		head = dc.Bold.Paint("report ") + dc.Fail.Paint("✗ failed")
	}
	out := []string{head}
	if len(a.Outcome.Checks) == 0 { // the checks include the reason
		out = append(out, dc.Wrap(sanitize.PlainLines(a.Outcome.Reason), w)...)
	}
	for _, v := range a.Assignments {
		out = append(out, dc.Wrap(dc.Muted.Paint(draw.CleanLine(v.Name)+" = ")+draw.CleanLine(plan.VisibleText(plan.ValueText(v.Value))), w)...)
	}
	for _, v := range a.Outcome.UndeclaredValues {
		out = append(out, dc.PaintLines(dc.Muted, draw.CleanLine(v.Name)+" = "+draw.CleanLine(plan.VisibleText(plan.ValueText(v.Value)))+" · not declared", w)...)
	}
	if state == track.Waiting { // the dialog shows the assertions
		return out
	}
	return append(out, decision.CheckLines(dc, a.Outcome.Checks, w)...)
}
