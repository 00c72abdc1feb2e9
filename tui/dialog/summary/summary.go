// Package summary is the dialog that shows how a run ended, its figures and its final output.
package summary

import (
	"fmt"
	"slices"
	"strings"

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
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog shows a run's figures, and below them its final output.
type Dialog struct {
	LeftoverProcesses []shell.Leftover // processes that steps left running
	SavedFile         string           // the file in which the final output was saved
	ending            ending
	figures           renderedFigures
	finalOutput       renderedOutput
	list.Scroller
}

// ending is how a run ended, at a moment of it. It is kept because finding it takes several walks over the
// whole run, and each frame needs it several times.
type ending struct {
	trackState
	cause      string     // the sentence about what decided the run, "" if there is none
	failedStep *track.Row // see track.Track.FailedRow
	notices    []wording.Notice
	headline   *wording.Notice // the most important notice, nil if there is a cause or no notice
}

// trackState is a state of a track. Its shape changes without an event when a document is expanded.
type trackState struct {
	track                    *track.Track
	eventCount, shapeVersion int
}

// endingOf returns how a run ended, computed again only if the run has changed.
func (d *Dialog) endingOf(t *track.Track) *ending {
	now := trackState{t, t.EventCount, t.RowsVersion}
	if d.ending.trackState != now {
		d.ending = ending{trackState: now, cause: causeText(t), failedStep: t.FailedRow(), notices: wording.Notices(t)}
		d.ending.headline = wording.HeadlineNotice(t, d.ending.notices)
	}
	return &d.ending
}

// Title returns how the run ended, and how long it took.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	dc, t := run.DrawContext, run.Track
	return layout.PaneTitle{Left: d.resultText(dc, t), Right: dc.Muted.Paint(wording.ColumnDuration(t.Duration()))}
}

// resultText returns how the run ended, with its message.
func (d *Dialog) resultText(dc *draw.Context, t *track.Track) string {
	if t.Finished == nil {
		return "running"
	}
	word, end := dc.ResultHeadline(t.Finished.Result), d.endingOf(t)
	if message := t.Finished.Message; message != "" && message != end.cause && !end.repeatsCause(message) && !tools.IsJSONContainer(message) {
		word += "  " + draw.CleanLine(message)
	}
	return word
}

// causeText returns the sentence about what decided the run, "" if there is none.
func causeText(t *track.Track) string {
	if text := wording.EndSentence(t); text != "" || !t.EndedAtFailure() {
		return text
	}
	return t.Finished.Message
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.allLines(run, w), h)
}

// allLines returns the figures of the run, and below them its final output.
func (d *Dialog) allLines(run *runview.Run, w int) []string {
	out := d.figureLines(run, w)
	if final, ok := run.Track.FinalArtifact(); ok && !run.ShowsWholeFinalOutput {
		out = slices.Concat(out, []string{""}, d.finalOutput.render(run.DrawContext, final, w))
	}
	return out
}

// renderedFigures caches the lines of the figures.
type renderedFigures struct {
	key   figuresKey
	lines []string
}

// figuresKey is everything that the lines of the figures depend on.
type figuresKey struct {
	trackState
	styles                *themes.Styles
	measure               cells.Measure
	width                 int
	changedFileCount      int
	supersededEffectCount int
	leftovers, savedFile  string
	isOutputShownAbove    bool
}

// figureLines returns the figures of the run, the most important first.
func (d *Dialog) figureLines(run *runview.Run, w int) []string {
	key := figuresKey{
		trackState: d.endingOf(run.Track).trackState, styles: run.DrawContext.Styles, measure: run.DrawContext.Measure, width: w,
		changedFileCount: len(run.Status.ChangedFiles), supersededEffectCount: run.Status.SupersededEffectCount, leftovers: shell.LeftoverNamesText(d.LeftoverProcesses), savedFile: d.SavedFile,
		isOutputShownAbove: run.ShowsWholeFinalOutput,
	}
	if d.figures.key != key {
		f := figureWriter{drawContext: run.DrawContext, width: w}
		d.addCauseAndPath(&f, run)
		d.addNotices(&f, run.Track)
		d.addBranches(&f, run.Track)
		d.addWhatRemains(&f, run)
		d.figures = renderedFigures{key, f.lines}
	}
	return d.figures.lines
}

// figureWriter collects figures as lines of a width.
type figureWriter struct {
	drawContext *draw.Context
	width       int
	lines       []string
}

// figureNameWidth is the width of the column of names.
const figureNameWidth = 7

// addFigure adds a text after its name, wrapped.
func (f *figureWriter) addFigure(name string, style themes.Style, text string) {
	f.addText(f.drawContext.Muted.Paint(f.drawContext.Fit(name, figureNameWidth)), style, text)
}

// addText adds a text after a mark, which may be empty, wrapped.
func (f *figureWriter) addText(mark string, style themes.Style, text string) {
	lines := f.drawContext.PaintLines(style, text, f.width-f.drawContext.Width(mark))
	f.lines = append(f.lines, f.drawContext.MarkedLines(mark, lines)...)
}

// maxPathLines limits the path, so that what deserves a look stays in sight below it.
const maxPathLines = 4

// addPath adds the path of the run, the end of it if it is long.
func (f *figureWriter) addPath(t *track.Track) {
	from := len(f.lines)
	f.addFigure("path", f.drawContext.Text, pathText(f.drawContext, t))
	if excess := len(f.lines) - from - maxPathLines; excess > 0 {
		f.lines = slices.Delete(f.lines, from+1, from+1+excess)
		f.lines[from] = f.drawContext.Muted.Paint(f.drawContext.Fit("path", figureNameWidth) + "…")
	}
}

// repeatsCause reports whether the message of a run repeats the cause of its end.
func (e *ending) repeatsCause(message string) bool {
	if e.track.LimitFlag() != "" {
		return e.cause != "" // the message adds only the last steps, which the path shows
	}
	r := e.failedStep
	return r != nil && r.Outcome != nil && r.Outcome.Reason != "" && strings.HasSuffix(message, r.Outcome.Reason) && strings.Contains(e.cause, draw.CleanLine(r.Outcome.Reason))
}

// addCauseAndPath adds why the run ended as it did, and the path that it took.
func (d *Dialog) addCauseAndPath(f *figureWriter, run *runview.Run) {
	t, end := run.Track, d.endingOf(run.Track)
	why := end.cause
	if why != "" {
		f.addText("", f.drawContext.Fail, draw.CleanLine(why))
	}
	if end.headline != nil {
		f.addText("", f.drawContext.Warn, end.headline.Sentence())
	}
	switch message := t.Finished.Message; {
	case tools.IsJSONContainer(message):
		f.lines = append(f.lines, markdown.JSONLines(message, f.width, f.drawContext.Styles, f.drawContext.Measure)...)
	case why != message && d.isTitleCut(run, f.width) && !end.repeatsCause(message):
		f.addText("", f.drawContext.Text, draw.CleanLine(message))
	}
	f.addText("", f.drawContext.Text, wording.RaiseLimitText(t))
	if at := t.Finished.WaitingFor; at != nil {
		f.addText("", f.drawContext.Wait, waitingText(t, at))
	}
	f.addPath(t)
	if route := endingRouteText(t); why != "" && route != "" {
		f.addFigure("route", f.drawContext.Text, route)
	}
	if tally := wording.StepCountsText(t); tally != "" {
		f.addFigure("steps", f.drawContext.Text, tally)
	}
}

// endingRouteText returns the route that ended the run, with its step and line, or that it is the format's default; ""
// if there is none.
func endingRouteText(t *track.Track) string {
	r := t.DecidedRow
	if r == nil || r.Decision == nil || r.Decision.ByPerson || r.Decision.Destination.Kind != machine.ToDocumentEnd {
		return ""
	}
	c := r.Decision.TakenCandidate()
	if c == nil || c.Implicit && r.Decision.Destination.Result != plan.Stopped {
		return "" // a failed step fails the run, which needs no explanation
	}
	if c.Implicit {
		return draw.CleanLine(r.DisplayLabel()) + ", " + decision.CandidateText(r, r.Decision, *r.Decision.CandidateIndex)
	}
	return draw.CleanLine(fmt.Sprintf("%s, line %d: %s", r.DisplayLabel(), c.Line, c.Text))
}

// addNotices adds the notices, the first ones with the digit that goes to their step.
func (d *Dialog) addNotices(f *figureWriter, t *track.Track) {
	all := d.endingOf(t).notices
	names, widest := make([]string, len(all)), 0
	for i, n := range all {
		names[i] = f.drawContext.Cut(stepName(t, n.Row.Label), f.width/3)
		widest = max(widest, f.drawContext.Width(names[i]))
	}
	for i, n := range all {
		digit := "   "
		if i < keymap.MaxDigit { // in brackets, because the name beside it may begin with a number
			digit = f.drawContext.Key.Paint(fmt.Sprintf("[%d]", i+1))
		}
		style := f.drawContext.Warn
		if n.IsNotReached {
			style = f.drawContext.Muted
		}
		f.addText(digit+" "+f.drawContext.Fit(names[i], widest)+"  ", style, n.Text)
	}
}

// maxBranches limits how many branches are shown.
const maxBranches = 3

// addBranches adds which values the choices between arms and the selections of targets compared, because a run that took
// a wrong branch passes as any other.
func (d *Dialog) addBranches(f *figureWriter, t *track.Track) {
	var texts []string
	add := func(r *track.Row, text string) { texts = append(texts, draw.CleanLine(r.Label)+", "+text) }
	for _, r := range t.AllRows() {
		for _, choice := range r.ArmChoices {
			if !d.isCoveredByNotice(t, choice) {
				add(r, wording.ArmChoiceText(choice))
			}
		}
		if r.Decision != nil && wording.IsSelectedByReply(r.Decision) && !d.isCoveredByNotice(t, r.Decision) {
			add(r, wording.SelectedTargetText(r.Decision))
		}
	}
	name := "branch"
	for _, text := range texts[:min(len(texts), maxBranches)] {
		f.addFigure(name, f.drawContext.Text, text)
		name = ""
	}
	if more := len(texts) - maxBranches; more > 0 {
		f.addFigure(name, f.drawContext.Muted, fmt.Sprintf("and %d more", more))
	}
}

// isCoveredByNotice reports whether a notice is about a decision whose taken route compared nothing else.
func (d *Dialog) isCoveredByNotice(t *track.Track, taken *machine.Decision) bool {
	if c := taken.TakenCandidate(); c != nil && c.Reason != nil && c.Reason.Variable != "" {
		return false
	}
	return slices.ContainsFunc(d.endingOf(t).notices, func(n wording.Notice) bool { return n.Decision == taken })
}

// addWhatRemains adds what the run leaves: side effects of rewound attempts, changed files, processes, its final output;
// and the tokens that it used.
func (d *Dialog) addWhatRemains(f *figureWriter, run *runview.Run) {
	t := run.Track
	f.addText("", f.drawContext.Text, wording.SupersededEffectsText(run.Status.SupersededEffectCount))
	if n := len(run.Status.ChangedFiles); n > 0 {
		f.addFigure("files", f.drawContext.Text, f.drawContext.Keys.FillInKeys(control.Sentence(fmt.Sprintf("%d changed. {files} to see how.", n))))
	}
	if len(t.BackgroundProcesses) > 0 {
		f.addFigure("ended", f.drawContext.Text, "background processes: "+draw.CleanLine(strings.Join(t.BackgroundProcesses, ", ")))
	}
	if n := len(d.LeftoverProcesses); n > 0 {
		whatToEnd := "it"
		if n > 1 {
			whatToEnd = "them"
		}
		f.addFigure("left", f.drawContext.Warn, draw.CleanLine(shell.LeftoverNamesText(d.LeftoverProcesses))+": still running. "+f.drawContext.Keys.FillInKeys(control.Sentence("{end-leftovers} to end "+whatToEnd+".")))
	}
	if used := t.ModelUsage.String(); used != "" {
		f.addFigure("tokens", f.drawContext.Text, used)
	}
	if final, ok := t.FinalArtifact(); ok {
		text := wording.FinalOutputText(final.Type, stepName(t, final.StepLabel))
		if run.ShowsWholeFinalOutput {
			text += " · shown above"
		}
		if d.SavedFile != "" {
			text += " · saved in " + draw.CleanLine(d.SavedFile)
		}
		f.addFigure("output", f.drawContext.Text, text)
	}
}

// waitingText returns where the run waits, and for what.
func waitingText(t *track.Track, at *machine.Waiting) string {
	return "waits at " + stepName(t, at.Step) + " for " + wording.WaitingForText(at)
}

// isTitleCut reports whether the message does not fit into the title, between its two corners.
func (d *Dialog) isTitleCut(run *runview.Run, w int) bool {
	dc, t := run.DrawContext, d.Title(run)
	return run.Track.Finished != nil && dc.Width(t.Left)+dc.Width(t.Right)+4 > w
}

// stepName returns a step's label, and its title if it has one.
func stepName(t *track.Track, label string) string {
	if r := t.RowByLabel(label); r != nil {
		label = wording.StepName(r)
	}
	return draw.CleanLine(label)
}

// pathText returns the visited steps in order, each in the colour of its outcome, with repetitions counted
// and jumps marked.
func pathText(dc *draw.Context, t *track.Track) string {
	from := max(0, len(t.EnteredSteps)-track.MaxShownPathEntries)
	counts := map[string]int{} // by current labels
	for _, s := range t.EnteredSteps[:from] {
		counts[s.CurrentLabel]++
	}
	var out strings.Builder
	if from > 0 {
		out.WriteString("…")
	}
	order := stepPositionsOf(t)
	for i := from; i < len(t.EnteredSteps); {
		step, times := t.EnteredSteps[i], 0
		row := t.RowByLabel(step.CurrentLabel)
		first := attemptOf(row, counts[step.CurrentLabel])
		for i < len(t.EnteredSteps) && t.EnteredSteps[i] == step {
			i, times = i+1, times+1
			counts[step.CurrentLabel]++
		}
		if out.Len() > 0 {
			out.WriteString(arrow(dc, first, order.isJump(t.RowByLabel(t.EnteredSteps[i-times-1].CurrentLabel), row, first)))
		}
		out.WriteString(pathStepText(dc, step.Label, attemptOf(row, counts[step.CurrentLabel]-1), times))
	}
	return out.String()
}

// attemptOf returns attempt n of a step, from 0, nil if it is unknown. The row may be nil.
func attemptOf(r *track.Row, n int) *track.Attempt {
	if r != nil && n < len(r.StepAttempts) {
		return r.StepAttempts[n]
	}
	return nil
}

// arrow returns the arrow to an attempt. It differs if a person sent the run there, or if a route of the document
// left the order of the steps.
func arrow(dc *draw.Context, attempt *track.Attempt, isJump bool) string {
	switch {
	case attempt != nil && attempt.EnteredByPerson:
		return dc.Warn.Paint(" ⇢ ")
	case isJump:
		return dc.Bold.Paint(" ━▸ ")
	}
	return " → "
}

// stepPositions are the places of the steps in their order, from 1, without those that only a jump reaches and those of
// arms that were not chosen.
type stepPositions map[*track.Row]int

func stepPositionsOf(t *track.Track) stepPositions {
	out := stepPositions{}
	for _, r := range t.AllRows() {
		choice, chosen := r.ArmDecision()
		if r.IsExecutable() && !r.IsTargetOnly() && !r.IsHidden && (choice == nil || chosen) {
			out[r] = len(out) + 1
		}
	}
	return out
}

// isJump reports whether an explicit route led from one step to an attempt of another one that does not follow it.
func (p stepPositions) isJump(from, to *track.Row, attempt *track.Attempt) bool {
	if attempt == nil || attempt.EntryDecision == nil || attempt.EntryDecision.Destination.SameVisit {
		return false
	}
	c := attempt.EntryDecision.TakenCandidate()
	return c != nil && !c.Implicit && (p[from] == 0 || p[to] != p[from]+1)
}

// pathStepText returns a step on the path.
func pathStepText(dc *draw.Context, label string, attempt *track.Attempt, times int) string {
	text := draw.CleanLine(label)
	if times > 1 {
		text += fmt.Sprintf(" ×%d", times)
	}
	if attempt != nil && attempt.Outcome != nil && attempt.Outcome.Result != plan.Passed && attempt.Outcome.Result != plan.Skipped {
		return dc.Fail.Paint(text + " ✗")
	}
	if attempt != nil && attempt.Outcome != nil && attempt.Outcome.Result == plan.Passed {
		return dc.Pass.Paint(text)
	}
	return text
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int { return len(d.allLines(run, w)) }

// MayCoverOutput reports whether the dialog shows the final output.
func (d *Dialog) MayCoverOutput(run *runview.Run) bool {
	_, ok := run.Track.FinalArtifact()
	return ok && !run.ShowsWholeFinalOutput
}

// AllowsAction implements dialog.ActionFilter: after the run, the keys of the screen work.
func (d *Dialog) AllowsAction(*keymap.KeyAction) bool { return true }

// Update scrolls, goes to the step of a notice, selects the headline's step for what-if, and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.DrawContext.Keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	}
	if headline := d.endingOf(run.Track).headline; run.DrawContext.Keys.IsKeyOf(k, "what-if") && headline != nil && !headline.IsNotReached &&
		run.SelectedRow == run.Track.CurrentRow { // the person has selected no other step
		return []tea.Msg{request.SelectStep{Row: headline.Row}}, false
	}
	all := d.endingOf(run.Track).notices
	if n := keymap.DigitOfKey(k); n > 0 && n <= len(all) {
		return dialog.Handled(dialog.Close{}, request.SelectStep{Row: all[n-1].Row})
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// DigitsHintText is the text of the hint for the digits that go to the steps of notices.
const DigitsHintText = "go there"

// Hints returns the keys to go on; if something can be corrected, that key comes first.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	end := d.endingOf(run.Track)
	n := len(end.notices)
	var out []draw.Hint
	if end.cause != "" || n > 0 {
		out = run.AvailableHints("edit", "rerun")
	}
	if end.failedStep != nil || run.ShownTrack.EndedAtFailure() {
		out = append(out, run.AvailableHints("source")...)
	}
	if n > 0 {
		out = append(out, draw.Hint{Key: keymap.DigitsText(n), Text: DigitsHintText})
	}
	out = append(append(out, d.ScrollHints(run.DrawContext)...), run.DrawContext.LookAroundHint())
	names := []string{"end-leftovers", "export", "timeline", "what-if", "compare", "rerun", "jump"}
	if run.ShownTrack.EndedAtFailure() {
		names = append([]string{"pass", "skip"}, names...)
	}
	return append(out, run.AvailableHints(slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(out, func(h draw.Hint) bool { return h.Action == name })
	})...)...)
}

// renderedOutput caches the lines of the final artifact for a width and a theme.
type renderedOutput struct {
	artifact      artifact.Artifact
	width         int
	theme         string
	renderedLines []string
}

// render draws the output: Markdown is rendered, text is wrapped, everything else is shown as code.
func (r *renderedOutput) render(dc *draw.Context, a artifact.Artifact, w int) []string {
	if r.artifact == a && r.width == w && r.theme == dc.Palette.Name {
		return r.renderedLines
	}
	r.artifact, r.width, r.theme, r.renderedLines = a, w, dc.Palette.Name, nil
	text := sanitize.PlainLines(strings.Trim(a.PrettyContent(), "\n"))
	switch language := a.ContentLanguage(); {
	case language == "markdown" && len(text) <= maxRenderedBytes:
		r.renderedLines = markdown.RenderReply(text, w, dc.Styles, dc.Measure)
	case language == "markdown", language == plan.PlainTextType:
		r.renderedLines = dc.Wrap(text, w)
	default:
		r.renderedLines = markdown.CodeBlock(text, language, "", language, w, dc.Styles, dc.Measure)
	}
	return r.renderedLines
}

// maxRenderedBytes is the maximum size of Markdown that is rendered, in bytes. A longer text is only wrapped.
const maxRenderedBytes = 256 << 10
