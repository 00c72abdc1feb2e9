package screen

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/excerpt"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/terminal"
)

// Mouse handles the mouse in panes and dialogs.
type Mouse struct {
	screen        *Screen
	draggedBorder layout.Border // the border that is dragged
	lastClick     clickRecord
	selection     selection
}

// clickRecord is where and when the mouse was clicked.
type clickRecord struct {
	x, y      int
	clickedAt time.Time
}

// doubleClickTime is the longest time between the clicks of a double click.
const doubleClickTime = 400 * time.Millisecond

// Click selects what is under the pointer.
func (m *Mouse) Click(at tea.Mouse) tea.Cmd {
	s := m.screen
	if m.draggedBorder = s.Layout.BorderAt(at.X, at.Y); m.draggedBorder == layout.StepsBorder {
		return nil
	}
	p := s.Layout.PaneAt(at.X, at.Y)
	if p == layout.NoPane {
		return nil
	}
	double, cmd := m.recordClick(at), s.FocusPane(p)
	box := s.Layout.PaneRects[p]
	if p != layout.DialogPlace && at.Y >= box.Y {
		cmd = tea.Batch(cmd, s.SendToPane(p, pane.Click{X: at.X - box.X, Y: at.Y - box.Y, IsDouble: double}))
	}
	if d := s.Dialogs.Top(); d != nil && p == layout.DialogPlace {
		clicked, _ := s.SendToDialog(d, dialog.Click{X: at.X - box.X, Y: at.Y - box.Y})
		cmd = tea.Batch(cmd, clicked)
	}
	if m.draggedBorder == layout.NoBorder {
		m.beginSelection(at)
	}
	return cmd
}

// recordClick records a click, and reports whether it is the second one of a double click.
func (m *Mouse) recordClick(at tea.Mouse) bool {
	last, now := m.lastClick, m.screen.currentRun().Now
	m.lastClick = clickRecord{at.X, at.Y, now}
	if last.x != at.X || last.y != at.Y || now.Sub(last.clickedAt) > doubleClickTime {
		return false
	}
	m.lastClick = clickRecord{} // a third click begins another double click
	return true
}

// Drag handles a move with the button held: it moves the border where the button was pressed, moves through
// the timeline, or selects text.
func (m *Mouse) Drag(at tea.Mouse) {
	switch m.draggedBorder {
	case layout.NoBorder:
		m.dragInPane(at)
		m.extendSelection(at)
	case layout.StepsBorder:
		m.screen.Borders.moveBorder(layout.StepsBorder, at.X-1)
	default:
		m.screen.Borders.moveBorder(m.draggedBorder, at.Y)
	}
}

// dragInPane tells the pane with focus that the pointer is dragged over it.
func (m *Mouse) dragInPane(at tea.Mouse) {
	s := m.screen
	if p := s.Layout.PaneAt(at.X, at.Y); at.Button == tea.MouseLeft && p == s.Focus {
		s.SendToPane(p, pane.Drag{X: at.X - s.Layout.PaneRects[p].X, Y: at.Y - s.Layout.PaneRects[p].Y})
	}
}

// ScrollByWheel scrolls the pane under the pointer, even if another one has the focus.
func (m *Mouse) ScrollByWheel(at tea.Mouse) tea.Cmd {
	by, action := 0, ""
	switch at.Button {
	case tea.MouseWheelUp:
		by, action = -3, "up"
	case tea.MouseWheelDown:
		by, action = 3, "down"
	default:
		return nil
	}
	s := m.screen
	p := s.Layout.PaneAt(at.X, at.Y)
	if p != layout.DialogPlace {
		return s.SendToPane(p, pane.Move{Lines: by})
	}
	keys := s.drawContext.Keys.Keys(action)
	if d := s.Dialogs.Top(); d != nil && len(keys) > 0 {
		cmd, _ := s.SendToDialog(d, terminal.KeyPress(keys[0]))
		return cmd
	}
	return nil
}

// beginSelection begins a selection where the button is pressed, except in the timeline, where a drag moves
// through the events.
func (m *Mouse) beginSelection(at tea.Mouse) {
	s := m.screen
	p := s.Layout.PaneAt(at.X, at.Y)
	box := s.Layout.PaneRects[p]
	if p == layout.NoPane || !box.Contains(at.X, at.Y) || p == layout.WhyPane && s.Why.ShowsTimeline() {
		return
	}
	from := cellPlace{at.Y - box.Y, at.X - box.X}
	m.selection = selection{pane: p, startCell: from, endCell: from}
}

// extendSelection selects up to the cell of the pane that is nearest to the pointer.
func (m *Mouse) extendSelection(at tea.Mouse) {
	s, box := &m.selection, m.screen.Layout.PaneRects[m.selection.pane]
	if s.pane == layout.NoPane || at.Button != tea.MouseLeft || box.IsEmpty() {
		return
	}
	s.endCell = cellPlace{min(max(at.Y-box.Y, 0), box.H-1), min(max(at.X-box.X, 0), box.W-1)}
	s.wasDragged = s.wasDragged || s.endCell != s.startCell
}

// Deselect removes the selection. The next key does this.
func (m *Mouse) Deselect() { m.selection = selection{} }

// maxQuotedWidth is the maximum width of a copied text that the last line quotes.
const maxQuotedWidth = 30

// Release ends a drag. It returns the selected text, if there is any.
func (m *Mouse) Release() (copied excerpt.ClipboardText, ok bool) {
	s, dc := m.selection, m.screen.drawContext
	m.draggedBorder, m.selection = layout.NoBorder, selection{}
	box := m.screen.Layout.PaneRects[s.pane]
	if !s.wasDragged || box.IsEmpty() { // the pane may have been hidden meanwhile
		return copied, false
	}
	_, lines := m.screen.paneView(s.pane)
	text := strings.TrimRight(s.selectedText(dc, lines), "\n")
	of := layout.PaneKinds[s.pane].Noun
	if !strings.Contains(text, "\n") {
		of = wording.Quote(dc.Cut(strings.TrimSpace(text), maxQuotedWidth))
	}
	return excerpt.ClipboardText{FullName: of, Text: text}, true
}
