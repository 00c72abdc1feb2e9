// Package summary is the dialog that shows how a run ended, its figures and its final output.
package summary

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/artifact"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/shell"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog shows a run's figures, and below them its final output.
type Dialog struct {
	Leftovers []shell.Leftover // processes that steps left running
	Saved     string           // the file in which the final output was saved
	output    output
	list.Scroller
}

// Title returns how the run ended, and how long it took.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	l, t := run.Look, run.Track
	return panes.Title{Left: verdict(l, t), Right: l.Muted.Paint(wording.Clock(t.Elapsed(time.Time{})))}
}

// verdict returns how the run ended, with its message.
func verdict(l *draw.Look, t *track.Track) string {
	if t.Finished == nil {
		return "running"
	}
	word := l.Headline(t.Finished.Result)
	if message, why := t.Finished.Message, cause(t); message != "" && message != why && !repeatsCause(t, why, message) && !tools.HasParts(message) {
		word += "  " + draw.Clean(message)
	}
	return word
}

// cause returns the sentence about what decided the run, "" if there is none.
func cause(t *track.Track) string {
	if text := wording.Ending(t); text != "" || !t.EndedAtFailure() {
		return text
	}
	return t.Finished.Message
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run, w), h)
}

// all returns the figures of the run, the most important first, and below them its final output.
func (d *Dialog) all(run *runview.Run, w int) []string {
	f := figures{l: run.Look, w: w}
	d.addCauseAndPath(&f, run)
	d.addNotices(&f, run.Track)
	d.addRemains(&f, run)
	out := f.lines
	if final, ok := run.Track.Final(); ok && !run.OutputShown {
		out = append(append(out, ""), d.output.lines(run.Look, final, w)...)
	}
	return out
}

type figures struct {
	l     *draw.Look
	w     int
	lines []string
}

// figureName is the width of the column of names.
const figureName = 7

// add adds a text after its name, wrapped.
func (f *figures) add(name string, ink func(string) string, text string) {
	for _, line := range f.l.Wrap(text, f.w-figureName) {
		f.lines = append(f.lines, f.l.Cut(f.l.Muted.Paint(f.l.Fit(name, figureName))+ink(line), f.w))
		name = ""
	}
}

// addWrapped adds a text over the whole width, wrapped.
func (f *figures) addWrapped(ink func(string) string, text string) {
	for _, line := range f.l.Wrap(text, f.w) {
		f.lines = append(f.lines, f.l.Cut(ink(line), f.w))
	}
}

// repeatsCause reports whether the message of a run repeats the cause of its failure.
func repeatsCause(t *track.Track, cause, message string) bool {
	r := t.FailedStep()
	return r != nil && r.Outcome != nil && r.Outcome.Reason != "" && strings.HasSuffix(message, r.Outcome.Reason) && strings.Contains(cause, r.Outcome.Reason)
}

func unstyled(s string) string { return s }

// addCauseAndPath adds why the run ended as it did, and the path that it took.
func (d *Dialog) addCauseAndPath(f *figures, run *runview.Run) {
	t := run.Track
	why := cause(t)
	if why != "" {
		f.addWrapped(f.l.Fail.Paint, draw.Clean(why))
	}
	switch message := t.Finished.Message; {
	case tools.HasParts(message):
		f.lines = append(f.lines, markdown.JSON(message, f.w, f.l.Styles)...)
	case why != message && d.isTitleCut(run, f.w) && !repeatsCause(t, why, message):
		f.addWrapped(unstyled, draw.Clean(message))
	}
	if flag := t.LimitFlag(); flag != "" {
		f.addWrapped(unstyled, "Start a new run with --"+flag+" N to raise the limit.")
	}
	if at := t.Finished.Waiting; at != nil {
		f.addWrapped(f.l.Wait.Paint, waitingText(t, at))
	}
	f.add("path", unstyled, path(f.l, t))
	if route := endingRoute(t); why != "" && route != "" {
		f.add("route", unstyled, route)
	}
	if tally := wording.Tally(t); tally != "" {
		f.add("steps", unstyled, tally)
	}
}

// endingRoute returns the written route that ended the run, with its step and line, "" if there is none.
func endingRoute(t *track.Track) string {
	r := t.DecidedRow
	if r == nil || r.Decision == nil || r.Decision.ByPerson || r.Decision.Arrival.Kind != machine.ToDocumentEnd {
		return ""
	}
	i := r.Decision.CandidateIndex
	if i == nil || *i >= len(r.Decision.Candidates) || r.Decision.Candidates[*i].Implicit {
		return ""
	}
	c := r.Decision.Candidates[*i]
	return draw.Clean(fmt.Sprintf("%s, line %d: %s", r.Label, c.Line, c.Text))
}

// mostNotices is the number of notices with a digit that goes to the step.
const mostNotices = 9

// addNotices adds the notices, each with the digit that goes to its step.
func (d *Dialog) addNotices(f *figures, t *track.Track) {
	all := wording.Notices(t)
	names, widest := make([]string, len(all)), 0
	for i, n := range all {
		names[i] = f.l.Cut(strings.TrimSpace(draw.Clean(n.Row.Label+" "+titleOf(t, n.Row.Label))), f.w/3)
		widest = max(widest, f.l.Width(names[i]))
	}
	for i, n := range all[:min(len(all), mostNotices)] {
		head, indent := f.l.Key.Paint(fmt.Sprint(i+1))+"  "+f.l.Fit(names[i], widest)+"  ", 1+2+widest+2
		ink := f.l.Warn.Paint
		if n.NotReached {
			ink = f.l.Muted.Paint
		}
		for _, line := range f.l.Wrap(n.Text, f.w-indent) {
			f.lines = append(f.lines, f.l.Cut(head+ink(line), f.w))
			head = strings.Repeat(" ", indent)
		}
	}
	if more := len(all) - mostNotices; more > 0 {
		f.addWrapped(f.l.Muted.Paint, fmt.Sprintf("and %d more", more))
	}
}

// addRemains adds what the run leaves: changed files, processes, its final output; and the tokens that it
// used.
func (d *Dialog) addRemains(f *figures, run *runview.Run) {
	t := run.Track
	if n := len(run.Status.ChangedFiles); n > 0 {
		f.add("files", unstyled, f.l.Keys.Sentence(control.Sentence(fmt.Sprintf("%d changed. {files} to see how.", n))))
	}
	if len(t.Background) > 0 {
		f.add("ended", unstyled, "in the background: "+draw.Clean(strings.Join(t.Background, ", ")))
	}
	if len(d.Leftovers) > 0 {
		f.add("left", f.l.Warn.Paint, draw.Clean(shell.Names(d.Leftovers))+": still running. "+f.l.Keys.Sentence("{end-leftovers} to end it."))
	}
	if used := t.Used.String(); used != "" {
		f.add("tokens", unstyled, used)
	}
	if final, ok := t.Final(); ok {
		facts := final.Type + ", of step " + draw.Clean(final.Step+" "+titleOf(t, final.Step))
		if d.Saved != "" {
			facts += "· saved in " + draw.Clean(d.Saved)
		}
		f.add("output", unstyled, strings.TrimSpace(facts))
	}
}

// waitingText returns where the run waits, and for what.
func waitingText(t *track.Track, at *machine.Waiting) string {
	return "waits at " + draw.Clean(at.Step+" "+titleOf(t, at.Step)) + "for " + wording.WaitingFor(at)
}

// isTitleCut reports whether the message does not fit into the title, between its two corners.
func (d *Dialog) isTitleCut(run *runview.Run, w int) bool {
	l, t := run.Look, d.Title(run)
	return run.Track.Finished != nil && l.Width(t.Left)+l.Width(t.Right)+4 > w
}

// titleOf returns a step's title followed by a blank, "" if it has no title.
func titleOf(t *track.Track, label string) string {
	if r := t.Row(label); r != nil && r.Title != "" && r.Title != r.Local {
		return r.Title + " "
	}
	return ""
}

// path returns the path of the run: each step in the colour of its outcome, with repetitions counted and
// jumps marked.
func path(l *draw.Look, t *track.Track) string {
	from := max(0, len(t.Path)-track.LongPath)
	visits := map[string]int{}
	for _, label := range t.Path[:from] {
		visits[label]++
	}
	var out strings.Builder
	if from > 0 {
		out.WriteString("…")
	}
	order := stepOrder(t)
	for i := from; i < len(t.Path); {
		label, times := t.Path[i], 0
		first := visitOf(t, label, visits[label])
		for i < len(t.Path) && t.Path[i] == label {
			i, times = i+1, times+1
			visits[label]++
		}
		if out.Len() > 0 {
			out.WriteString(arrow(l, first, order.isJump(t.Row(t.Path[i-times-1]), t.Row(label), first)))
		}
		out.WriteString(pathStep(l, label, visitOf(t, label, visits[label]-1), times))
	}
	return out.String()
}

// visitOf returns visit n of a step, from 0, nil if it is unknown.
func visitOf(t *track.Track, label string, n int) *track.Visit {
	if r := t.Row(label); r != nil && n < len(r.Visits) {
		return r.Visits[n]
	}
	return nil
}

// arrow returns the arrow to a visit. It differs if a person sent the run there, or if a route of the document
// left the order of the steps.
func arrow(l *draw.Look, v *track.Visit, isJump bool) string {
	switch {
	case v != nil && v.EnteredBy != nil && v.EnteredBy.ByPerson:
		return l.Warn.Paint(" ⇢ ")
	case isJump:
		return l.Bold.Paint(" ━▸ ")
	}
	return " → "
}

// positions are the places of the steps in their order, without those that only a jump reaches.
type positions map[*track.Row]int

func stepOrder(t *track.Track) positions {
	out := positions{}
	for _, r := range t.AllRows() {
		if r.IsExecutable() && !r.IsAside() {
			out[r] = len(out) + 1
		}
	}
	return out
}

// isJump reports whether a written route led from one step to a visit of another one that does not follow it.
func (p positions) isJump(from, to *track.Row, v *track.Visit) bool {
	if v == nil || v.EnteredBy == nil || v.EnteredBy.Arrival.SameVisit {
		return false
	}
	i := v.EnteredBy.CandidateIndex
	if i == nil || *i >= len(v.EnteredBy.Candidates) || v.EnteredBy.Candidates[*i].Implicit {
		return false
	}
	return p[from] == 0 || p[to] != p[from]+1
}

// pathStep returns a step on the path.
func pathStep(l *draw.Look, label string, v *track.Visit, times int) string {
	text := draw.Clean(label)
	if times > 1 {
		text += fmt.Sprintf(" ×%d", times)
	}
	if v != nil && v.Outcome != nil && v.Outcome.Result != plan.Passed && v.Outcome.Result != plan.Skipped {
		return l.Fail.Paint(text + " ✗")
	}
	if v != nil && v.Outcome != nil && v.Outcome.Result == plan.Passed {
		return l.Pass.Paint(text)
	}
	return text
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int { return len(d.all(run, w)) }

// MayCoverOutput reports whether the dialog shows the final output.
func (d *Dialog) MayCoverOutput(run *runview.Run) bool {
	_, ok := run.Track.Final()
	return ok && !run.OutputShown
}

// Update scrolls, goes to the step of a notice, and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.Look.Keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	}
	all := wording.Notices(run.Track)
	if n, err := strconv.Atoi(k.String()); err == nil && n > 0 && n <= min(len(all), mostNotices) {
		return dialog.Send(dialog.Close{}, request.Select{Row: all[n-1].Row})
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints returns the keys to go on; if something can be corrected, that key comes first.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	n := min(len(wording.Notices(run.Track)), mostNotices)
	var out []draw.Hint
	if cause(run.Track) != "" || n > 0 {
		out = run.Hints("edit", "rerun")
	}
	if run.Track.FailedStep() != nil || run.Shown.EndedAtFailure() {
		out = append(out, run.Hints("source")...)
	}
	if n > 0 {
		digits := "1"
		if n > 1 {
			digits = fmt.Sprintf("1–%d", n)
		}
		out = append(out, draw.Hint{Key: digits, Text: "go there"})
	}
	out = append(append(out, d.ScrollHints(run.Look)...), run.Look.Press("close", "look around"))
	names := []string{"end-leftovers", "export", "history", "what-if", "compare", "rerun", "jump"}
	if run.Shown.EndedAtFailure() {
		names = append([]string{"pass", "skip"}, names...)
	}
	return append(out, run.Hints(slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(out, func(h draw.Hint) bool { return h.Action == name })
	})...)...)
}

// output is the final output, rendered once for a width and a theme.
type output struct {
	of    artifact.Artifact
	width int
	theme string
	set   []string
}

// lines returns the output in lines: Markdown is rendered, text is wrapped, everything else is shown as
// code.
func (p *output) lines(l *draw.Look, a artifact.Artifact, w int) []string {
	if p.of == a && p.width == w && p.theme == l.Palette.Name {
		return p.set
	}
	p.of, p.width, p.theme, p.set = a, w, l.Palette.Name, nil
	text := l.Signs(sanitize.Text(strings.Trim(a.Pretty(), "\n")))
	switch language := a.Language(); {
	case language == "markdown" && len(text) <= maxRendered:
		p.set = markdown.Render(text, w, l.Styles)
	case language == "markdown", language == plan.PlainText:
		p.set = l.Wrap(text, w)
	default:
		p.set = markdown.Block(text, language, "", language, w, l.Styles)
	}
	return p.set
}

// maxRendered is the maximum size of Markdown that is rendered, in bytes. A longer text is only wrapped.
const maxRendered = 256 << 10
