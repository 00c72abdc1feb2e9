package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// treePassage is all steps, also those that are folded away: what they are called, and
// what they do.
func (m *Model) treePassage() passage {
	rows := m.everyRow()
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = draw.StepName(r) + does(r)
	}
	return passage{linesOf(lines), chosen(max(0, slices.Index(rows, m.tree.selected()))), func(line int) { m.selectRow(rows[line]) }}
}

// detailPassage is the step's text as it is rendered.
func (m *Model) detailPassage() passage {
	d := &m.detail
	lines := slices.Clone(d.body)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	h := m.layout.Panes[panes.Text].H
	return passage{linesOf(lines), m.search.seen(d.top, h, len(lines)), func(line int) { d.scroll(line-h/2-d.top, h) }}
}

// outputPassage is the log.
func (m *Model) outputPassage() passage {
	o := &m.output
	if o.log == nil {
		return passage{}
	}
	h, top := m.layout.Panes[panes.Output].H, o.from
	if o.follow {
		top = max(0, o.win.total-h)
	}
	return passage{o.log, m.search.seen(top, h, o.win.total), func(line int) { o.jump(line, h) }}
}

// whyPassage is the sheet that shows: routes, values or the timeline.
func (m *Model) whyPassage() passage {
	v := &m.why
	switch v.sheet {
	case history:
		return m.historyPassage()
	case values:
		if vars := m.track.Vars; len(vars) > 0 {
			return passage{valueLines(vars), chosen(v.sel), func(line int) { v.sel, v.stale = line, true }}
		}
	}
	w, h := m.layout.Panes[panes.Why].W, m.layout.Panes[panes.Why].H
	lines := v.grounds(m.look, w, h)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return passage{linesOf(lines), m.search.seen(v.top, h, len(lines)), func(line int) { v.top, v.stale = max(0, line-h/2), true }}
}

// historyPassage is the events, in the words of the timeline. There may be thousands,
// and they never change.
func (m *Model) historyPassage() passage {
	events := m.events
	at := m.why.at
	if m.why.follow {
		at = len(events) - 1
	}
	line := func(i int) string {
		e := track.LineOf(events[i])
		return draw.Clean(e.Step) + " " + draw.Clean(e.What) + " " + draw.Clean(e.Reason)
	}
	return passage{inMemory{len(events), line}, chosen(at), func(line int) {
		m.why.goTo(line, len(m.events))
		m.lookBack()
	}}
}

func valueLines(vars []track.Var) inMemory {
	lines := make([]string, len(vars))
	for i, x := range vars {
		lines[i] = draw.Clean(x.Name) + " " + draw.Clean(plan.TextOf(x.Value))
	}
	return linesOf(lines)
}

// mostRows is how many rows are searched: documents that include each other again and
// again are not opened beyond that.
const mostRows = 20_000

// everyRow is all rows in reading order, also those that are folded away, and those of
// documents that nobody has looked into yet.
func (m *Model) everyRow() []*track.Row {
	var out []*track.Row
	var list func(rows []*track.Row)
	list = func(rows []*track.Row) {
		for _, r := range m.tree.upcoming.Among(rows) {
			if r.Hidden {
				continue
			}
			if out = append(out, r); len(out) < mostRows {
				m.track.Expand(r)
				m.tree.upcoming.Expand(r)
			}
			list(r.Children)
		}
	}
	list(m.track.Rows)
	return out
}

// selectRow selects a row in the tree, unfolding what it is in.
func (m *Model) selectRow(r *track.Row) {
	m.tree.choose(m.track, r)
	m.tree.follow = r == m.tree.at
}

// does is what a step does, as its document writes it.
func does(r *track.Row) string {
	if r.Step == nil {
		return ""
	}
	var b strings.Builder
	for _, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Command:
			b.WriteString("\n" + sanitize.Text(plan.Source(work.Text)))
		case plan.Tool:
			b.WriteString("\n" + draw.Clean(tools.Title(work.Server, work.Name)))
		case plan.Decide:
			if work.Show != nil {
				b.WriteString("\n" + sanitize.Text(work.Show.Text))
			}
		case plan.Include:
			b.WriteString("\n" + draw.Clean(strings.Join(work.Docs, " ")))
		}
	}
	return b.String()
}
