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
	if p.sheet == reasonsSheet {
		return p.subject.Row
	}
	return p.sheet
}

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.drawnFrom.isStale = s, true }

// PositionRestorer returns a function that restores the scroll position and the selection.
func (p *Pane) PositionRestorer(run *runview.Run) func(*runview.Run) []tea.Msg {
	top, sel, chosen, sheet, index := p.topLine, p.selectedVariableIndex, p.selectedReason, p.sheet, run.ShownEventIndex
	return func(*runview.Run) []tea.Msg {
		p.topLine, p.selectedVariableIndex, p.selectedReason, p.drawnFrom.isStale = top, sel, chosen, true
		if sheet != timelineSheet {
			return nil
		}
		return []tea.Msg{request.ShowEvent{EventIndex: index}}
	}
}

// SearchText returns the sheet that shows: reasons, values or the timeline.
func (p *Pane) SearchText(run *runview.Run, s *search.Search) search.Text {
	switch {
	case p.sheet == timelineSheet:
		return timelineText(run)
	case p.sheet == valuesSheet && len(run.ShownTrack.Variables) > 0:
		return search.Text{Lines: valueLines(run.ShownTrack.Variables), Position: search.LinePosition(p.selectedVariableIndex), ShowLine: func(line int) []tea.Msg {
			p.selectedVariableIndex, p.drawnFrom.isStale = line, true
			return nil
		}}
	}
	lines := lineTexts(p.subject.reasonLines(run.DrawContext, p.selectableRules(run), p.box.W, p.box.H))
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return search.Text{Lines: search.MemoryLinesOf(lines), Position: s.PanePosition(p.topLine, p.box.H, len(lines)), ShowLine: func(line int) []tea.Msg {
		p.topLine, p.drawnFrom.isStale = max(0, line-p.box.H/2), true
		return nil
	}}
}

// timelineText returns the events as the timeline shows them. It makes a line only when it is read, because
// there may be thousands. The search reads lines in the background, while the run continues.
func timelineText(run *runview.Run) search.Text {
	eventLine := run.Track.EventLineFunc(run.Events)
	line := func(i int) string {
		e := eventLine(i)
		return draw.CleanLine(e.StepDisplayLabel) + " " + draw.CleanLine(e.Description) + draw.CleanLine(authorSuffix(e)) + " " + draw.CleanLine(e.Note)
	}
	return search.Text{
		Lines: search.MemoryLines{LineCount: len(run.Events), LineAt: line}, Position: search.LinePosition(run.ShownEventIndex),
		ShowLine: func(line int) []tea.Msg { return []tea.Msg{request.ShowEvent{EventIndex: line}} },
	}
}

func valueLines(vars []track.Variable) search.MemoryLines {
	lines := make([]string, len(vars))
	for i, x := range vars {
		lines[i] = draw.CleanLine(x.Name) + " " + draw.CleanLine(plan.ValueText(x.Value))
	}
	return search.MemoryLinesOf(lines)
}

// Excerpts returns the reasons, or the selected value or event and all of them.
func (p *Pane) Excerpts(run *runview.Run) []excerpt.Excerpt {
	variable, isVariable := p.SelectedVariable(run)
	switch {
	case isVariable:
		return valueExcerpts(run, variable)
	case p.sheet == valuesSheet:
		return nil
	case p.sheet == timelineSheet && run.ShownEventIndex >= 0:
		lines := func(from, to int) func() string {
			return func() string {
				var out []string
				labels := labelColumnWidth(run, run.Events[from:to], draw.UncutWidth)
				for _, e := range run.Events[from:to] {
					out = append(out, timelineLine(run, e, false, labels, draw.UncutWidth))
				}
				return excerpt.UnstyledText(out)
			}
		}
		return []excerpt.Excerpt{
			{Name: "event", FullName: "the event", Text: lines(run.ShownEventIndex, run.ShownEventIndex+1), IsPartOfPane: true},
			{Name: "timeline", FullName: "the timeline", Text: lines(0, len(run.Events))},
		}
	case p.subject.Row == nil || p.sheet == timelineSheet:
		return nil
	}
	return []excerpt.Excerpt{{Name: "reasons", FullName: draw.PossessiveLabel(p.subject.Row) + " reasons", Text: func() string {
		return excerpt.UnstyledText(lineTexts(p.subject.reasonLines(run.DrawContext, p.selectableRules(run), draw.UncutWidth, draw.UncutWidth)))
	}}}
}

// DocumentPlace returns the place in the document that the pane shows: that of the selected event or reason, else
// of the taken route. ok is false if values show.
func (p *Pane) DocumentPlace(run *runview.Run) (place runview.DocumentPlace, ok bool) {
	switch {
	case p.sheet == timelineSheet && run.ShownEventIndex >= 0:
		return run.PlaceOfEvent(run.Events[run.ShownEventIndex]), true
	case p.sheet != reasonsSheet || p.subject.Row == nil:
		return place, false
	}
	if x := p.selectedItem(run); x.row != nil {
		return x.documentPlace(run), true
	}
	row, d := p.subject.Row, p.subject.Row.Decision
	if next, about := p.subject.OwnDecision(); about {
		d = next
	} else if p.subject.PrecedingRow != nil {
		row, d = p.subject.PrecedingRow, p.subject.PrecedingDecision
	}
	return run.PlaceOfDecision(row, d), true
}

// valueExcerpts returns the value of a variable and all values.
func valueExcerpts(run *runview.Run, x track.Variable) []excerpt.Excerpt {
	all := ""
	for _, x := range run.ShownTrack.Variables {
		all += x.Name + " = " + plan.ValueText(x.Value) + "\n"
	}
	value := excerpt.FromText("value", "the value of "+draw.CleanLine(x.Name), plan.ValueText(x.Value))
	value.IsPartOfPane = true
	return []excerpt.Excerpt{value, excerpt.FromText("all values", "the values", all)}
}
