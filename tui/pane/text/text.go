// Package text is the pane with the selected step's text: its description, its actions, and the lines of
// the document in which its routes are written.
package text

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	box    panes.Rect
	row    *track.Row
	shown  drawnState
	body   []string
	top    int
	raw    bool       // show the source instead of rendering it
	intro  *plan.Plan // the document whose introduction shows; nil: a step's text shows
	prose  *textCache
	search *search.Search // its matches are highlighted
	lines  []string
	stale  bool
}

// drawnState is what the body was made from.
type drawnState struct {
	row      *track.Row
	width    int
	events   int // the number of events of the track
	raw      bool
	intro    bool
	paused   bool
	asks     bool
	explains bool
	theme    string
}

// New returns an empty pane.
func New() *Pane { return &Pane{prose: newProse()} }

// Resize implements pane.Pane.
func (p *Pane) Resize(box panes.Rect) { p.box, p.stale, p.shown = box, true, drawnState{} }

// Sync shows the selected step in lines of the given width or, if introduces is set, the document's
// introduction. asks says that a dialog shows the run's question, and explains that WHY shows checks. notice
// is a warning to show with the introduction, "" for none.
func (p *Pane) Sync(run *runview.Run, width int, introduces, asks, explains bool, notice string) {
	paused := run.ShownStatus().State == engine.Paused
	now := drawnState{run.Selected, width, run.Shown.Count, p.raw, introduces, paused, asks, explains, run.Look.Palette.Name}
	if width <= 0 || now == p.shown {
		return
	}
	p.shown = now
	d := page{run: run, prose: p.prose, width: width, raw: p.raw, asks: asks, explains: explains}
	if introduces {
		d.addIntroduction(notice, paused)
	} else {
		d.step(run.Selected)
	}
	if run.Selected != p.row || p.intro != nil && !introduces {
		p.top = 0
	}
	p.row, p.body, p.intro, p.stale = run.Selected, d.body, nil, true
	if introduces {
		p.intro = run.Shown.Plan
	}
}

// Body returns the lines of the whole text.
func (p *Pane) Body() []string { return p.body }

// VisibleLines returns the lines of the text from the first visible one to the end.
func (p *Pane) VisibleLines() []string { return p.body[min(p.top, max(0, len(p.body)-1)):] }

// IsRaw reports whether the text shows raw instead of rendered.
func (p *Pane) IsRaw() bool { return p.raw }

// SetRaw shows the text raw, or rendered.
func (p *Pane) SetRaw(raw bool) { p.raw = raw }

// Title returns the name of the step, and its status as far as there is room.
func (p *Pane) Title(run *runview.Run) panes.Title {
	l, r := run.Look, p.row
	switch {
	case p.intro != nil:
		return panes.Title{Left: draw.Clean(p.intro.Title)}
	case r == nil:
		return panes.Title{}
	}
	facts := statusFacts(r, run.Moment, run.Shown.IsOver())
	if Prompt(r) != "" {
		facts = append([]draw.Fact{{Text: "prompt as sent"}}, facts...)
	}
	return panes.Title{Left: draw.StepName(r), Right: l.Muted.Paint(l.FitFacts(facts, p.box.W-l.Width(draw.StepName(r))-1))}
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	l, box := run.Look, p.box
	if !p.stale && len(p.lines) == box.H {
		return p.lines
	}
	p.top = min(p.top, max(0, len(p.body)-box.H))
	p.lines = make([]string, box.H)
	for i := range p.lines {
		s := ""
		if n := p.top + i; n < len(p.body) {
			s = p.search.Highlight(l, p.body[n], p.search.IsCurrent(n) && p.search.Pane == panes.Text)
		}
		if i == box.H-1 && p.top+box.H < len(p.body) {
			s = l.Muted.Paint("↓ " + wording.Count(len(p.body)-p.top-box.H+1, "more line"))
		}
		p.lines[i] = l.Fit(s, box.W)
	}
	p.stale = false
	return p.lines
}

// Overflow returns how much of the text is out of sight.
func (p *Pane) Overflow(*runview.Run) panes.Overflow {
	return panes.Outside(p.top, p.box.H, len(p.body))
}

// Update scrolls the text.
func (p *Pane) Update(_ *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	move, moves := msg.(pane.Move)
	if moves {
		p.scroll(move.By)
	}
	return nil, moves
}

func (p *Pane) scroll(by int) {
	top := min(max(0, p.top+by), max(0, len(p.body)-p.box.H))
	p.stale = p.stale || top != p.top
	p.top = top
}

// Unavailable returns "": the pane's actions are always available.
func (p *Pane) Unavailable(*runview.Run, string) string { return "" }

// Label returns "rendered" for the key "raw" while the text shows raw.
func (p *Pane) Label(action string) string {
	if action == "raw" && p.raw {
		return "rendered"
	}
	return ""
}

// Actions returns the actions of a text.
func (p *Pane) Actions() []string { return []string{"raw", "copy"} }

// SearchIdentity returns the row whose text shows.
func (p *Pane) SearchIdentity() any { return p.row }

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.stale = s, true }

// Position returns a function that restores the scroll position.
func (p *Pane) Position(*runview.Run) func(*runview.Run) []tea.Msg {
	top := p.top
	return func(*runview.Run) []tea.Msg {
		p.top, p.stale = top, true
		return nil
	}
}

// SearchText returns the step's text as it is rendered.
func (p *Pane) SearchText(_ *runview.Run, s *search.Search) search.Text {
	lines := slices.Clone(p.body)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return search.Text{Lines: search.LinesOf(lines), At: s.Reach(p.top, p.box.H, len(lines)), Show: func(line int) []tea.Msg {
		p.scroll(line - p.box.H/2 - p.top)
		return nil
	}}
}

// statusFacts returns the status of a row: its attempt, and its running time or how it ended.
func statusFacts(r *track.Row, now time.Time, runOver bool) []draw.Fact {
	var facts []draw.Fact
	add := func(weight int, text string) {
		if text != "" {
			facts = append(facts, draw.Fact{Text: text, Weight: weight})
		}
	}
	switch n := attempts(r); {
	case r.Status == track.Pending:
	case n > 1 && r.Attempt <= n: // a person may add further attempts
		add(3, fmt.Sprintf("attempt %d of %d", max(1, r.Attempt), n))
	case r.Attempt > 1:
		add(3, fmt.Sprintf("attempt %d", r.Attempt))
	}
	switch {
	case r.Status == track.Pending && !r.Plan().Runnable(): // no step will run
	case r.Status == track.Waiting: // the dialog shows that
	case r.Status == track.Running && r.IsExecutable():
		add(4, wording.Stopwatch(r.Elapsed(now)))
	default:
		add(4, draw.Word(r, runOver))
	}
	if r.Status.IsOver() && r.Took > 0 {
		add(2, wording.Clock(r.Took))
	}
	if r.Status.IsOver() {
		add(1, draw.PreparedBy(draw.GivenBy(r)))
	}
	return facts
}

// attempts returns how many attempts a step's routes allow, 0 if no route repeats the step.
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

// sourceOf returns where a prompt comes from: its file, the alternatives, and the values that were filled
// in.
func sourceOf(l *draw.Look, o plan.Origin, w int) []string {
	var out []string
	if o.From != "" {
		out = append(out, labelled(l, "prompt", o.From, w)...)
	}
	found := false
	for _, file := range o.SearchedPaths {
		switch {
		case strings.HasSuffix(o.From, file): // o.From may have a text before the name of the file
			found = true
		case found:
			out = append(out, labelled(l, "or else", file, w)...)
		default:
			out = append(out, labelled(l, "tried", file, w)...)
		}
	}
	for i, f := range o.Filled {
		value, rest, several := strings.Cut(f.Value, "\n")
		if several {
			value += " … +" + wording.Count(strings.Count(rest, "\n")+1, "line")
		}
		name := "with"
		if i > 0 {
			name = ""
		}
		out = append(out, l.Muted.Paint(l.Fit(name, labelWidth))+" "+l.Cut(draw.Clean(f.Name+" = "+value), w-labelWidth-1))
	}
	return out
}

// labelWidth is the width of the column of names before values.
const labelWidth = 8

// labelled returns a name with a value, which is wrapped if it is long.
func labelled(l *draw.Look, name, value string, w int) []string {
	var out []string
	for i, part := range l.Rows(draw.Clean(value), max(1, w-labelWidth-1)) {
		if i > 0 {
			name = ""
		}
		out = append(out, l.Muted.Paint(l.Fit(draw.Clean(name), labelWidth))+" "+part)
	}
	return out
}
