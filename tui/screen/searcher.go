package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/search"
)

// minTitleWidth is the width that a pane's name keeps in a title beside the summary of a search.
const minTitleWidth = 7

// Searcher searches one pane, or the dialog on top, at a time.
type Searcher struct {
	search.Search
	screen *Screen
}

// A searchableDialog is a dialog that returns the text to search, and highlights the matches.
type searchableDialog interface {
	SearchText() search.Text
	Highlight(*search.Search)
}

// paneToSearch returns the pane that a search would search: the one with focus. If that is a dialog without
// text to search, it is the pane that had the focus before.
func (f *Searcher) paneToSearch() layout.PaneID {
	s := f.screen
	if s.Focus != layout.DialogPlace {
		return s.Focus
	}
	d := s.Dialogs.Top()
	if _, ok := d.(searchableDialog); ok {
		return layout.DialogPlace
	}
	switch {
	case isFullScreen(d):
		return layout.NoPane
	case s.Layout.Shape != layout.OnePaneShape && s.Layout.PaneRects[s.focusBehindDialogs].H <= 0:
		return layout.StepsPane
	}
	return s.focusBehindDialogs
}

// IsFocusedPaneSearched reports whether the pane with focus is searched.
func (f *Searcher) IsFocusedPaneSearched() bool { return f.IsActive() && f.Pane == f.screen.Focus }

// BeginSearch begins a search. A reply is searched as raw text.
func (f *Searcher) BeginSearch() tea.Cmd {
	p, out := f.paneToSearch(), f.screen.Output
	f.EndSearch()
	if p == layout.OutputPane {
		out.SetRaw(out.IsRaw() || out.ShowsCall())
	}
	f.Begin(p, f.searchIdentity(p), f.searchText(p).Position.FirstLine)
	f.RestoreScroll = f.scrollRestorer(p)
	f.updateHighlights()
	return f.screen.FocusPane(p)
}

// UnavailableReason returns why nothing can be searched, "" if something can.
func (f *Searcher) UnavailableReason() string {
	switch p := f.paneToSearch(); {
	case p == layout.NoPane:
		return "This dialog cannot be searched. {close} to close it."
	case p != layout.DialogPlace:
		return f.screen.Pane(p).UnavailableReason(f.screen.currentRun(), "find")
	}
	return ""
}

// NextMatchUnavailableReason returns why there is no next match, "" if there may be one.
func (f *Searcher) NextMatchUnavailableReason() string {
	if f.Query == "" {
		return "You have not searched yet. {find} to search."
	}
	return ""
}

// EndSearch ends the search.
func (f *Searcher) EndSearch() {
	f.Stop()
	f.updateHighlights()
}

// HandleKey edits the query. Every change searches again from the line where the search began.
func (f *Searcher) HandleKey(k tea.KeyPressMsg) tea.Cmd {
	switch keys := f.screen.drawContext.Keys; {
	case keys.IsKeyOf(k, "close", "interrupt"):
		f.RestoreScroll()
		f.EndSearch()
	case keys.IsKeyOf(k, "accept"):
		if f.IsEditing = false; f.Query == "" {
			f.EndSearch()
		}
	default:
		if f.EditQuery(keys, k) {
			return f.searchAgain()
		}
	}
	return nil
}

// Paste adds a text to the query.
func (f *Searcher) Paste(text string) tea.Cmd {
	f.Query += draw.CleanLine(text)
	return f.searchAgain()
}

func (f *Searcher) searchAgain() tea.Cmd {
	cmd := f.FindFrom(f.searchText(f.Pane), f.StartLine)
	f.StepTextLineCount = len(f.screen.Text.Body())
	f.updateHighlights()
	return cmd
}

// GoToMatch goes to the next match, or to the previous one if by is negative.
func (f *Searcher) GoToMatch(by int) tea.Cmd {
	if f.screen.Layout.PaneRects[f.Pane].H <= 0 {
		f.screen.FocusPane(f.Pane)
	}
	return f.FindNext(f.searchText(f.Pane), by)
}

// GoToResult goes to the line of a match.
func (f *Searcher) GoToResult(r search.Result) tea.Cmd {
	cmd, moved := f.HandleResult(r)
	if moved {
		cmd = tea.Batch(cmd, f.screen.DoRequests(f.ShowMatch()...))
	}
	f.updateHighlights()
	return cmd
}

// updateHighlights highlights the matches in the searched pane. Those of a search in the steps are highlighted in
// the text too, because the text shows what a step does.
func (f *Searcher) updateHighlights() {
	for _, p := range layout.AllPanes {
		f.screen.Pane(p).Highlight(f.searchOf(p))
	}
	if d, ok := f.screen.Dialogs.Top().(searchableDialog); ok {
		d.Highlight(f.searchOf(layout.DialogPlace))
	}
}

// searchOf returns the search whose matches are highlighted in a pane, nil for none.
func (f *Searcher) searchOf(p layout.PaneID) *search.Search {
	if f.Query == "" || f.Pane != p && !(f.Pane == layout.StepsPane && p == layout.TextPane) {
		return nil
	}
	return &f.Search
}

// SyncSearch ends a search whose text no longer shows, and counts the matches again if the lines changed. It
// does not scroll, because the person may be reading.
func (f *Searcher) SyncSearch() tea.Cmd {
	lines := len(f.screen.Text.Body())
	switch {
	case !f.IsActive():
		return nil
	case f.searchIdentity(f.Pane) != f.ContentKey:
		f.EndSearch()
		return nil
	case f.Pane != layout.TextPane || f.StepTextLineCount == lines:
		return nil
	}
	f.StepTextLineCount = lines
	return f.Recount(f.searchText(f.Pane))
}

// scrollRestorer returns a function that scrolls a pane back to where it is now.
func (f *Searcher) scrollRestorer(p layout.PaneID) func() {
	shown := f.screen.Pane(p)
	if shown == nil {
		return func() {}
	}
	restore := shown.PositionRestorer(f.screen.currentRun())
	return func() { f.screen.DoRequests(restore(f.screen.currentRun())...) }
}

// searchIdentity returns a value that stays equal as long as a search in the pane remains valid.
func (f *Searcher) searchIdentity(p layout.PaneID) any {
	if shown := f.screen.Pane(p); shown != nil {
		return shown.SearchIdentity()
	}
	return f.screen.Dialogs.Top()
}

// searchText returns the text of a pane, or of the dialog on top, to search in.
func (f *Searcher) searchText(p layout.PaneID) search.Text {
	if shown := f.screen.Pane(p); shown != nil {
		return shown.SearchText(f.screen.currentRun(), &f.Search)
	}
	if d, ok := f.screen.Dialogs.Top().(searchableDialog); ok {
		return d.SearchText()
	}
	return search.Text{}
}
