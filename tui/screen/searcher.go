package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
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
	SearchText(*search.Search) search.Text
	Highlight(*search.Search)
}

// paneToSearch returns the pane that a search would search: the one with focus. If that is a dialog without
// text to search, it is the pane that had the focus before.
func (searcher *Searcher) paneToSearch() layout.PaneID {
	s := searcher.screen
	if s.Focus != layout.DialogPlace {
		return s.Focus
	}
	d := s.Dialogs.Top()
	if _, ok := d.(searchableDialog); ok {
		return layout.DialogPlace
	}
	switch {
	case dialog.IsFullScreen(d):
		return layout.NoPane
	case s.Layout.Shape != layout.OnePaneShape && s.Layout.PaneRects[s.focusBehindDialogs].H <= 0:
		return layout.StepsPane
	}
	return s.focusBehindDialogs
}

// IsFocusedPaneSearched reports whether the pane with focus is searched.
func (searcher *Searcher) IsFocusedPaneSearched() bool {
	return searcher.IsActive() && searcher.Pane == searcher.screen.Focus
}

// BeginSearch begins a search. A reply is searched as raw text.
func (searcher *Searcher) BeginSearch() tea.Cmd {
	p, out := searcher.paneToSearch(), searcher.screen.Output
	searcher.EndSearch()
	if p == layout.OutputPane {
		out.SetRaw(out.IsRaw() || out.ShowsReplyOrResult())
	}
	searcher.StartQuery(p, searcher.searchIdentity(p), searcher.searchText(p).Position.FirstLine)
	searcher.RestoreScroll = searcher.scrollRestorer(p)
	searcher.updateHighlights()
	return searcher.screen.FocusPane(p)
}

// UnavailableReason returns why nothing can be searched, "" if something can.
func (searcher *Searcher) UnavailableReason() string {
	switch p := searcher.paneToSearch(); {
	case p == layout.NoPane:
		return "This dialog cannot be searched. {close} to close it."
	case p != layout.DialogPlace:
		return searcher.screen.Pane(p).UnavailableReason(searcher.screen.currentRun(), "find")
	}
	return ""
}

// NextMatchUnavailableReason returns why there is no next match, "" if there may be one.
func (searcher *Searcher) NextMatchUnavailableReason() string {
	if searcher.Query == "" {
		return "You have not searched yet. {find} to search."
	}
	return ""
}

// EndSearch ends the search.
func (searcher *Searcher) EndSearch() {
	searcher.Reset()
	searcher.updateHighlights()
}

// HandleKey edits the query. Every change searches again from the line where the search began.
func (searcher *Searcher) HandleKey(k tea.KeyPressMsg) tea.Cmd {
	switch keys := searcher.screen.drawContext.Keys; {
	case keys.IsKeyOf(k, "close", "interrupt"):
		searcher.RestoreScroll()
		searcher.EndSearch()
	case keys.IsKeyOf(k, "accept"):
		if searcher.IsEditing = false; searcher.Query == "" {
			searcher.EndSearch()
		}
	default:
		if searcher.EditQuery(keys, k) {
			return searcher.searchAgain()
		}
	}
	return nil
}

// Paste adds a text to the query.
func (searcher *Searcher) Paste(text string) tea.Cmd {
	searcher.Query += draw.CleanLine(text)
	return searcher.searchAgain()
}

func (searcher *Searcher) searchAgain() tea.Cmd {
	cmd := searcher.FindFrom(searcher.searchText(searcher.Pane), searcher.StartLine)
	searcher.StepTextLineCount = len(searcher.screen.Text.Body())
	searcher.updateHighlights()
	return cmd
}

// GoToMatch goes to the next match, or to the previous one if by is negative.
func (searcher *Searcher) GoToMatch(by int) tea.Cmd {
	if searcher.screen.Layout.PaneRects[searcher.Pane].H <= 0 {
		searcher.screen.FocusPane(searcher.Pane)
	}
	return searcher.FindNext(searcher.searchText(searcher.Pane), by)
}

// GoToResult goes to the line of a match.
func (searcher *Searcher) GoToResult(r search.Result) tea.Cmd {
	cmd, moved := searcher.HandleResult(r)
	if moved {
		cmd = tea.Batch(cmd, searcher.screen.DoRequests(searcher.ShowMatch()...))
	}
	if by := searcher.TakeWaitingMove(); by != 0 {
		cmd = tea.Batch(cmd, searcher.FindNext(searcher.searchText(searcher.Pane), by))
	}
	searcher.updateHighlights()
	return cmd
}

// updateHighlights highlights the matches in the searched pane. Those of a search in the steps are highlighted in
// the text too, because the text shows what a step does.
func (searcher *Searcher) updateHighlights() {
	for _, p := range layout.AllPanes {
		searcher.screen.Pane(p).Highlight(searcher.searchOf(p))
	}
	if d, ok := searcher.screen.Dialogs.Top().(searchableDialog); ok {
		d.Highlight(searcher.searchOf(layout.DialogPlace))
	}
}

// searchOf returns the search whose matches are highlighted in a pane, nil for none.
func (searcher *Searcher) searchOf(p layout.PaneID) *search.Search {
	if searcher.Query == "" || searcher.Pane != p && !(searcher.Pane == layout.StepsPane && p == layout.TextPane) {
		return nil
	}
	return &searcher.Search
}

// SyncSearch ends a search whose text no longer shows, and counts the matches again if the lines changed, or once
// output has ended. It does not scroll, because the person may be reading.
func (searcher *Searcher) SyncSearch() tea.Cmd {
	lines := len(searcher.screen.Text.Body())
	switch {
	case !searcher.IsActive():
		return nil
	case searcher.searchIdentity(searcher.Pane) != searcher.ContentKey:
		searcher.EndSearch()
		return nil
	case searcher.Pane == layout.OutputPane:
		return searcher.CountAfterGrowth(searcher.searchText(searcher.Pane))
	case searcher.Pane != layout.TextPane || searcher.StepTextLineCount == lines:
		return nil
	}
	searcher.StepTextLineCount = lines
	return searcher.Recount(searcher.searchText(searcher.Pane))
}

// scrollRestorer returns a function that scrolls a pane back to where it is now.
func (searcher *Searcher) scrollRestorer(p layout.PaneID) func() {
	shown := searcher.screen.Pane(p)
	if shown == nil {
		return func() {}
	}
	restore := shown.PositionRestorer(searcher.screen.currentRun())
	return func() { searcher.screen.DoRequests(restore(searcher.screen.currentRun())...) }
}

// searchIdentity returns a value that stays equal as long as a search in the pane remains valid.
func (searcher *Searcher) searchIdentity(p layout.PaneID) any {
	if shown := searcher.screen.Pane(p); shown != nil {
		return shown.SearchIdentity()
	}
	return searcher.screen.Dialogs.Top()
}

// searchText returns the text of a pane, or of the dialog on top, to search in.
func (searcher *Searcher) searchText(p layout.PaneID) search.Text {
	if shown := searcher.screen.Pane(p); shown != nil {
		return shown.SearchText(searcher.screen.currentRun(), &searcher.Search)
	}
	if d, ok := searcher.screen.Dialogs.Top().(searchableDialog); ok {
		return d.SearchText(&searcher.Search)
	}
	return search.Text{}
}
