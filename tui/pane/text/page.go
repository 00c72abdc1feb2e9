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

// Prompt returns the prompt of a row's model as it was sent, "" if there was none.
func Prompt(r *track.Row) string {
	if r == nil || r.Request() == nil {
		return ""
	}
	return r.Request().Text
}

// page makes the lines of the text that the pane shows.
type page struct {
	run      *runview.Run
	prose    *textCache
	width    int
	raw      bool // show the source instead of rendering it
	asks     bool // a dialog shows the run's question
	explains bool // WHY shows the checks of the step, with its warnings
	body     []string
}

// step adds the text of a row, its actions and its routes.
func (d *page) step(r *track.Row) {
	l, tr, width := d.run.Look, d.run.Shown, d.width
	if r == nil {
		d.body = append(d.body, l.Wrap(l.Muted.Paint(l.Keys.Sentence(steps.NoSteps)), width)...)
		return
	}
	before := len(d.body)
	text := Prompt(r)
	if text == "" {
		text = Source(tr, r)
	}
	d.body = append(d.body, d.set(text)...)
	if r.Step != nil {
		d.section(sourceOf(l, tr.Origin(r), width))
		q := d.run.ShownStatus().Question
		asksRow := q != nil && q.Action.Step == r.Label
		decides := asksRow && q.Kind == machine.KindDecide
		d.section(actions(l, r, decides && d.asks, width))
		d.section(edits(l, r, width))
		d.section(work(l, tr, r, width))
		d.section(questions(l, d.run.Replay || d.run.Watched != "" || d.run.ShowsEarlierMoment(), d.asks && asksRow, r, width))
		warnings := r.Warnings
		if d.asks && asksRow && q.Kind == machine.KindAcceptOutcome || d.explains && len(r.Checks()) > 0 {
			warnings = ofBreakpoints(warnings) // the question or WHY shows the others
		}
		d.section(notes(l, r, warnings, width))
		if !decides {
			d.section(writtenRoutes(l, r, width)) // while the dialog asks, each answer shows where it leads
		}
	}
	if len(d.body) == before && len(r.Children) > 0 {
		d.body = append(d.body, l.Wrap(l.Muted.Paint("This group has no text. See its substeps."), width)...)
	}
}

// addIntroduction adds the document's introduction and, if the run is paused, the selected row below it.
func (d *page) addIntroduction(notice string, paused bool) {
	l, next := d.run.Look, d.run.Selected
	d.body = d.set(d.run.Shown.Plan.Description)
	if notice != "" {
		d.section(warning(l, notice, d.width))
	}
	if !paused || next == nil {
		return
	}
	d.body = append(d.body, "", l.Title.Paint(l.Cut(draw.StepName(next), d.width)))
	below := page{run: d.run, prose: d.prose, width: d.width, raw: d.raw}
	below.step(next)
	d.body = append(d.body, below.body...)
}

// set returns the lines of a text, rendered or raw.
func (d *page) set(text string) []string {
	l := d.run.Look
	text = l.Signs(sanitize.Text(text))
	if d.raw {
		return l.Wrap(text, d.width)
	}
	return slices.Clone(d.prose.lines(l.Styles, text, d.width))
}

// section adds lines after a blank one.
func (d *page) section(lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(d.body) > 0 {
		d.body = append(d.body, "")
	}
	d.body = append(d.body, lines...)
}

// Source returns the text that a row shows: that of its step or of its document.
func Source(tr *track.Track, r *track.Row) string {
	switch {
	case r == nil:
		return ""
	case r.Doc == nil:
		return tr.Text(r)
	case r.Doc.Plan == nil:
		return r.Doc.Path + " cannot be run: " + r.Doc.Reason
	}
	return strings.TrimSpace("Includes `" + r.Doc.Path + "`.\n\n" + r.Doc.Plan.Description + "\n\n" + r.Message)
}

// textCache renders texts for a width and a theme, and keeps the results.
type textCache struct {
	entries map[proseKey][]string
}

type proseKey struct {
	text  string
	width int
	theme string
}

// The cache holds the texts of many steps. A text longer than maxText is shown raw, because rendering a long
// document would delay keys.
const (
	maxKept = 1000
	maxText = 24 << 10
)

func newProse() *textCache { return &textCache{entries: map[proseKey][]string{}} }

// lines returns a text without control characters as lines of at most width cells.
func (p *textCache) lines(s *themes.Styles, text string, width int) []string {
	if text == "" || width <= 0 {
		return nil
	}
	if len(text) > maxText {
		return strings.Split(text, "\n")
	}
	k := proseKey{text, width, s.Palette.Name}
	if lines, ok := p.entries[k]; ok {
		return lines
	}
	if len(p.entries) >= maxKept {
		clear(p.entries)
	}
	p.entries[k] = markdown.Render(text, width, s)
	return p.entries[k]
}
