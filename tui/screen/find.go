package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/search"
)

// titleGap is the width that a pane's name keeps in a title beside the summary of a search.
const titleGap = 7

// Finder searches one pane, or the dialog on top, at a time.
type Finder struct {
	search.Search
	screen *Screen
}

// A searchable dialog returns the text to search, and highlights the matches.
type searchable interface {
	SearchText() search.Text
	Highlight(*search.Search)
}

// findable returns the pane that a search would search: the one with focus. If that is a dialog without
// text to search, it is the pane that had the focus before.
func (f *Finder) findable() panes.Pane {
	s := f.screen
	if s.Focus != panes.Dialog {
		return s.Focus
	}
	d := s.Top()
	if _, ok := d.(searchable); ok {
		return panes.Dialog
	}
	switch {
	case isFullScreen(d):
		return panes.Nowhere
	case s.Layout.Shape != panes.Narrow && s.Layout.Panes[s.backTo].H <= 0:
		return panes.Steps
	}
	return s.backTo
}

// IsInFocus reports whether the pane with focus is searched.
func (f *Finder) IsInFocus() bool { return f.IsActive() && f.Pane == f.screen.Focus }

// Open begins a search. A reply is searched as raw text.
func (f *Finder) Open() tea.Cmd {
	p, out := f.findable(), f.screen.Output
	f.End()
	if p == panes.Output {
		out.SetRaw(out.IsRaw() || out.IsCall())
	}
	f.Begin(p, f.content(p), f.textOf(p).At.First)
	f.Restore = f.position(p)
	f.mark()
	return f.screen.FocusPane(p)
}

// Unavailable returns why nothing can be searched, "" if something can.
func (f *Finder) Unavailable() string {
	switch p := f.findable(); {
	case p == panes.Nowhere:
		return "This dialog cannot be searched. {close} to close it."
	case p != panes.Dialog:
		return f.screen.Pane(p).Unavailable(f.screen.run(), "find")
	}
	return ""
}

// NextMatchUnavailable returns why there is no next match, "" if there may be one.
func (f *Finder) NextMatchUnavailable() string {
	if f.Query == "" {
		return "You have not searched yet. {find} to search."
	}
	return ""
}

// End ends the search.
func (f *Finder) End() {
	f.Stop()
	f.mark()
}

// Key edits the query. Every change searches again from the line where the search began.
func (f *Finder) Key(k tea.KeyPressMsg) tea.Cmd {
	switch keys := f.screen.look.Keys; {
	case keys.Is(k, "close", "interrupt"):
		f.Restore()
		f.End()
	case keys.Is(k, "accept"):
		if f.Editing = false; f.Query == "" {
			f.End()
		}
	default:
		if f.Edit(keys, k) {
			return f.searchAgain()
		}
	}
	return nil
}

// Paste adds a text to the query.
func (f *Finder) Paste(text string) tea.Cmd {
	f.Query += draw.Clean(text)
	return f.searchAgain()
}

func (f *Finder) searchAgain() tea.Cmd {
	cmd := f.Find(f.textOf(f.Pane), f.Origin)
	f.TextLines = len(f.screen.Text.Body())
	f.mark()
	return cmd
}

// GoToMatch goes to the next match, or to the previous one if by is negative.
func (f *Finder) GoToMatch(by int) tea.Cmd {
	if f.screen.Layout.Panes[f.Pane].H <= 0 {
		f.screen.FocusPane(f.Pane)
	}
	return f.Next(f.textOf(f.Pane), by)
}

// Found goes to the line of a match.
func (f *Finder) Found(r search.Result) tea.Cmd {
	cmd, moved := f.Take(r)
	if moved {
		cmd = tea.Batch(cmd, f.screen.Do(f.ShowMatch()...))
	}
	f.mark()
	return cmd
}

// mark highlights the matches in the searched pane. Those of a search in the steps are highlighted in the
// text too.
func (f *Finder) mark() {
	of := func(searched ...panes.Pane) *search.Search {
		if f.Query != "" && slices.Contains(searched, f.Pane) {
			return &f.Search
		}
		return nil
	}
	s := f.screen
	s.Steps.Highlight(of(panes.Steps))
	s.Text.Highlight(of(panes.Steps, panes.Text))
	s.Output.Highlight(of(panes.Output))
	s.Why.Highlight(of(panes.Why))
	if d, ok := s.Top().(searchable); ok {
		d.Highlight(of(panes.Dialog))
	}
}

// Settle ends a search whose text no longer shows, and counts the matches again if the lines changed. It
// does not scroll, because the person may be reading.
func (f *Finder) Settle() tea.Cmd {
	lines := len(f.screen.Text.Body())
	switch {
	case !f.IsActive():
		return nil
	case f.content(f.Pane) != f.Content:
		f.End()
		return nil
	case f.Pane != panes.Text || f.TextLines == lines:
		return nil
	}
	f.TextLines = lines
	return f.Recount(f.textOf(f.Pane))
}

// position returns a function that scrolls a pane back to where it is now.
func (f *Finder) position(p panes.Pane) func() {
	shown := f.screen.Pane(p)
	if shown == nil {
		return func() {}
	}
	restore := shown.Position(f.screen.run())
	return func() { f.screen.Do(restore(f.screen.run())...) }
}

// content returns a value that stays equal as long as a search in the pane remains valid.
func (f *Finder) content(p panes.Pane) any {
	if shown := f.screen.Pane(p); shown != nil {
		return shown.SearchIdentity()
	}
	return f.screen.Top()
}

// textOf returns the text of a pane, or of the dialog on top, to search in.
func (f *Finder) textOf(p panes.Pane) search.Text {
	if shown := f.screen.Pane(p); shown != nil {
		return shown.SearchText(f.screen.run(), &f.Search)
	}
	if d, ok := f.screen.Top().(searchable); ok {
		return d.SearchText()
	}
	return search.Text{}
}
