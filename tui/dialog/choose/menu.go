package choose

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Menu is a long list, from which a person chooses an item by some letters of its name.
type Menu struct {
	dialog.OutputCoverer
	Name              string
	Verb              string // what choosing does, for the hint
	FilterPlaceholder string // says what can be typed; "": letters of the name
	Finder            *list.Finder

	DrawItem    func(run *runview.Run, h list.MatchingItem, w int) string
	DetailLines func(run *runview.Run, item, w int) []string // details of the selected item; nil: none
	OnChoose    func(run *runview.Run, item int) []tea.Msg
	CanChoose   func(run *runview.Run, item int) bool // reports whether an item can be chosen; nil: all can

	detailLineCount int // how many lines the last frame has below the selected item
}

// Lines above the list for the query, the minimum number of lines for the details of an item, and the maximum height of
// a dialog that shows no details.
const (
	queryLineCount          = 1
	minDetailLines          = 2
	maxHeightWithoutDetails = 8
)

// Title returns the number of matching items.
func (m *Menu) Title(run *runview.Run) layout.PaneTitle {
	place := m.Finder.PositionText()
	if m.Finder.Query != "" && place != "" {
		place += " found"
	}
	return layout.PaneTitle{Left: m.Name, Right: run.DrawContext.Muted.Paint(place)}
}

// Overflow returns how many items are out of sight.
func (m *Menu) Overflow() layout.Overflow { return m.Finder.Overflow() }

// View returns the query and the list, with details below the selected item.
func (m *Menu) View(run *runview.Run, w, h int) []string {
	dc := run.DrawContext
	query := dc.Caret.Paint(" ") + dc.Muted.Paint(cmp.Or(m.FilterPlaceholder, "filter by name"))
	if m.Finder.Query != "" {
		query = dc.Cut(draw.CleanLine(m.Finder.Query), w-1) + dc.Caret.Paint(" ")
	}
	out := []string{dc.Cut(query, w)}
	item, ok := m.Finder.SelectedItemIndex()
	if !ok {
		return append(out, dc.Muted.Paint("Nothing matches. Press backspace to show more."))
	}
	var about []string
	room := h - queryLineCount
	if m.DetailLines != nil && h > maxHeightWithoutDetails {
		about = m.DetailLines(run, item, w-4)
		room -= max(minDetailLines, len(about)) // so that the list scrolls in the same way for all items
	}
	m.detailLineCount = len(about)
	from, to := m.Finder.ScrollTo(m.Finder.SelectedIndex, len(m.Finder.MatchingItems), max(1, room))
	for i, one := range m.Finder.MatchingItems[from:to] {
		line, chosen := m.DrawItem(run, one, w-2), from+i == m.Finder.SelectedIndex
		out = append(out, dc.ListRow(line, w, draw.SelectionOf(chosen, true)))
		for j := 0; chosen && j < len(about); j++ {
			out = append(out, "    "+about[j])
		}
	}
	return out
}

// matchingIndexAt returns the index of the matching item on a line of the dialog.
func (m *Menu) matchingIndexAt(y int) int {
	i := m.Finder.TopLine + y - queryLineCount
	if i > m.Finder.SelectedIndex { // the details are below the selected item
		i = max(m.Finder.SelectedIndex, i-m.detailLineCount)
	}
	return i
}

// WantedHeight returns the height with all items, so that the dialog keeps its height while the person types.
func (m *Menu) WantedHeight(*runview.Run, int) int {
	if m.DetailLines == nil {
		return queryLineCount + len(m.Finder.Items)
	}
	return queryLineCount + len(m.Finder.Items) + minDetailLines
}

// IsEnteringText returns true: keys edit the query.
func (m *Menu) IsEnteringText() bool { return true }

// Update filters, moves and chooses.
func (m *Menu) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		m.Finder.Query += draw.CleanLine(msg.Content)
		m.Finder.Filter()
	case dialog.Click:
		if i := m.matchingIndexAt(msg.Y); msg.Y >= queryLineCount && i < len(m.Finder.MatchingItems) {
			m.Finder.SelectedIndex = i
		}
	case tea.KeyPressMsg:
		return m.handleKey(run, msg)
	default:
		return dialog.Unhandled()
	}
	return dialog.Handled()
}

func (m *Menu) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "accept"):
		if item, ok := m.Finder.SelectedItemIndex(); ok {
			return dialog.Handled(m.OnChoose(run, item)...)
		}
	default:
		m.Finder.HandleKey(keys, k)
	}
	return dialog.Handled()
}

// Hints implements dialog.Dialog.
func (m *Menu) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	hints := []draw.Hint{dc.UpDownHint("choose"), dc.ActionHint("close", "close")}
	if item, ok := m.Finder.SelectedItemIndex(); !ok || m.CanChoose != nil && !m.CanChoose(run, item) {
		return hints
	}
	return append([]draw.Hint{dc.ActionHint("accept", m.Verb)}, hints...)
}

// GoToStepUnavailableReason returns why there is no step to go to, "" if there is one.
func GoToStepUnavailableReason(run *runview.Run) string {
	if len(run.ShownTrack.Rows) == 0 {
		return control.NoStepsReason
	}
	return ""
}

// NewStepMenu lists all steps, including those of included documents. A person selects one by letters of its
// label, its title or its document.
func NewStepMenu(run *runview.Run) *Menu {
	rows := run.SelectableRows()
	names, items := make([]string, len(rows)), make([]string, len(rows))
	at := 0
	for i, r := range rows {
		names[i] = draw.StepName(r)
		items[i] = names[i] + " " + includedDocument(r)
		if r == run.SelectedRow {
			at = i
		}
	}
	d := &Menu{Name: "GO TO A STEP", Verb: "select it", Finder: list.NewFinder(items)}
	d.Finder.SelectedIndex = at
	d.DrawItem = func(run *runview.Run, h list.MatchingItem, w int) string {
		return stepLine(run.DrawContext, rows[h.ItemIndex], names[h.ItemIndex], h, w)
	}
	d.OnChoose = func(run *runview.Run, item int) []tea.Msg {
		return []tea.Msg{dialog.Close{}, request.SelectStep{Row: rows[item]}, request.PressKeyOf{Action: "steps"}}
	}
	return d
}

// includedDocument returns the path of the included file that a row belongs to, "" for the run's main file.
func includedDocument(r *track.Row) string {
	for p := r; p != nil; p = p.Parent {
		if p.IncludedDocument != nil {
			return draw.CleanLine(p.IncludedDocument.WrittenPath)
		}
	}
	return ""
}

func stepLine(dc *draw.Context, r *track.Row, name string, h list.MatchingItem, w int) string {
	doc := includedDocument(r)
	behind := h.InPart(len(name)+1, len(name)+1+len(doc))
	return dc.LeftRight(dc.StatusGlyph(r)+" "+h.InPart(0, len(name)).HighlightedItem(dc, name), dc.Muted.PaintOver(behind.HighlightedItem(dc, doc)), w)
}
