package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// detail is the pane of the selected step: what it says, what it runs, and the
// lines of the document that decide where it leads.
type detail struct {
	row    *track.Row
	body   []string
	top    int
	asks   bool       // show all that a person was asked: no card does
	raw    bool       // show the source instead of rendering it
	intro  *plan.Plan // what introduces the run, as long as no step was entered
	notice string     // to know before the run; "": nothing
	lines  []string
	marks  *search // whose matches stand out
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
		facts = append([]fact{{"prompt as sent", 0}}, facts...)
	}
	return panes.Title{Left: named(r), Right: l.Muted.Paint(fitting(l, facts, w-l.Width(named(r))-1))}
}

// fact is something that a title says, and how much that matters.
type fact struct {
	text   string
	weight int
}

// fitting is the facts that there is room for: those that matter least go first, the one
// that matters most stays.
func fitting(l *look, facts []fact, room int) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.text
	}
	text := strings.Join(texts, " · ")
	if len(facts) < 2 || l.Width(text) <= room {
		return text
	}
	least := slices.MinFunc(facts, func(a, b fact) int { return a.weight - b.weight })
	i := slices.Index(facts, least)
	return fitting(l, slices.Delete(slices.Clone(facts), i, i+1), room)
}

// prompt is what a model was asked by the row, as it was sent, or nothing.
func prompt(r *track.Row) string {
	if r == nil || r.Asked() == nil {
		return ""
	}
	return r.Asked().Text
}

// named is a row's label among those of all documents, and its title; an arm's condition.
func named(r *track.Row) string {
	switch {
	case arm(r) && r.Step.When != nil:
		return draw.Clean(r.Step.When.Text)
	case arm(r):
		return "else"
	}
	label := r.Local
	if strings.HasSuffix(r.Label, r.Local) {
		label = r.Label
	}
	if r.Title == r.Local {
		return draw.Clean(label)
	}
	return strings.TrimSpace(draw.Clean(label) + " " + draw.Clean(r.Title))
}

// standing says how a row stands: which attempt, since when, or how it ended.
func standing(r *track.Row, now time.Time) []fact {
	var facts []fact
	add := func(weight int, text string) {
		if text != "" {
			facts = append(facts, fact{text, weight})
		}
	}
	if n := attempts(r); n > 1 && r.Attempt <= n { // more are a person's doing
		add(3, fmt.Sprintf("attempt %d of %d", max(1, r.Attempt), n))
	} else if r.Attempt > 1 {
		add(3, fmt.Sprintf("attempt %d", r.Attempt))
	}
	switch {
	case r.Status == track.Waiting: // the card says so
	case r.Status == track.Running && r.Unit():
		add(4, draw.Stopwatch(r.Elapsed(now)))
	default:
		add(4, draw.Word(r))
	}
	if r.Status.Over() && r.Took > 0 {
		add(2, draw.Clock(r.Took))
	}
	if r.Status.Over() {
		add(1, prepared(givenBy(r)))
	}
	return facts
}

// attempts is how many attempts a step's routes allow, 0 where none is repeated.
func attempts(r *track.Row) int {
	if r.Step == nil {
		return 0
	}
	n := 0
	for _, route := range r.Step.Routes {
		m := route.Do
		if m.Verb == plan.Again && m.Limit != nil && m.Limit.Counter == plan.AttemptCounter {
			n = max(n, m.Limit.Max)
		}
	}
	return n
}

// show makes the pane show a row.
func (d *detail) show(tr *track.Track, r *track.Row, l *look, p *prose, width int) {
	if r != d.row || d.intro != nil {
		d.top = 0
	}
	d.row, d.intro, d.stale = r, nil, true
	if r == nil {
		d.body = l.Wrap(l.Muted.Paint(l.keys.said(noSteps)), width)
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
		d.body = l.Wrap(l.Muted.Paint("It has no text but its title: its steps are below it."), width)
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
		intro = append(intro, "", l.Title.Paint(l.Cut(named(next), width)))
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

// works shows what a step does.
func works(l *look, r *track.Row, w int) []string {
	var out []string
	for i, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Tool:
			out = append(out, calling(l, r, i, work, w)...)
		case plan.Command:
			if _, edited := r.Edits[i]; !edited {
				out = append(out, commanded(l, a, work, w)...)
			}
		case plan.Decide:
			if work.Show != nil {
				out = append(out, instruction(l, work.Show, w)...)
			}
		case plan.Include:
			for _, doc := range work.Docs {
				out = append(out, l.Muted.Paint("includes ")+l.Cut(draw.Clean(doc), w-9))
			}
		}
	}
	return out
}

// instruction is a block that a person decides on, all of it.
func instruction(l *look, b *plan.Block, w int) []string {
	var out []string
	for _, line := range l.Wrap(sanitize.Text(b.Text), w-2) {
		out = append(out, l.Person.Paint("  "+line))
	}
	return out
}

// editedFor is what a person had a step do in this run, in the place of what it says.
func editedFor(l *look, r *track.Row, w int) []string {
	var out []string
	for _, i := range slices.Sorted(maps.Keys(r.Edits)) {
		out = append(out, l.Warn.Paint(l.Cut("! edited for this run:", w)))
		for _, line := range strings.Split(sanitize.Text(r.Edits[i]), "\n") {
			out = append(out, l.wrapCode(line, w)...)
		}
	}
	return out
}

// commanded is a command, with what it checks at its right end.
func commanded(l *look, a plan.Action, work plan.Command, w int) []string {
	checks := ""
	if d, ok := a.Judge.(plan.Described); ok {
		checks = draw.Clean(strings.Join(d.Describe().Validators, ", "))
	}
	var out []string
	for i, line := range strings.Split(sanitize.Text(work.Source()), "\n") {
		mark := "  "
		if i == 0 {
			mark = "$ "
		}
		line = l.Command.Paint(l.Cut(mark+line, max(1, w-l.Width(checks)-1)))
		if checks != "" {
			line, checks = l.Spread(line, l.Muted.Paint(checks), w), ""
		}
		out = append(out, line)
	}
	return out
}

// notes shows what was found wrong with a step, in the document and in the run.
func notes(l *look, r *track.Row, w int) []string {
	var out []string
	add := func(text string) { out = append(out, warned(l, text, w)...) }
	for _, d := range r.Plan().Diagnostics {
		if s := r.Step.Span; d.Severity != plan.Info && d.Line >= s.Line && d.Line <= s.End && len(r.Step.Children) == 0 {
			add(fmt.Sprintf("line %d: %s", d.Line, d.Brief()))
		}
	}
	for _, n := range r.Warnings {
		add(n.Message)
	}
	return out
}

// warned is a warning in lines of at most w cells.
func warned(l *look, text string, w int) []string {
	var out []string
	for i, line := range l.Wrap(draw.Clean(text), w-2) {
		mark := "  "
		if i == 0 {
			mark = "! "
		}
		out = append(out, l.Warn.Paint(mark+line))
	}
	return out
}

// roads shows the lines of the document that say where a step leads.
func roads(l *look, r *track.Row, w int) []string {
	var out []string
	for _, route := range r.Step.Routes {
		if route.Do.Implicit || route.Do.Text == "" {
			continue
		}
		line := fmt.Sprintf("%4d  ", route.Do.Span.Line)
		out = append(out, l.Muted.Paint(line)+l.Cut(draw.Clean(route.Do.Text), w-len(line)))
	}
	return out
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
			s = d.marks.mark(l, d.body[n], d.marks.at(n) && d.marks.pane == panes.Text)
		}
		if i == box.H-1 && d.top+box.H < len(d.body) {
			s = l.Muted.Paint("↓ " + draw.Count(len(d.body)-d.top-box.H+1, "more line"))
		}
		d.lines[i] = l.Fit(s, box.W)
	}
	d.stale = false
	return d.lines
}
