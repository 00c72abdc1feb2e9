// Package text is the pane with the selected step's text: its description, its actions, and the lines of
// the document in which its routes are written.
package text

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/markdown"
	"playhead/tui/pane"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	box             layout.Rect
	row             *track.Row
	drawnFrom       drawnState
	body            []string
	actionLineRange lineRange // the rows of body that show what the step does
	topLine         int
	isRaw           bool       // show the source instead of rendering it
	introPlan       *plan.Plan // the document whose introduction shows; nil: a step's text shows
	cache           *textCache
	search          *search.Search // its matches are highlighted
	drawnLines      []string
	isStale         bool
}

// drawnState is what the body was made from.
type drawnState struct {
	row             *track.Row
	width           int
	trackEventCount int // the number of events of the track
	isRaw           bool
	hasIntro        bool
	isPaused        bool
	dialogAsks      bool
	isWhyShown      bool
	theme           string
}

// New returns an empty pane.
func New() *Pane { return &Pane{cache: newTextCache()} }

// Resize implements pane.Pane.
func (p *Pane) Resize(box layout.Rect) { p.box, p.isStale, p.drawnFrom = box, true, drawnState{} }

// Sync shows the selected step in lines of the given width or, if introduces is set, the document's
// introduction. asks says that a dialog shows the run's question. notice is a warning to show with the
// introduction, "" for none.
func (p *Pane) Sync(run *runview.Run, width int, introduces, asks, isWhyShown bool, notice string) {
	paused := run.ShownStatus().State == engine.Paused
	now := drawnState{run.SelectedRow, width, run.ShownTrack.EventCount, p.isRaw, introduces, paused, asks, isWhyShown, run.DrawContext.Palette.Name}
	if width <= 0 || now == p.drawnFrom {
		return
	}
	p.drawnFrom = now
	b := bodyBuilder{run: run, cache: p.cache, width: width, isRaw: p.isRaw, dialogAsks: asks, isWhyShown: isWhyShown}
	if introduces {
		b.addIntroduction(notice, paused)
	} else {
		b.addStep(run.SelectedRow)
	}
	if run.SelectedRow != p.row || p.introPlan != nil && !introduces {
		p.topLine = 0
	}
	p.row, p.body, p.actionLineRange, p.introPlan, p.isStale = run.SelectedRow, b.lines, b.actionLineRange, nil, true
	if introduces {
		p.introPlan = run.ShownTrack.Plan
	}
}

// Body returns the lines of the whole text.
func (p *Pane) Body() []string { return p.body }

// LinesFromTop returns the lines of the text from the first visible one to the end.
func (p *Pane) LinesFromTop() []string { return p.body[min(p.topLine, max(0, len(p.body)-1)):] }

// IsRaw reports whether the text shows raw instead of rendered.
func (p *Pane) IsRaw() bool { return p.isRaw }

// SetRaw shows the text raw, or rendered.
func (p *Pane) SetRaw(raw bool) { p.isRaw = raw }

// Title returns the name of the step, and its status as far as there is room.
func (p *Pane) Title(run *runview.Run) layout.PaneTitle {
	dc, r := run.DrawContext, p.row
	switch {
	case p.introPlan != nil:
		return layout.PaneTitle{Left: draw.CleanLine(p.introPlan.Title)}
	case r == nil:
		return layout.PaneTitle{}
	}
	facts := statusFacts(run, r)
	if sentPrompt(r) != "" {
		facts = append([]draw.TitleFact{{Text: "prompt as sent"}}, facts...)
	}
	return layout.PaneTitle{Left: draw.StepName(r), Right: dc.Muted.Paint(dc.FitFacts(facts, p.box.W-dc.Width(draw.StepName(r))-1))}
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	dc, box := run.DrawContext, p.box
	if !p.isStale && len(p.drawnLines) == box.H {
		return p.drawnLines
	}
	p.topLine = min(p.topLine, max(0, len(p.body)-box.H))
	p.drawnLines = make([]string, box.H)
	for i := range p.drawnLines {
		s := ""
		if n := p.topLine + i; n < len(p.body) {
			s = p.highlightedLine(dc, n)
		}
		if i == box.H-1 && p.topLine+box.H < len(p.body) {
			s = dc.Muted.Paint("↓ " + plan.CountText(len(p.body)-p.topLine-box.H+1, "more line"))
		}
		p.drawnLines[i] = dc.Fit(s, box.W)
	}
	p.isStale = false
	return p.drawnLines
}

// highlightedLine returns a line with its matches highlighted. A search in the steps looks at what the step does, but
// not at the label of its code.
func (p *Pane) highlightedLine(dc *draw.Context, n int) string {
	row := p.body[n]
	switch {
	case p.search == nil:
		return row
	case p.search.Pane == layout.TextPane:
		return p.search.HighlightMatches(dc, row, p.search.IsCurrentMatch(n))
	case !p.actionLineRange.contains(n):
		return row
	}
	code := markdown.LabelColumn(row, p.drawnFrom.width)
	return p.search.HighlightMatches(dc, dc.Slice(row, 0, code), false) + dc.Slice(row, code, p.drawnFrom.width)
}

// Overflow returns how much of the text is out of sight.
func (p *Pane) Overflow(*runview.Run) layout.Overflow {
	return layout.OverflowOf(p.topLine, p.box.H, len(p.body))
}

// Update scrolls the text.
func (p *Pane) Update(_ *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	move, moves := msg.(pane.Move)
	if moves {
		p.scroll(move.Lines)
	}
	return nil, moves
}

func (p *Pane) scroll(by int) {
	top := min(max(0, p.topLine+by), max(0, len(p.body)-p.box.H))
	p.isStale = p.isStale || top != p.topLine
	p.topLine = top
}

// UnavailableReason returns "": the pane's actions are always available.
func (p *Pane) UnavailableReason(*runview.Run, string) string { return "" }

// ActionLabel returns "": the actions keep their usual names.
func (p *Pane) ActionLabel(string) string { return "" }

// HintActions returns the actions of a text.
func (p *Pane) HintActions() []string { return []string{"raw", "copy"} }

// SearchIdentity returns the row whose text shows.
func (p *Pane) SearchIdentity() any { return p.row }

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.isStale = s, true }

// PositionRestorer returns a function that restores the scroll position.
func (p *Pane) PositionRestorer(*runview.Run) func(*runview.Run) []tea.Msg {
	top := p.topLine
	return func(*runview.Run) []tea.Msg {
		p.topLine, p.isStale = top, true
		return nil
	}
}

// SearchText returns the step's text as it is rendered.
func (p *Pane) SearchText(_ *runview.Run, s *search.Search) search.Text {
	lines := slices.Clone(p.body)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return search.Text{Lines: search.MemoryLinesOf(lines), Position: s.PanePosition(p.topLine, p.box.H, len(lines)), ShowLine: func(line int) []tea.Msg {
		p.scroll(line - p.box.H/2 - p.topLine)
		return nil
	}}
}

// statusFacts returns the status of a row: its attempt, and its running time or how it ended.
func statusFacts(run *runview.Run, r *track.Row) []draw.TitleFact {
	var facts []draw.TitleFact
	add := func(priority int, text string) {
		if text != "" {
			facts = append(facts, draw.TitleFact{Text: text, Priority: priority})
		}
	}
	attempt, before := max(1, r.Attempt), ""
	if next := run.NextAttemptOf(r); next > r.Attempt {
		attempt, before = next, "before "
	}
	switch n := maxAttempts(r); {
	case r.Status == track.Pending:
	case n > 1 && attempt <= n: // a person may add further attempts
		add(3, fmt.Sprintf("%sattempt %d of %d", before, attempt, n))
	case attempt > 1:
		add(3, fmt.Sprintf("%sattempt %d", before, attempt))
	}
	switch {
	case r.Status == track.Pending && !r.Plan().Runnable(): // no step will run
	case r.Status == track.Waiting: // the dialog shows that
	case r.Status == track.Running && r.IsExecutable():
		if r.IsExecuting() {
			add(4, wording.RunningDuration(r.Elapsed(run.ShownTime)))
		}
	default:
		add(4, run.StatusText(r))
	}
	if r.Status.IsOver() {
		add(2, wording.ColumnDuration(r.Duration))
		add(1, deciderText(r))
	}
	return facts
}

// deciderText returns who gave the outcome of a row if that is not what the document says: an override, or an answer
// that nobody typed.
func deciderText(r *track.Row) string {
	if r.Overridden && draw.AnsweredBy(r) == machine.ByPerson {
		by, _, _ := wording.OverrideParts(r)
		return by
	}
	return wording.PreparedByText(draw.AnsweredBy(r))
}

// maxAttempts returns how often a step's routes let it run in one visit, 0 if no route repeats the step.
func maxAttempts(r *track.Row) int {
	if r.Step == nil {
		return 0
	}
	n := 0
	for _, route := range r.Step.Routes {
		m := route.Do
		if m.Verb == plan.RunAgain && m.Limit != nil && m.Limit.Counter == plan.AttemptCounter {
			n = max(n, m.Limit.Max)
		}
	}
	return n
}

// promptOriginLines returns where a prompt comes from: its file, the alternatives, and the values that were
// filled in.
func promptOriginLines(dc *draw.Context, o plan.PromptOrigin, w int) []string {
	var out []string
	if o.From != "" {
		out = append(out, nameAndValueLines(dc, "prompt", o.From, w)...)
	}
	found := false
	for _, file := range o.SearchedPaths {
		switch {
		case strings.HasSuffix(o.From, file): // o.From may have a text before the name of the file
			found = true
		case found:
			out = append(out, nameAndValueLines(dc, "fallback", file, w)...)
		default:
			out = append(out, nameAndValueLines(dc, "tried", file, w)...)
		}
	}
	for i, f := range o.FilledVariables {
		value, rest, several := strings.Cut(f.Value, "\n")
		if several {
			value += " … +" + plan.CountText(strings.Count(rest, "\n")+1, "line")
		}
		name := "with"
		if i > 0 {
			name = ""
		}
		out = append(out, dc.Muted.Paint(dc.Fit(name, nameColumnWidth))+" "+dc.Cut(draw.CleanLine(f.Name+" = "+value), w-nameColumnWidth-1))
	}
	return out
}

// nameColumnWidth is the width of the column of names before values.
const nameColumnWidth = 8

// nameAndValueLines returns a name with a value, which is wrapped if it is long.
func nameAndValueLines(dc *draw.Context, name, value string, w int) []string {
	mark := dc.Muted.Paint(dc.Fit(draw.CleanLine(name), nameColumnWidth)) + " "
	return dc.MarkedLines(mark, dc.WrapCode(draw.CleanLine(value), max(1, w-nameColumnWidth-1)))
}
