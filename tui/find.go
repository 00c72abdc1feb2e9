package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/panes"
	"playhead/tui/search"
)

// searchGap is the room that a pane's name has beside what its title says of a search.
const searchGap = 7

// A searchable dialog says what is searched in it, and has the matches stand out.
type searchable interface {
	SearchText() search.Text
	Highlight(*search.Search)
}

// findable is the pane that / searches: the one with focus, or, where that is a dialog
// with nothing to search, the one that had it before.
func (m *Model) findable() panes.Pane {
	if m.focus != panes.Dialog {
		return m.focus
	}
	c := m.top()
	if _, ok := c.(searchable); ok {
		return panes.Dialog
	}
	switch {
	case covers(c):
		return panes.Nowhere
	case m.layout.Shape != panes.Narrow && m.layout.Panes[m.back].H <= 0:
		return panes.Tree
	}
	return m.back
}

// searches reports whether the pane with focus is searched.
func (m *Model) searches() bool { return m.search.IsActive() && m.search.Pane == m.focus }

// find opens the line of a search. A reply is searched as it came.
func (m *Model) find() tea.Cmd {
	p := m.findable()
	m.forget()
	if p == panes.Output {
		m.output.raw = m.output.raw || m.output.called()
	}
	m.search.Begin(p, m.contents(p), m.searchText(p).At.First)
	m.search.Restore = m.sight(p)
	m.mark()
	return m.focusPane(p)
}

// forget ends the search.
func (m *Model) forget() {
	m.search.Stop()
	m.mark()
}

// searchKey edits the query. Every change searches anew from where one looked.
func (m *Model) searchKey(k tea.KeyPressMsg) tea.Cmd {
	s := &m.search
	switch keys := m.look.Keys; {
	case keys.Is(k, "close", "cancel"):
		s.Restore()
		m.forget()
	case keys.Is(k, "accept"):
		if s.Editing = false; s.Query == "" {
			m.forget()
		}
	default:
		if s.Edit(m.look.Keys, k) {
			return m.lookAnew()
		}
	}
	return nil
}

func (m *Model) lookAnew() tea.Cmd {
	s := &m.search
	cmd := s.Find(m.searchText(s.Pane), s.Origin)
	s.Height = len(m.detail.body)
	m.mark()
	return cmd
}

// match goes to the next or previous match.
func match(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		p := m.search.Pane
		if m.layout.Panes[p].H <= 0 {
			m.focusPane(p)
		}
		return m.search.Next(m.searchText(p), by)
	}
}

// foundLine goes to the line that a search has found.
func (m *Model) foundLine(f search.Found) tea.Cmd {
	cmd, moved := m.search.Take(f)
	if moved {
		m.search.ShowMatch()
	}
	m.mark()
	return cmd
}

// mark has the matches stand out in the panes that are concerned: those of a search for
// a step in its text as well.
func (m *Model) mark() {
	of := func(panes ...panes.Pane) *search.Search {
		if m.search.Query != "" && slices.Contains(panes, m.search.Pane) {
			return &m.search
		}
		return nil
	}
	m.tree.Marks, m.tree.Stale = of(panes.Tree), true
	m.detail.marks, m.detail.stale = of(panes.Tree, panes.Text), true
	m.output.marks, m.output.stale = of(panes.Output), true
	m.why.marks, m.why.stale = of(panes.Why), true
	if c, ok := m.top().(searchable); ok {
		c.Highlight(of(panes.Dialog))
	}
}

// settleSearch forgets a search of what does not show any more, and counts anew where
// the lines have changed. It goes nowhere: one may be reading.
func (m *Model) settleSearch() tea.Cmd {
	s := &m.search
	switch {
	case !s.IsActive():
		return nil
	case m.contents(s.Pane) != s.Content:
		m.forget()
		return nil
	case s.Pane != panes.Text || s.Height == len(m.detail.body):
		return nil
	}
	s.Height = len(m.detail.body)
	return s.Recount(m.searchText(s.Pane))
}

// sight goes back to what of a pane is in sight now, as long as the pane shows the same.
func (m *Model) sight(p panes.Pane) func() {
	switch p {
	case panes.Tree:
		restore := m.tree.Position()
		return func() { restore(m.track) }
	case panes.Text:
		top := m.detail.top
		return func() { m.detail.top, m.detail.stale = top, true }
	case panes.Output:
		from, follow := m.output.from, m.output.follow
		return func() { m.output.from, m.output.follow, m.output.stale = from, follow, true }
	case panes.Why:
		v := m.why
		return func() {
			m.why.top, m.why.at, m.why.sel, m.why.follow, m.why.stale = v.top, v.at, v.sel, v.follow, true
			m.lookBack()
		}
	}
	return func() {}
}

// contents is what a pane shows: as long as it is the same, a search in it makes sense.
func (m *Model) contents(p panes.Pane) any {
	switch p {
	case panes.Text:
		return m.detail.row
	case panes.Output:
		return m.output.log
	case panes.Why:
		if m.why.sheet == reasons {
			return m.why.row
		}
		return m.why.sheet
	case panes.Dialog:
		return m.top()
	}
	return nil
}

// searchText is what there is to search in a pane.
func (m *Model) searchText(p panes.Pane) search.Text {
	switch p {
	case panes.Tree:
		return m.treeSearchText()
	case panes.Text:
		return m.detailSearchText()
	case panes.Output:
		return m.outputSearchText()
	case panes.Why:
		return m.whySearchText()
	}
	if c, ok := m.top().(searchable); ok {
		return c.SearchText()
	}
	return search.Text{}
}
