package front

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// headerLineCount is the number of screen lines above the list.
const headerLineCount = 3

// minWidthWithPreview is the minimum width of a screen with the preview beside the list.
const minWidthWithPreview = 90

// View returns the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(cells.SplitEmoji(m.drawFrame()))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "playhead"
	if m.isBackgroundKnown {
		v.BackgroundColor, v.ForegroundColor = m.drawContext.Palette.BackgroundAndTextColours(m.isDark)
	}
	return v
}

func (m *model) drawFrame() string {
	dc := m.drawContext
	if m.width < layout.MinScreenWidth/2 || m.height < headerLineCount+3 {
		return dc.Cut("make the window larger", m.width)
	}
	left, right := m.listAndPreviewWidth()
	all, at := m.listRows()
	rows := m.height - headerLineCount - 1
	from, to := m.finder.ScrollTo(at, len(all), rows)
	shown, hidden := all[from:to], layout.OverflowOf(from, rows, len(all))
	preview, hiddenPreview := m.previewLines(right, rows+1)
	if right == 0 { // the preview is below the list
		below, hiddenBelow := m.previewRows(left, rows-len(shown))
		hiddenBelow.ListFirstRow, hiddenBelow.ListHeight = rows-len(below)+1, len(below)-1
		shown, hidden.BelowList = append(shown[:len(shown):len(shown)], below...), &hiddenBelow
	}

	var b strings.Builder
	b.WriteString(m.header() + "\n")
	c := m.runColumnWidths()
	edge := dc.Border.Paint("│")
	for y := range m.height - 2 {
		line := m.drawRow(shown, y-headerLineCount+1, left, c)
		if y == 0 {
			line = m.queryLine(left)
		}
		b.WriteString(edge + " " + dc.Fit(line, left) + " " + hidden.BorderRow(dc, y-headerLineCount+1, rows))
		if right > 0 {
			b.WriteString(" " + dc.Fit(list.ElementOrZero(preview, y), right) + " " + hiddenPreview.BorderRow(dc, y, rows+1))
		}
		b.WriteByte('\n')
	}
	return b.String() + m.footer()
}

// listAndPreviewWidth returns the widths of the list and of the preview, without borders.
func (m *model) listAndPreviewWidth() (left, right int) {
	if m.width < minWidthWithPreview {
		return m.width - 4, 0
	}
	left = max(40, m.width*45/100)
	return left, m.width - left - 7
}

func (m *model) header() string {
	dc := m.drawContext
	name := " " + dc.Title.Paint("Playhead") + " "
	headline := " " + dc.Muted.Paint(dc.Cut(m.Headline, m.width-16)) + " "
	return dc.Border.Paint("╭") + name + dc.Border.Paint(cells.HorizontalLine(m.width-2-dc.Width(name)-dc.Width(headline))) + headline + dc.Border.Paint("╮")
}

func (m *model) queryLine(w int) string {
	dc := m.drawContext
	place := dc.Muted.Paint(m.finder.PositionText())
	if m.finder.Query == "" {
		placeholder := "type to search"
		if m.hiddenCount > 0 {
			placeholder += " these and " + plan.CountText(m.hiddenCount, "more run")
		}
		return dc.LeftRight(dc.Caret.Paint(" ")+dc.Muted.Paint(placeholder), place, w)
	}
	return dc.LeftRight(dc.Cut(draw.CleanLine(m.finder.Query), w-1)+dc.Caret.Paint(" "), place, w)
}

func (m *model) footer() string {
	dc, text := m.drawContext, ""
	hints := []draw.Hint{dc.UpDownHint("choose"), dc.ActionHint("accept", "open"), dc.ActionHint("close", "quit")}
	if m.finder.Query != "" {
		hints[2].Text = "show all"
	}
	if len(m.finder.MatchingItems) == 0 {
		hints = hints[2:]
	}
	for _, h := range hints {
		text += dc.Key.Paint(h.Key) + " " + h.Text + cells.Spaces(draw.HintGap)
	}
	text = strings.TrimSuffix(text, cells.Spaces(draw.HintGap-1))
	return dc.Border.Paint("╰") + " " + text + dc.Border.Paint(cells.HorizontalLine(m.width-3-dc.Width(text))+"╯")
}

// listRow is a line of the list: an entry, or another line such as a heading.
type listRow struct {
	matchingIndex int // the index of the matching item; -1: the line is text
	text          string
}

// listRows returns the lines of the list with its headings, and the index of the selected line.
func (m *model) listRows() (lines []listRow, at int) {
	group := ""
	if m.nothingFoundText != "" && m.finder.Query == "" {
		width, _ := m.listAndPreviewWidth()
		for _, line := range m.drawContext.Wrap(m.nothingFoundText, width) {
			lines = append(lines, listRow{-1, line})
		}
	}
	for i, h := range m.finder.MatchingItems {
		if e := m.entries[h.ItemIndex]; e.Group != group && m.finder.Query == "" {
			if group = e.Group; len(lines) > 0 {
				lines = append(lines, listRow{-1, ""})
			}
			lines = append(lines, listRow{-1, group})
		}
		if i == m.finder.SelectedIndex {
			at = len(lines)
		}
		lines = append(lines, listRow{matchingIndex: i})
	}
	switch {
	case m.isFinding:
		lines = append(lines, listRow{-1, "looking for documents here …"})
	case len(m.finder.MatchingItems) == 0:
		lines = append(lines, listRow{-1, "Nothing matches. " + m.drawContext.Keys.FillInKeys("{close} to show all.")})
	}
	return lines, at
}

// drawRow draws line y of the visible lines of the list.
func (m *model) drawRow(shown []listRow, y, w int, c columnWidths) string {
	dc := m.drawContext
	if y < 0 || y >= len(shown) {
		return ""
	}
	at := shown[y]
	if at.matchingIndex < 0 {
		return dc.Muted.Paint(dc.Cut(at.text, w))
	}
	h := m.finder.MatchingItems[at.matchingIndex]
	e := m.entries[h.ItemIndex]
	title := e.titleWithFolder()
	room := w - dc.Width(title) - nameGapWidth
	if e.Age != "" { // the columns of runs do not depend on the length of one name
		room = max(w/2, w-m.maxRunTitleWidth-nameGapWidth)
	}
	about := e.detailsText(dc, room, c)
	sign := ""
	if e.Glyph != nil {
		sign = e.Glyph(dc) + " "
	}
	text := dc.LeftRight(sign+m.highlightedTitle(e, h, w-2-dc.Width(sign)-dc.Width(about)-1), dc.Muted.Paint(about), w-2)
	return dc.ListRow(text, w, draw.SelectionOf(at.matchingIndex == m.finder.SelectedIndex, true))
}

// highlightedTitle returns the title of an entry in at most w cells, with the matches in its name highlighted.
// The name is cut until the folder has a third of the room. A longer folder is cut at its start.
func (m *model) highlightedTitle(e Entry, h list.MatchingItem, w int) string {
	dc, name := m.drawContext, draw.CleanLine(e.Name)
	marked := h.InPart(0, len(name)).HighlightedItem(dc, name)
	if e.Folder == "" {
		return marked
	}
	room := w - dc.Width(name) - len(folderGap)
	folder := draw.CleanLine(e.Folder)
	if excess := dc.Width(folder) - max(room, w/3); excess > 0 {
		folder = ansi.TruncateLeft(folder, excess+1, "…")
	}
	return dc.Cut(marked, w-len(folderGap)-dc.Width(folder)) + folderGap + dc.Muted.Paint(folder)
}

// folderGap separates the name of an entry from its folder.
const folderGap = "  "

// nameGapWidth is the width before a name, and between it and the details.
const nameGapWidth = 4

// columnWidths are the widths of the steps and of the ages of the listed runs.
type columnWidths struct{ stepWidth, ageWidth int }

func (m *model) runColumnWidths() (c columnWidths) {
	for _, h := range m.finder.MatchingItems {
		if e := m.entries[h.ItemIndex]; e.Age != "" {
			c.stepWidth, c.ageWidth = max(c.stepWidth, m.drawContext.Width(draw.CleanLine(e.Details))), max(c.ageWidth, m.drawContext.Width(e.Age))
		}
	}
	return c
}

// detailsText returns the details and the age of an entry in at most w cells. The age is left out first.
func (e Entry) detailsText(dc *draw.Context, w int, c columnWidths) string {
	about, all := draw.CleanLine(e.Details), draw.CleanLine(e.Details)
	if e.Age != "" {
		all = dc.Fit(about, c.stepWidth) + cells.Spaces(2+c.ageWidth-dc.Width(e.Age)) + e.Age
	}
	if dc.Width(all) <= w {
		return all
	}
	if w < min(dc.Width(about), minDetailsWidth) { // the start of a word is not useful
		return ""
	}
	return dc.Cut(about, w)
}

// minDetailsWidth is the minimum width in which details are cut instead of left out.
const minDetailsWidth = 12

// maxRowsWithoutPreview is the number of lines that must be exceeded for a preview below the list.
const maxRowsWithoutPreview = 4

// previewRows returns the preview as rows below the list, for a screen without room beside the list.
func (m *model) previewRows(w, rows int) ([]listRow, layout.Overflow) {
	if rows <= maxRowsWithoutPreview {
		return nil, layout.Overflow{}
	}
	lines, hidden := m.previewLines(w, rows-1)
	out := []listRow{{-1, ""}}
	for _, line := range lines {
		out = append(out, listRow{-1, line})
	}
	return out, hidden
}

// previewLines returns the lines of the preview of the selected entry that fit, and how many do not.
func (m *model) previewLines(w, h int) ([]string, layout.Overflow) {
	item, ok := m.finder.SelectedItemIndex()
	if !ok || w <= 0 {
		return nil, layout.Overflow{}
	}
	var out []string
	for _, line := range m.previewByEntry[item] {
		if line == "" {
			out = append(out, "")
		}
		out = append(out, m.drawContext.Wrap(draw.CleanLine(line), w)...)
	}
	var s list.Scroller
	return s.VisibleLines(m.drawContext, out, h), s.Overflow()
}
