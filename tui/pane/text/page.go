package text

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/markdown"
	"playhead/tui/pane/steps"
	"playhead/tui/runview"
)

// sentPrompt returns the prompt of a row's model as it was sent, "" if there was none.
func sentPrompt(r *track.Row) string {
	if r == nil || r.NewestRequest() == nil {
		return ""
	}
	return r.NewestRequest().Text
}

// bodyBuilder makes the lines of the text that the pane shows.
type bodyBuilder struct {
	run             *runview.Run
	cache           *textCache
	width           int
	isRaw           bool // show the source instead of rendering it
	dialogAsks      bool // a dialog shows the run's question
	isWhyShown      bool // WHY shows the checks of the step, with its warnings, and the routes
	lines           []string
	actionLineRange lineRange // what the step does
}

// lineRange is a range of rows.
type lineRange struct{ from, to int }

func (r lineRange) contains(row int) bool { return row >= r.from && row < r.to }

// addStep adds the text of a row, its actions and its routes.
func (b *bodyBuilder) addStep(r *track.Row) {
	dc, tr, width := b.run.DrawContext, b.run.ShownTrack, b.width
	if r == nil {
		b.lines = append(b.lines, dc.Wrap(dc.Muted.Paint(dc.Keys.FillInKeys(steps.NoStepsMessage)), width)...)
		return
	}
	before := len(b.lines)
	text := sentPrompt(r)
	if text == "" {
		text = SourceText(tr, r)
	}
	b.lines = append(b.lines, b.renderText(text)...)
	if sentPrompt(r) == "" {
		b.addSection(dc.OnlyTitleLines(tr, r, width))
	}
	if r.Step != nil {
		b.addSection(promptOriginLines(dc, tr.PromptOrigin(r), width))
		q := b.run.ShownStatus().Question
		asksRow := q != nil && q.Action.StepLabel == r.Label
		decides := asksRow && q.Kind == machine.KindDecide
		textRows := len(b.lines)
		b.addSection(actionLines(dc, b.cache, r, decides && b.dialogAsks, width))
		b.actionLineRange = lineRange{textRows, len(b.lines)}
		b.addSection(editedCommandLines(dc, r, width))
		b.addSection(toolUseLines(dc, tr, r, width))
		b.addSection(rowQuestionLines(dc, !b.run.CanAnswer(), b.dialogAsks && asksRow, r, width))
		warnings := r.OwnWarnings()
		if b.dialogAsks && asksRow && q.Kind == machine.KindAcceptOutcome || b.isWhyShown && len(r.Checks()) > 0 {
			warnings = logpointWarnings(warnings) // the question or WHY shows the others
		}
		b.addSection(stepWarningLines(dc, r, warnings, width))
		listsDestinations := decides || asksRow && b.dialogAsks && len(q.Choices) > 0 // each answer shows where it leads
		if !listsDestinations && (!b.isWhyShown || r.IsInUntakenArm()) {
			b.addSection(writtenRouteLines(dc, r, width))
		}
	}
	if len(b.lines) == before && len(r.Children) > 0 && r.Status != track.Waiting {
		b.lines = append(b.lines, dc.Wrap(dc.Muted.Paint("This group has no text. See its substeps."), width)...)
	}
}

// addIntroduction adds the document's introduction and, if the run is paused, the selected row below it.
func (b *bodyBuilder) addIntroduction(notice string, paused bool) {
	dc, next := b.run.DrawContext, b.run.SelectedRow
	b.lines = b.renderText(b.run.ShownTrack.Plan.Description)
	if notice != "" {
		b.addSection(dc.SignedWarningLines("△", draw.CleanLine(notice), b.width))
	}
	if !paused || next == nil {
		return
	}
	b.lines = append(b.lines, "", dc.Title.Paint(dc.Cut(draw.StepName(next), b.width)))
	below := bodyBuilder{run: b.run, cache: b.cache, width: b.width, isRaw: b.isRaw, isWhyShown: b.isWhyShown}
	below.addStep(next)
	b.lines = append(b.lines, below.lines...)
}

// renderText returns the lines of a text, rendered or raw.
func (b *bodyBuilder) renderText(text string) []string {
	dc := b.run.DrawContext
	text = sanitize.PlainLines(text)
	if b.isRaw {
		return dc.Wrap(text, b.width)
	}
	return slices.Clone(b.cache.render(dc, text, b.width))
}

// addSection adds lines after a blank one.
func (b *bodyBuilder) addSection(lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(b.lines) > 0 {
		b.lines = append(b.lines, "")
	}
	b.lines = append(b.lines, lines...)
}

// SourceText returns the text that a row shows: that of its step or of its document.
func SourceText(tr *track.Track, r *track.Row) string {
	switch {
	case r == nil:
		return ""
	case r.IncludedDocument == nil:
		return tr.TextWithParents(r)
	case r.IncludedDocument.Plan == nil:
		return r.IncludedDocument.WrittenPath + " cannot be run: " + r.IncludedDocument.LoadProblem
	}
	return strings.TrimSpace("Includes `" + r.IncludedDocument.WrittenPath + "`.\n\n" + r.IncludedDocument.Plan.Description + "\n\n" + r.EndMessage)
}

// textCache renders texts and code for a width and a theme, and keeps the results.
type textCache struct {
	entries map[textCacheKey][]string
}

type textCacheKey struct {
	text, language, label string // language and label are those of code
	width                 int
	theme                 string
	measure               cells.Measure
}

// The cache holds the texts of many steps. A too long text is shown raw, because rendering a long
// document would delay keys.
const (
	maxCachedTexts   = 1000
	maxRenderedBytes = 24 << 10
)

func newTextCache() *textCache { return &textCache{entries: map[textCacheKey][]string{}} }

// render renders a text without control characters, at most width cells wide.
func (t *textCache) render(dc *draw.Context, text string, width int) []string {
	if text == "" || width <= 0 {
		return nil
	}
	if len(text) > maxRenderedBytes {
		return strings.Split(text, "\n")
	}
	k := textCacheKey{text: text, width: width, theme: dc.Palette.Name, measure: dc.Measure}
	return t.lines(k, func() []string { return markdown.Render(text, width, dc.Styles, dc.Measure) })
}

// lines returns the lines of a key, and computes them if the cache has none. It does not keep those of long code.
func (t *textCache) lines(k textCacheKey, compute func() []string) []string {
	if len(k.text) > maxRenderedBytes {
		return compute()
	}
	if lines, ok := t.entries[k]; ok {
		return lines
	}
	if len(t.entries) >= maxCachedTexts {
		clear(t.entries)
	}
	t.entries[k] = compute()
	return t.entries[k]
}
