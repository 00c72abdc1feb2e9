package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// problems is the card of a document with errors: it can be looked at, not run.
type problems struct {
	list []plan.Diagnostic
	list.Scroller
}

func (p *problems) errors() int {
	n := 0
	for _, d := range p.list {
		if d.Severity == plan.Error {
			n++
		}
	}
	return n
}

func (p *problems) title(l *look) panes.Title {
	return panes.Title{Left: "This document cannot be run", Right: l.Fail.Paint(draw.Count(p.errors(), "error"))}
}

func (p *problems) lines(l *look, w, h int) []string {
	var all []string
	for i, d := range p.list {
		if i > 0 {
			all = append(all, "")
		}
		ink := l.Warn
		if d.Severity == plan.Error {
			ink = l.Fail
		}
		head := fmt.Sprintf("line %d, column %d  %s", d.Line, d.Column, draw.Clean(d.Code))
		all = append(all, ink.Paint(l.Cut(string(d.Severity), w))+l.Muted.Paint(l.Cut("  "+head, w-len(d.Severity))))
		all = append(all, l.Wrap(draw.Clean(d.Brief()), w)...)
		for _, line := range l.Wrap(draw.Clean(d.Suggestion), w-2) {
			all = append(all, l.Muted.Paint("  "+line))
		}
	}
	return p.Window(l, all, h)
}

func (p *problems) height(l *look, w int) int { return len(p.lines(l, w, 1<<20)) }
func (p *problems) tall() bool                { return true }

func (p *problems) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.look.Keys.Is(k, "close") {
		m.focus = panes.Tree
		m.reflow()
		return nil, true
	}
	return nil, p.Scrolled(m.look.Keys, k)
}

func (p *problems) hints(m *Model) []draw.Hint {
	return []draw.Hint{m.look.UpDown("scroll"), m.look.Press("close", "look around")}
}
