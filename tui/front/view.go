package front

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/wording"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// headLines is how many lines there are above the list: the border and the query.
const headLines = 3

// wide is the width from which on a preview stands beside the list.
const wide = 90

// View is the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(cells.Separate(m.draw()))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "playhead"
	if m.answered {
		v.BackgroundColor, v.ForegroundColor = m.look.Palette.TerminalColours(m.dark)
	}
	return v
}

func (m *model) draw() string {
	l := m.look
	if m.w < panes.MinWidth/2 || m.h < headLines+3 {
		return l.Cut("window too small", m.w)
	}
	left, right := m.widths()
	all, at := m.list()
	rows := m.h - headLines - 1
	from, to := m.finder.Window(at, len(all), rows)
	shown := all[from:to]
	preview := m.described(right, rows+1)
	if right == 0 { // what the list leaves free is the preview's
		shown = append(shown[:len(shown):len(shown)], m.below(left, rows-len(shown))...)
	}

	var b strings.Builder
	b.WriteString(m.header() + "\n")
	c := m.columns()
	edge, hidden := l.Border.Paint("│"), panes.Outside(from, rows, len(all))
	for y := range m.h - 2 {
		line := m.line(shown, y-headLines+1, left, c)
		if y == 0 {
			line = m.query(left)
		}
		end := edge
		if hidden.IsThumb(y-headLines+1, rows) {
			end = l.Muted.Paint("┃")
		}
		b.WriteString(edge + " " + l.Fit(line, left) + " " + end)
		if right > 0 {
			b.WriteString(" " + l.Fit(list.ElementOrZero(preview, y), right) + " " + edge)
		}
		b.WriteByte('\n')
	}
	return b.String() + m.footer()
}

// widths are those of the list and of the preview, without borders.
func (m *model) widths() (left, right int) {
	if m.w < wide {
		return m.w - 4, 0
	}
	left = max(40, m.w*45/100)
	return left, m.w - left - 7
}

func (m *model) header() string {
	l := m.look
	name := " " + l.Title.Paint("Playhead") + " "
	about := " " + l.Muted.Paint(l.Cut(m.Headline, m.w-16)) + " "
	return l.Border.Paint("╭") + name + l.Border.Paint(cells.Rule(m.w-2-l.Width(name)-l.Width(about))) + about + l.Border.Paint("╮")
}

func (m *model) query(w int) string {
	l := m.look
	place := l.Muted.Paint(m.finder.Place())
	if m.finder.Query == "" {
		offer := "type to find"
		if m.hidden > 0 {
			offer += ", also in " + wording.Count(m.hidden, "more run")
		}
		return l.Spread(l.Caret.Paint(" ")+l.Muted.Paint(offer), place, w)
	}
	return l.Spread(l.Cut(draw.Clean(m.finder.Query), w-1)+l.Caret.Paint(" "), place, w)
}

func (m *model) footer() string {
	l, text := m.look, ""
	hints := []draw.Hint{l.UpDown("choose"), l.Press("accept", "open"), l.Press("close", "quit")}
	if m.finder.Query != "" {
		hints[2].Text = "all of them"
	}
	if len(m.finder.Hits) == 0 {
		hints = hints[2:]
	}
	for _, h := range hints {
		text += l.Key.Paint(h.Key) + " " + h.Text + cells.Spaces(draw.HintGap)
	}
	text = strings.TrimSuffix(text, cells.Spaces(draw.HintGap-1))
	return l.Border.Paint("╰") + " " + text + l.Border.Paint(cells.Rule(m.w-3-l.Width(text))+"╯")
}

// row is a line of the list: an entry's, or with hit -1 a heading.
type row struct {
	hit  int
	text string
}

// list is the list with its headings, and which line stands out.
func (m *model) list() (lines []row, at int) {
	group := ""
	for i, h := range m.finder.Hits {
		if e := m.entries[h.Item]; e.Group != group && m.finder.Query == "" {
			if group = e.Group; len(lines) > 0 {
				lines = append(lines, row{-1, ""})
			}
			lines = append(lines, row{-1, group})
		}
		if i == m.finder.At {
			at = len(lines)
		}
		lines = append(lines, row{hit: i})
	}
	switch {
	case m.looking:
		lines = append(lines, row{-1, "looking for documents here…"})
	case len(m.finder.Hits) == 0:
		lines = append(lines, row{-1, "Nothing matches. " + m.look.Keys.Sentence("{close} to show all.")})
	case m.missingText != "" && m.finder.Query == "":
		width, _ := m.widths()
		lines = append(lines, row{-1, ""})
		for _, line := range m.look.Wrap(m.missingText, width) {
			lines = append(lines, row{-1, line})
		}
	}
	return lines, at
}

// line is a line of the list as it shows.
func (m *model) line(shown []row, y, w int, c columns) string {
	l := m.look
	if y < 0 || y >= len(shown) {
		return ""
	}
	at := shown[y]
	if at.hit < 0 {
		return l.Muted.Paint(l.Cut(at.text, w))
	}
	h := m.finder.Hits[at.hit]
	e := m.entries[h.Item]
	title := e.title()
	room := w - l.Width(title) - gap
	if e.Age != "" { // runs have columns, however long their names
		room = max(w/2, w-m.longestRun-gap)
	}
	about := e.beside(l, room, c)
	sign := ""
	if e.Sign != nil {
		sign = e.Sign(l) + " "
	}
	text := l.Spread(sign+m.marked(e, h, w-2-l.Width(sign)-l.Width(about)-1), l.Muted.Paint(about), w-2)
	return l.ListRow(text, w, draw.SelectionOf(at.hit == m.finder.At, true))
}

// marked is the title of an entry in at most w cells, with what of its name matches. The name gives way until the
// folder has a third of the room; of a longer folder the end shows.
func (m *model) marked(e Entry, h list.Hit, w int) string {
	l, name := m.look, draw.Clean(e.Name)
	marked := h.Part(0, len(name)).Marked(l, name)
	if e.Folder == "" {
		return marked
	}
	room := w - l.Width(name) - len(folderGap)
	folder := draw.Clean(e.Folder)
	if excess := l.Width(folder) - max(room, w/3); excess > 0 {
		folder = ansi.TruncateLeft(folder, excess+1, "…")
	}
	return l.Cut(marked, w-len(folderGap)-l.Width(folder)) + folderGap + l.Muted.Paint(folder)
}

// folderGap stands between the name of an entry and its folder.
const folderGap = "  "

// gap is the room that a name does not have: before it, and between it and what
// stands beside it.
const gap = 4

// columns are the widths of steps and ages of the runs that are listed.
type columns struct{ about, age int }

func (m *model) columns() (c columns) {
	for _, h := range m.finder.Hits {
		if e := m.entries[h.Item]; e.Age != "" {
			c.about, c.age = max(c.about, m.look.Width(draw.Clean(e.About))), max(c.age, m.look.Width(e.Age))
		}
	}
	return c
}

// beside is what stands beside the entry's name, in at most w cells: its age gives way
// first.
func (e Entry) beside(l *draw.Look, w int, c columns) string {
	about, all := draw.Clean(e.About), draw.Clean(e.About)
	if e.Age != "" {
		all = l.Fit(about, c.about) + cells.Spaces(2+c.age-l.Width(e.Age)) + e.Age
	}
	if all = strings.TrimSpace(all); l.Width(all) <= w {
		return all
	}
	if w < min(l.Width(about), leastAbout) { // the start of a word says nothing
		return ""
	}
	return l.Cut(about, w)
}

// leastAbout is how much of what stands beside a name is worth being shown.
const leastAbout = 12

// leastPreview is the least that a preview has to say below the list.
const leastPreview = 4

// below is the preview where it has no side of its own: in rows, under the list.
func (m *model) below(w, rows int) []row {
	if rows <= leastPreview {
		return nil
	}
	out := []row{{-1, ""}}
	for _, line := range m.described(w, rows-1) {
		out = append(out, row{-1, line})
	}
	return out
}

// described is the preview of the chosen entry.
func (m *model) described(w, h int) []string {
	item, ok := m.finder.Chosen()
	if !ok || w <= 0 {
		return nil
	}
	var out []string
	for _, line := range m.previews[item] {
		if line == "" {
			out = append(out, "")
		}
		out = append(out, m.look.Wrap(draw.Clean(line), w)...)
	}
	if rest := len(out) - h; rest > 0 {
		out = append(out[:h-1:h-1], m.look.Muted.Paint("↓ "+wording.Count(rest+1, "more line")))
	}
	return out
}
