package output

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// SearchIdentity returns the log.
func (p *Pane) SearchIdentity() any { return p.log }

// Highlight sets the search whose matches are highlighted.
func (p *Pane) Highlight(s *search.Search) { p.search, p.stale = s, true }

// Position returns a function that restores the scroll position.
func (p *Pane) Position(*runview.Run) func(*runview.Run) []tea.Msg {
	from, follow := p.from, p.follow
	return func(*runview.Run) []tea.Msg {
		p.from, p.follow, p.stale = from, follow, true
		return nil
	}
}

// SearchText returns the log.
func (p *Pane) SearchText(_ *runview.Run, s *search.Search) search.Text {
	if p.log == nil {
		return search.Text{}
	}
	h, top := p.box.H, p.from
	if p.follow {
		top = max(0, p.window.total-h)
	}
	return search.Text{Lines: p.log, At: s.Reach(top, h, p.window.total), Show: func(line int) []tea.Msg {
		p.follow, p.from, p.stale = false, max(0, line-h/2), true
		return nil
	}}
}

// Excerpts returns the visible part of the log, the whole log, and the command or prompt it came from.
func (p *Pane) Excerpts(*runview.Run) []excerpt.Excerpt {
	r := p.row
	if r == nil {
		return nil
	}
	noun := "output"
	switch {
	case p.isReply():
		noun = "reply"
	case p.isTool():
		noun = "result"
	}
	var out []excerpt.Excerpt
	if p.log != nil && p.window.total > 0 {
		_, lines := p.visibleLines()
		of := draw.Owner(r) + " " + noun
		out = []excerpt.Excerpt{
			{Name: "what is in sight", Of: of, Text: func() string { return excerpt.Unstyled(lines) }, Part: true},
			{Name: "all of the " + noun, Of: of, Log: p.log},
		}
	}
	if p.IsCall() && len(out) == 2 {
		out[0], out[1] = out[1], out[0]
	}
	if a := p.action; a != nil && a.Text != "" {
		name := map[bool]string{true: "prompt", false: "command"}[p.isReply()]
		out = append(out, excerpt.Of(name, draw.Owner(r)+" "+name, a.Text))
	}
	return out
}
