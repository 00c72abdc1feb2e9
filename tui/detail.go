package tui

import (
	"slices"
	"strings"
	"time"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
	"playhead/tui/panes"
	"playhead/tui/search"
)

// detail is the pane of the selected step: what it says, what it runs, and the
// lines of the document that decide where it leads.
type detail struct {
	row    *track.Row
	body   []string
	top    int
	asks   bool       // show all that a person was asked: no dialog does
	raw    bool       // show the source instead of rendering it
	intro  *plan.Plan // what introduces the run, as long as no step was entered
	notice string     // to know before the run; "": nothing
	lines  []string
	marks  *search.Search // whose matches stand out
	stale  bool
}

// title names the step and says how it stands, in the room that its name leaves.
func (d *detail) title(l *look, w int, now time.Time) panes.Title {
	r := d.row
	switch {
	case d.intro != nil:
		return panes.Title{Left: draw.Clean(d.intro.Title)}
	case r == nil:
		return panes.Title{}
	}
	facts := standing(r, now)
	if prompt(r) != "" {
		facts = append([]draw.Fact{{Text: "prompt as sent"}}, facts...)
	}
	return panes.Title{Left: draw.StepName(r), Right: l.Muted.Paint(l.FitFacts(facts, w-l.Width(draw.StepName(r))-1))}
}

// prompt is what a model was asked by the row, as it was sent, or nothing.
func prompt(r *track.Row) string {
	if r == nil || r.Asked() == nil {
		return ""
	}
	return r.Asked().Text
}

// show makes the pane show a row.
func (d *detail) show(tr *track.Track, r *track.Row, l *look, p *prose, width int) {
	if r != d.row || d.intro != nil {
		d.top = 0
	}
	d.row, d.intro, d.stale = r, nil, true
	if r == nil {
		d.body = l.Wrap(l.Muted.Paint(l.Keys.Text(steps.NoSteps)), width)
		return
	}
	d.body = d.set(l, p, source(tr, r), width)
	if sent := prompt(r); sent != "" {
		d.body = d.set(l, p, sent, width)
	}
	if r.Step != nil {
		d.section(sourceOf(l, tr.Origin(r), width))
		d.section(works(l, r, width))
		d.section(editedFor(l, r, width))
		d.section(d.questions(l, r, width))
		d.section(notes(l, r, width))
		d.section(roads(l, r, width))
	}
	if len(d.body) == 0 && len(r.Children) > 0 {
		d.body = l.Wrap(l.Muted.Paint("It has no text of its own: its steps are below it."), width)
	}
}

// introduce makes the pane show what the document says of itself, and below it the
// row that is next, if that is known.
func (d *detail) introduce(tr *track.Track, next *track.Row, l *look, p *prose, width int) {
	d.body = d.set(l, p, tr.Plan.Description, width)
	if d.notice != "" {
		d.section(warned(l, d.notice, width))
	}
	intro := d.body
	d.body = nil
	if next != nil {
		d.show(tr, next, l, p, width)
		intro = append(intro, "", l.Title.Paint(l.Cut(draw.StepName(next), width)))
	}
	d.body = append(intro, d.body...)
	d.intro, d.stale = tr.Plan, true
}

// set renders a text, or leaves it as it is written.
func (d *detail) set(l *look, p *prose, text string, width int) []string {
	text = l.Signs(sanitize.Text(text))
	if d.raw {
		return l.Wrap(text, width)
	}
	return slices.Clone(p.lines(l.Styles, text, width))
}

// section adds lines below a blank one.
func (d *detail) section(lines []string) {
	if len(lines) == 0 {
		return
	}
	if len(d.body) > 0 {
		d.body = append(d.body, "")
	}
	d.body = append(d.body, lines...)
}

// source is the text a row shows: its step's, or its document's.
func source(tr *track.Track, r *track.Row) string {
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

// scroll moves the text.
func (d *detail) scroll(by, h int) {
	top := min(max(0, d.top+by), max(0, len(d.body)-h))
	d.stale = d.stale || top != d.top
	d.top = top
}

// view is the lines of the pane.
func (d *detail) view(l *look, box panes.Rect) []string {
	if !d.stale && len(d.lines) == box.H {
		return d.lines
	}
	d.top = min(d.top, max(0, len(d.body)-box.H))
	d.lines = make([]string, box.H)
	for i := range d.lines {
		s := ""
		if n := d.top + i; n < len(d.body) {
			s = d.marks.Highlight(l, d.body[n], d.marks.IsCurrent(n) && d.marks.Pane == panes.Text)
		}
		if i == box.H-1 && d.top+box.H < len(d.body) {
			s = l.Muted.Paint("↓ " + draw.Count(len(d.body)-d.top-box.H+1, "more line"))
		}
		d.lines[i] = l.Fit(s, box.W)
	}
	d.stale = false
	return d.lines
}
