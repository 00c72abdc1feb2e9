package output

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// SearchIdentity returns the log.
func (p *Pane) SearchIdentity() any { return p.actionLog }

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.isStale = s, true }

// PositionRestorer returns a function that restores the scroll position.
func (p *Pane) PositionRestorer(*runview.Run) func(*runview.Run) []tea.Msg {
	from, follow := p.viewport.firstLine, p.viewport.followsEnd
	return func(*runview.Run) []tea.Msg {
		p.viewport.firstLine, p.viewport.followsEnd, p.isStale = from, follow, true
		return nil
	}
}

// SearchText returns the log.
func (p *Pane) SearchText(_ *runview.Run, s *search.Search) search.Text {
	if p.actionLog == nil {
		return search.Text{}
	}
	h, top := p.viewport.height, p.viewport.firstLine
	if p.viewport.followsEnd {
		top = max(0, p.viewport.logWindow.totalLines-h)
	}
	return search.Text{Lines: p.actionLog, IsGrowing: p.IsRunning(), Position: s.PanePosition(top, h, p.viewport.logWindow.totalLines), ShowLine: func(line int) []tea.Msg {
		p.viewport.showLine(line)
		p.isStale = true
		return nil
	}}
}

// Place reports that output is no line of the document.
func (p *Pane) DocumentPlace(*runview.Run) (place runview.DocumentPlace, ok bool) {
	return place, false
}

// Excerpts returns the visible part of the log, the whole log, and the command or prompt it came from.
func (p *Pane) Excerpts(*runview.Run) []excerpt.Excerpt {
	r := p.row
	if r == nil {
		return nil
	}
	noun := "output"
	switch {
	case p.showsReply():
		noun = "reply"
	case p.showsToolResult():
		noun = "result"
	}
	var out []excerpt.Excerpt
	if p.actionLog != nil && p.viewport.logWindow.totalLines > 0 {
		_, lines := p.viewport.visibleLines()
		of := draw.PossessiveLabel(r) + " " + noun
		out = []excerpt.Excerpt{
			{Name: "the visible lines", FullName: of, Text: func() string { return excerpt.UnstyledText(lines) }, IsPartOfPane: true},
			{Name: "all of the " + noun, FullName: of, Log: p.actionLog},
		}
	}
	if p.ShowsReplyOrResult() && len(out) == 2 {
		out[0], out[1] = out[1], out[0]
	}
	if a := p.action; a != nil && a.Text != "" {
		name := map[bool]string{true: "prompt", false: "command"}[p.showsReply()]
		out = append(out, excerpt.FromText(name, draw.PossessiveLabel(r)+" "+name, a.Text))
	}
	return out
}
