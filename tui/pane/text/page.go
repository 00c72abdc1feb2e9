package text

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/markdown"
	"playhead/tui/pane/steps"
	"playhead/tui/runview"
)

// SentPrompt returns the prompt of a row's model as it was sent, "" if there was none.
func SentPrompt(r *track.Row) string {
	if r == nil || r.NewestRequest() == nil {
		return ""
	}
	return r.NewestRequest().Text
}

// bodyBuilder makes the lines of the text that the pane shows.
type bodyBuilder struct {
	run         *runview.Run
	cache       *textCache
	width       int
	showsSource bool // show the source instead of rendering it
	dialogAsks  bool // a dialog shows the run's question
	isWhyShown  bool // WHY shows the checks of the step, with its warnings, and the routes
	lines       []string
	actionRows  rowRange // what the step does
}

// rowRange is a range of rows.
type rowRange struct{ from, to int }

func (r rowRange) contains(row int) bool { return row >= r.from && row < r.to }

// addStep adds the text of a row, its actions and its routes.
func (d *bodyBuilder) addStep(r *track.Row) {
	dc, tr, width := d.run.DrawContext, d.run.ShownTrack, d.width
	if r == nil {
		d.lines = append(d.lines, dc.Wrap(dc.Muted.Paint(dc.Keys.FillInKeys(steps.NoStepsMessage)), width)...)
		return
	}
	before := len(d.lines)
	text := SentPrompt(r)
	if text == "" {
		text = SourceText(tr, r)
	}
	d.lines = append(d.lines, d.renderText(text)...)
	if r.Step != nil {
		d.addSection(promptOriginLines(dc, tr.PromptOrigin(r), width))
		q := d.run.ShownStatus().Question
		asksRow := q != nil && q.Action.StepLabel == r.Label
		decides := asksRow && q.Kind == machine.KindDecide
		textRows := len(d.lines)
		d.addSection(actionLines(dc, r, decides && d.dialogAsks, width))
		d.actionRows = rowRange{textRows, len(d.lines)}
		d.addSection(editedCommandLines(dc, r, width))
		d.addSection(toolUseLines(dc, tr, r, width))
		d.addSection(rowQuestionLines(dc, !d.run.CanAnswer(), d.dialogAsks && asksRow, r, width))
		warnings := r.OwnWarnings()
		if d.dialogAsks && asksRow && q.Kind == machine.KindAcceptOutcome || d.isWhyShown && len(r.Checks()) > 0 {
			warnings = breakpointWarnings(warnings) // the question or WHY shows the others
		}
		d.addSection(noteLines(dc, r, warnings, width))
		listsDestinations := decides || asksRow && d.dialogAsks && len(q.Choices) > 0 // each answer shows where it leads
		if !listsDestinations && (!d.isWhyShown || r.IsInUntakenArm()) {
			d.addSection(writtenRouteLines(dc, r, width))
		}
	}
	if len(d.lines) == before && len(r.Children) > 0 && r.Status != track.Waiting {
		d.lines = append(d.lines, dc.Wrap(dc.Muted.Paint("This group has no text. See its substeps."), width)...)
	}
}

// addIntroduction adds the document's introduction and, if the run is paused, the selected row below it.
func (d *bodyBuilder) addIntroduction(notice string, paused bool) {
	dc, next := d.run.DrawContext, d.run.SelectedRow
	d.lines = d.renderText(d.run.ShownTrack.Plan.Description)
	if notice != "" {
		d.addSection(warningLines(dc, notice, d.width))
	}
	if !paused || next == nil {
		return
	}
	d.lines = append(d.lines, "", dc.Title.Paint(dc.Cut(draw.StepName(next), d.width)))
	below := bodyBuilder{run: d.run, cache: d.cache, width: d.width, showsSource: d.showsSource, isWhyShown: d.isWhyShown}
	below.addStep(next)
	d.lines = append(d.lines, below.lines...)
}

// renderText returns the lines of a text, rendered or raw.
func (d *bodyBuilder) renderText(text string) []string {
	dc := d.run.DrawContext
	text = dc.AdaptEmoji(sanitize.PlainLines(text))
	if d.showsSource {
		return dc.Wrap(text, d.width)
	}
	return slices.Clone(d.cache.render(dc.Styles, text, d.width))
}

// addSection adds lines after a blank one.
func (d *bodyBuilder) addSection(lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(d.lines) > 0 {
		d.lines = append(d.lines, "")
	}
	d.lines = append(d.lines, lines...)
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

// textCache renders texts for a width and a theme, and keeps the results.
type textCache struct {
	entries map[textCacheKey][]string
}

type textCacheKey struct {
	text  string
	width int
	theme string
}

// The cache holds the texts of many steps. A too long text is shown raw, because rendering a long
// document would delay keys.
const (
	maxCachedTexts   = 1000
	maxRenderedBytes = 24 << 10
)

func newTextCache() *textCache { return &textCache{entries: map[textCacheKey][]string{}} }

// render renders a text without control characters, at most width cells wide.
func (p *textCache) render(s *themes.Styles, text string, width int) []string {
	if text == "" || width <= 0 {
		return nil
	}
	if len(text) > maxRenderedBytes {
		return strings.Split(text, "\n")
	}
	k := textCacheKey{text, width, s.Palette.Name}
	if lines, ok := p.entries[k]; ok {
		return lines
	}
	if len(p.entries) >= maxCachedTexts {
		clear(p.entries)
	}
	p.entries[k] = markdown.Render(text, width, s)
	return p.entries[k]
}
