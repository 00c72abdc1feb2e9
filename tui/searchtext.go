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
	"playhead/tui/search"
)

// treeSearchText is all steps, also those that are folded away: what they are called, and
// what they do.
func (m *Model) treeSearchText() search.Text {
	rows := m.everyRow()
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = draw.StepName(r) + does(r)
	}
	at := search.Chosen(max(0, slices.Index(rows, m.tree.Selected())))
	return search.Text{Lines: search.LinesOf(lines), At: at, Show: func(line int) { m.selectRow(rows[line]) }}
}

// detailSearchText is the step's text as it is rendered.
func (m *Model) detailSearchText() search.Text {
	d := &m.detail
	lines := slices.Clone(d.body)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	h := m.layout.Panes[panes.Text].H
	return search.Text{Lines: search.LinesOf(lines), At: m.search.Reach(d.top, h, len(lines)), Show: func(line int) { d.scroll(line-h/2-d.top, h) }}
}

// outputSearchText is the log.
func (m *Model) outputSearchText() search.Text {
	o := &m.output
	if o.log == nil {
		return search.Text{}
	}
	h, top := m.layout.Panes[panes.Output].H, o.from
	if o.follow {
		top = max(0, o.win.total-h)
	}
	return search.Text{Lines: o.log, At: m.search.Reach(top, h, o.win.total), Show: func(line int) { o.jump(line, h) }}
}

// whySearchText is the sheet that shows: routes, values or the timeline.
func (m *Model) whySearchText() search.Text {
	v := &m.why
	switch v.sheet {
	case history:
		return m.historySearchText()
	case values:
		if vars := m.track.Vars; len(vars) > 0 {
			return search.Text{Lines: valueLines(vars), At: search.Chosen(v.sel), Show: func(line int) { v.sel, v.stale = line, true }}
		}
	}
	w, h := m.layout.Panes[panes.Why].W, m.layout.Panes[panes.Why].H
	lines := v.grounds(m.look, w, h)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return search.Text{Lines: search.LinesOf(lines), At: m.search.Reach(v.top, h, len(lines)), Show: func(line int) { v.top, v.stale = max(0, line-h/2), true }}
}

// historySearchText is the events, in the words of the timeline. There may be thousands,
// and they never change.
func (m *Model) historySearchText() search.Text {
	events := m.events
	at := m.why.at
	if m.why.follow {
		at = len(events) - 1
	}
	line := func(i int) string {
		e := track.LineOf(events[i])
		return draw.Clean(e.Step) + " " + draw.Clean(e.What) + " " + draw.Clean(e.Reason)
	}
	return search.Text{Lines: search.InMemory{N: len(events), Line: line}, At: search.Chosen(at), Show: func(line int) {
		m.why.goTo(line, len(m.events))
		m.lookBack()
	}}
}

func valueLines(vars []track.Var) search.InMemory {
	lines := make([]string, len(vars))
	for i, x := range vars {
		lines[i] = draw.Clean(x.Name) + " " + draw.Clean(plan.TextOf(x.Value))
	}
	return search.LinesOf(lines)
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
		for _, r := range m.tree.Upcoming.Among(rows) {
			if r.Hidden {
				continue
			}
			if out = append(out, r); len(out) < mostRows {
				m.track.Expand(r)
				m.tree.Upcoming.Expand(r)
			}
			list(r.Children)
		}
	}
	list(m.track.Rows)
	return out
}

// selectRow selects a row in the tree, unfolding what it is in.
func (m *Model) selectRow(r *track.Row) {
	m.tree.Select(m.track, r)
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
