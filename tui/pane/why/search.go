package why

import (
	"github.com/charmbracelet/x/ansi"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// SearchIdentity returns the row whose reasons show, else the sheet that shows.
func (p *Pane) SearchIdentity() any {
	if p.sheet == reasons {
		return p.row
	}
	return p.sheet
}

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.shown.stale = s, true }

// Position returns a function that restores the scroll position and the selection.
func (p *Pane) Position(run *runview.Run) func(*runview.Run) []tea.Msg {
	top, sel, chosen, sheet, index := p.top, p.sel, p.item, p.sheet, run.Index
	return func(*runview.Run) []tea.Msg {
		p.top, p.sel, p.item, p.shown.stale = top, sel, chosen, true
		if sheet != history {
			return nil
		}
		return []tea.Msg{request.ShowEvent{Index: index}}
	}
}

// SearchText returns the sheet that shows: reasons, values or the history.
func (p *Pane) SearchText(run *runview.Run, s *search.Search) search.Text {
	switch {
	case p.sheet == history:
		return historyText(run)
	case p.sheet == values && len(run.Shown.Vars) > 0:
		return search.Text{Lines: valueLines(run.Shown.Vars), At: search.LineReach(p.sel), Show: func(line int) []tea.Msg {
			p.sel, p.shown.stale = line, true
			return nil
		}}
	}
	lines := textsOf(p.reasonLines(run, p.box.W, p.box.H))
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return search.Text{Lines: search.LinesOf(lines), At: s.Reach(p.top, p.box.H, len(lines)), Show: func(line int) []tea.Msg {
		p.top, p.shown.stale = max(0, line-p.box.H/2), true
		return nil
	}}
}

// historyText returns the events as the history shows them. It makes a line only when it is read, because
// there may be thousands.
func historyText(run *runview.Run) search.Text {
	line := func(i int) string {
		e := track.LineOf(run.Events[i])
		return draw.Clean(e.Step) + " " + draw.Clean(e.What) + " " + draw.Clean(e.Reason)
	}
	return search.Text{
		Lines: search.InMemory{N: len(run.Events), Line: line}, At: search.LineReach(run.Index),
		Show: func(line int) []tea.Msg { return []tea.Msg{request.ShowEvent{Index: line}} },
	}
}

func valueLines(vars []track.Var) search.InMemory {
	lines := make([]string, len(vars))
	for i, x := range vars {
		lines[i] = draw.Clean(x.Name) + " " + draw.Clean(plan.TextOf(x.Value))
	}
	return search.LinesOf(lines)
}

// uncut is a width at which nothing is cut or wrapped.
const uncut = 1 << 16

// Excerpts returns the reasons, or the selected value or event and all of them.
func (p *Pane) Excerpts(run *runview.Run) []excerpt.Excerpt {
	switch {
	case p.sheet == values:
		return p.valueExcerpts(run)
	case p.sheet == history && run.Index >= 0:
		labels := labelWidth(run)
		lines := func(from, to int) func() string {
			return func() string {
				var out []string
				for _, e := range run.Events[from:to] {
					out = append(out, event(run.Look, e, false, labels, uncut))
				}
				return excerpt.Unstyled(out)
			}
		}
		return []excerpt.Excerpt{
			{Name: "event", Of: "the event", Text: lines(run.Index, run.Index+1), Part: true},
			{Name: "timeline", Of: "the timeline", Text: lines(0, len(run.Events))},
		}
	case p.row == nil || p.sheet == history:
		return nil
	}
	return []excerpt.Excerpt{{Name: "reasons", Of: draw.Owner(p.row) + " reasons", Text: func() string {
		return excerpt.Unstyled(textsOf(p.reasonLines(run, uncut, uncut)))
	}}}
}

// Place returns the place in the document that the pane shows: that of the selected event or reason, else
// of the taken route. ok is false if values show.
func (p *Pane) Place(run *runview.Run) (place runview.Place, ok bool) {
	switch {
	case p.sheet == history && run.Index >= 0:
		return run.PlaceOfEvent(run.Events[run.Index]), true
	case p.sheet != reasons || p.row == nil:
		return place, false
	}
	if x := p.selected(run); x.row != nil {
		return x.place(run), true
	}
	row, d := p.row, p.row.Decision
	if next, about := p.decision(); about {
		d = next
	} else if p.decidedBy != nil {
		row, d = p.decidedBy, p.decisionBefore
	}
	return run.PlaceOfDecision(row, d), true
}

// valueExcerpts returns the selected value and all values.
func (p *Pane) valueExcerpts(run *runview.Run) []excerpt.Excerpt {
	x, ok := p.Variable(run)
	if !ok {
		return nil
	}
	all := ""
	for _, x := range run.Shown.Vars {
		all += x.Name + " = " + plan.TextOf(x.Value) + "\n"
	}
	value := excerpt.Of("value", "the value of "+draw.Clean(x.Name), plan.TextOf(x.Value))
	value.Part = true
	return []excerpt.Excerpt{value, excerpt.Of("all values", "the values", all)}
}
