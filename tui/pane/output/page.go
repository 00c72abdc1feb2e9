package output

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/markdown"
	"playhead/tui/session"
)

// page renders a log as Markdown, or a call with its result, for a width and a theme. Only the reader uses
// it. While the log grows, it renders a finished block once and only the last block again. When the log has
// ended, it renders the whole log again.
type page struct {
	styles      *themes.Styles
	data        bool     // the log is a tool's result, not Markdown
	args        string   // the arguments of the call in JSON, shown above its result
	failed      string   // why there is no result, shown above both
	raw         bool     // text and report are not rendered
	report      string   // the report of a reply in JSON, shown below it
	reportLines []string // shown instead of the report after it is judged; nil: it is not judged
	answer      string   // the answer to a reply that was not accepted, shown below both
	width       int
	lines       []string // the rendered finished blocks
	at          int      // the first line of the log after the finished blocks
	all         []string // lines and the rendered open block
	bytes       int64    // the size of the log when all was rendered
	whole       bool     // the log had ended when all was rendered
	drawn       bool     // render has been called
}

// maxPage is the maximum size of a log that is rendered, in bytes. A longer one shows raw.
const maxPage = 256 << 10

// render returns the lines of the page, which it updates if the log has changed.
func (p *page) render(log session.Log, live bool) ([]string, error) {
	bytes, total := log.Size()
	if p.drawn && p.bytes == bytes && p.whole == !live {
		return p.all, nil
	}
	p.drawn = true
	if p.data {
		p.all, p.bytes, p.whole = p.call(log.Text(maxPage)), bytes, !live
		return p.all, nil
	}
	if !live {
		p.lines, p.at = nil, 0
	}
	raw, err := log.Lines(p.at, total-p.at)
	if err != nil {
		return nil, err
	}
	for i, line := range raw {
		raw[i] = sanitize.Text(line)
	}
	if live {
		n := finished(raw)
		p.lines, p.at, raw = p.appendToFinished(raw[:n]), p.at+n, raw[n:]
	}
	p.all, p.bytes, p.whole = p.appendToFinished(raw), bytes, !live
	if p.report != "" && !live {
		p.all = apart(p.all, p.renderReport())
	}
	if p.answer != "" {
		p.all = apart(p.all, append([]string{p.styles.Muted.Paint("answered with")}, markdown.JSON(p.answer, p.width, p.styles)...))
	}
	return p.all, nil
}

// renderReport returns the lines of the report: in words after it is judged, else raw.
func (p *page) renderReport() []string {
	if p.raw || p.reportLines == nil {
		return markdown.JSON(p.report, p.width, p.styles)
	}
	return p.reportLines
}

// call returns the arguments of a tool call and its result. An error comes first, and the result is
// left out if the error contains it.
func (p *page) call(result string) []string {
	var out, failed []string
	if p.failed != "" {
		for _, line := range strings.Split(ansi.Wrap(sanitize.Text(p.failed), p.width, ""), "\n") {
			failed = append(failed, p.styles.Fail.Paint(line))
		}
		if strings.Contains(p.failed, strings.TrimSpace(result)) {
			result = ""
		}
	}
	if p.args != "" && p.args != "{}" {
		out = apart(failed, markdown.JSON(p.args, p.width, p.styles))
	} else {
		out = failed
	}
	said := markdown.JSON(result, p.width, p.styles)
	if len(out) > 0 && len(said) > 0 {
		said = append([]string{p.styles.Muted.Paint("result")}, said...)
	}
	return apart(out, said)
}

// apart joins lines with a blank line between the two parts.
func apart(above, below []string) []string {
	if len(above) > 0 && len(below) > 0 {
		above = append(slices.Clip(above), "")
	}
	return append(above, below...)
}

// appendToFinished returns the finished blocks, followed by lines that are rendered now.
func (p *page) appendToFinished(lines []string) []string {
	text := strings.Join(lines, "\n")
	var drawn []string
	switch {
	case p.raw:
		drawn = markdown.Wrap(text, p.width)
	case isStructured(text):
		drawn = markdown.JSON(text, p.width, p.styles)
	default:
		drawn = markdown.Render(text, p.width, p.styles)
	}
	return apart(slices.Clip(p.lines), drawn)
}

// isStructured reports whether a reply is an object or a list in JSON and nothing else.
func isStructured(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text))
}

// finished returns how many leading lines form complete Markdown blocks: those up to the last blank
// line outside a fence that an unindented line follows.
func finished(lines []string) int {
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
	file  string
	of    *track.Action
	done  bool
	raw   bool
	width int
	theme string
}

// maxPages limits the number of cached pages.
const maxPages = 64

// choosePage sets the page on which the pane's log is rendered, nil if it is not rendered.
func (p *Pane) choosePage(l *draw.Look) {
	w := p.box.W
	p.page = nil
	if !p.IsCall() || p.raw && p.isTool() || p.log == nil || w <= 0 {
		return
	}
	a := p.action
	k := pageKey{p.file, a, a.Done, p.raw, w, l.Palette.Name}
	if p.pages[k] == nil {
		if p.pages == nil || len(p.pages) >= maxPages {
			p.pages = map[pageKey]*page{}
		}
		sheet := &page{styles: l.Styles, data: p.isTool(), raw: p.raw, report: a.Report, reportLines: reportFacts(l, a, w), answer: a.Correction, width: w}
		if p.calls.all != nil { // else the step's text shows the arguments
			sheet.args, sheet.failed = a.Args, a.Error
		}
		p.pages[k] = sheet
	}
	p.page = p.pages[k]
}

// reportFacts returns the content of a judged report in lines: how the step went, the values and, unless a
// person is asked about them, the assertions. It is nil before the report is judged.
func reportFacts(l *draw.Look, a *track.Action, w int) []string {
	if a.Report == "" || a.Outcome == nil {
		return nil
	}
	ink, word, isHeld := l.Wait, "waits for a person", false
	switch a.Outcome.Result {
	case plan.Passed:
		ink, word = l.Pass, "✓ passed"
	case plan.Failed:
		ink, word = l.Fail, "✗ failed"
	default:
		isHeld = true
	}
	out := []string{l.Bold.Paint("report ") + ink.Paint(word)}
	if len(a.Outcome.Checks) == 0 { // the checks include the reason
		out = append(out, l.Wrap(sanitize.Text(a.Outcome.Reason), w)...)
	}
	for _, v := range a.Set {
		out = append(out, l.Wrap(l.Muted.Paint(draw.Clean(v.Name)+" = ")+draw.Clean(plan.TextOf(v.Value)), w)...)
	}
	if isHeld {
		return out
	}
	return append(out, decision.Checks(l, a.Outcome.Checks, w)...)
}
