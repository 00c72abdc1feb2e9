package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
)

// problems is the card of a document with errors: it can be looked at, not run.
type problems struct {
	list []plan.Diagnostic
	scroller
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

func (p *problems) title(l *look) title {
	return title{"This document cannot be run", l.Fail.Paint(count(p.errors(), "error"))}
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
		head := fmt.Sprintf("line %d, column %d  %s", d.Line, d.Column, clean(d.Code))
		all = append(all, ink.Paint(l.cut(string(d.Severity), w))+l.Muted.Paint(l.cut("  "+head, w-len(d.Severity))))
		all = append(all, l.wrap(clean(d.Brief()), w)...)
		for _, line := range l.wrap(clean(d.Suggestion), w-2) {
			all = append(all, l.Muted.Paint("  "+line))
		}
	}
	return p.window(l, all, h)
}

func (p *problems) height(l *look, w int) int { return len(p.lines(l, w, 1<<20)) }
func (p *problems) tall() bool                { return true }

func (p *problems) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if k.String() == "esc" {
		m.focus = treePane
		m.reflow()
		return nil, true
	}
	return nil, p.scrolled(k)
}

func (p *problems) hints(*Model) []hint {
	return []hint{{"↑↓", "scroll"}, {"esc", "look around"}}
}
