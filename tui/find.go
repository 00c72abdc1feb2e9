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
	case isFullScreen(c):
		return panes.Nowhere
	case m.layout.Shape != panes.Narrow && m.layout.Panes[m.backTo].H <= 0:
		return panes.Tree
	}
	return m.backTo
}

// isSearching reports whether the pane with focus is searched.
func (m *Model) isSearching() bool { return m.search.IsActive() && m.search.Pane == m.focus }

// find opens the line of a search. A reply is searched as it came.
func (m *Model) find() tea.Cmd {
	p := m.findable()
	m.endSearch()
	if p == panes.Output {
		m.output.SetRaw(m.output.IsRaw() || m.output.IsCall())
	}
	m.search.Begin(p, m.contents(p), m.searchText(p).At.First)
	m.search.Restore = m.position(p)
	m.mark()
	return m.focusPane(p)
}

// endSearch ends the search.
func (m *Model) endSearch() {
	m.search.Stop()
	m.mark()
}

// searchKey edits the query. Every change searches anew from where one looked.
func (m *Model) searchKey(k tea.KeyPressMsg) tea.Cmd {
	s := &m.search
	switch keys := m.look.Keys; {
	case keys.Is(k, "close", "cancel"):
		s.Restore()
		m.endSearch()
	case keys.Is(k, "accept"):
		if s.Editing = false; s.Query == "" {
			m.endSearch()
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
	s.Height = len(m.text.Body())
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
func (m *Model) foundLine(f search.Result) tea.Cmd {
	cmd, moved := m.search.Take(f)
	if moved {
		cmd = tea.Batch(cmd, m.carryOut(nil, m.search.ShowMatch()))
	}
	m.mark()
	return cmd
}

// mark has the matches stand out in the panes that are concerned: those of a search for
// a step in its text as well.
func (m *Model) mark() {
	of := func(searched ...panes.Pane) *search.Search {
		if m.search.Query != "" && slices.Contains(searched, m.search.Pane) {
			return &m.search
		}
		return nil
	}
	m.steps.Highlight(of(panes.Tree))
	m.text.Highlight(of(panes.Tree, panes.Text))
	m.output.Highlight(of(panes.Output))
	m.why.Highlight(of(panes.Why))
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
		m.endSearch()
		return nil
	case s.Pane != panes.Text || s.Height == len(m.text.Body()):
		return nil
	}
	s.Height = len(m.text.Body())
	return s.Recount(m.searchText(s.Pane))
}

// position returns what goes back to what of a pane is in sight now, as long as the pane shows the same.
func (m *Model) position(p panes.Pane) func() {
	shown := m.pane(p)
	if shown == nil {
		return func() {}
	}
	restore := shown.Position(m.view())
	return func() { m.carryOut(nil, restore(m.view())) }
}

// contents is what a pane shows: as long as it is the same, a search in it makes sense.
func (m *Model) contents(p panes.Pane) any {
	if shown := m.pane(p); shown != nil {
		return shown.Content()
	}
	return m.top()
}

// searchText is what there is to search in a pane.
func (m *Model) searchText(p panes.Pane) search.Text {
	if shown := m.pane(p); shown != nil {
		return shown.SearchText(m.view(), &m.search)
	}
	if c, ok := m.top().(searchable); ok {
		return c.SearchText()
	}
	return search.Text{}
}
