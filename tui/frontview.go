package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// frontHead is how many lines there are above the list: the border and the query.
const frontHead = 3

// frontWide is the width from which on a preview stands beside the list.
const frontWide = 90

// View is the whole screen.
func (m *front) View() tea.View {
	v := tea.NewView(separate(m.draw()))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "playhead"
	if m.answered {
		v.BackgroundColor, v.ForegroundColor = m.look.Palette.Ground(m.dark)
	}
	return v
}

func (m *front) draw() string {
	l := m.look
	if m.w < minWidth/2 || m.h < frontHead+3 {
		return l.cut("too small a screen", m.w)
	}
	left, right := m.widths()
	list, at := m.list()
	rows := m.h - frontHead - 1
	from, to := m.finder.window(at, len(list), rows)
	shown := list[from:to]
	preview := m.described(right, rows+1)
	if right == 0 { // what the list leaves free is the preview's
		shown = append(shown[:len(shown):len(shown)], m.below(left, rows-len(shown))...)
	}

	var b strings.Builder
	b.WriteString(m.header() + "\n")
	edge := l.Border.Paint("│")
	for y := range m.h - 2 {
		line := m.line(shown, y-frontHead+1, left)
		if y == 0 {
			line = m.query(left)
		}
		b.WriteString(edge + " " + l.fit(line, left) + " " + edge)
		if right > 0 {
			b.WriteString(" " + l.fit(nth(preview, y), right) + " " + edge)
		}
		b.WriteByte('\n')
	}
	return b.String() + m.footer()
}

// widths are those of the list and of the preview, without borders.
func (m *front) widths() (left, right int) {
	if m.w < frontWide {
		return m.w - 4, 0
	}
	left = max(40, m.w*45/100)
	return left, m.w - left - 7
}

func (m *front) header() string {
	l := m.look
	name := " " + l.Title.Paint("Playhead") + " "
	about := " " + l.Muted.Paint(l.cut(m.Headline, m.w-16)) + " "
	return l.Border.Paint("╭") + name + l.Border.Paint(rule(m.w-2-l.width(name)-l.width(about))) + about + l.Border.Paint("╮")
}

func (m *front) query(w int) string {
	l := m.look
	if m.finder.query == "" {
		return l.spread(l.Caret.Paint(" ")+l.Muted.Paint("type to find"), m.place(), w)
	}
	return l.spread(l.cut(clean(m.finder.query), w-1)+l.Caret.Paint(" "), m.place(), w)
}

// place says which entry is chosen, of how many there are: not all need be in sight.
func (m *front) place() string {
	if len(m.finder.hits) == 0 {
		return ""
	}
	return m.look.Muted.Paint(fmt.Sprintf("%d of %d", m.finder.at+1, len(m.finder.hits)))
}

func (m *front) footer() string {
	l, text := m.look, ""
	hints := []hint{{"↑↓", "choose"}, {"enter", "open"}, {"esc", "quit"}}
	if m.finder.query != "" {
		hints[2].text = "all of them"
	}
	if len(m.finder.hits) == 0 {
		hints = hints[2:]
	}
	for _, h := range hints {
		text += l.Key.Paint(h.key) + " " + h.text + spaces(hintGap)
	}
	return l.Border.Paint("╰") + " " + text + l.Border.Paint(rule(m.w-3-l.width(text))+"╯")
}

// frontLine is a line of the list: an entry's, or with hit -1 a heading.
type frontLine struct {
	hit  int
	text string
}

// list is the list with its headings, and which line stands out.
func (m *front) list() (lines []frontLine, at int) {
	group := ""
	for i, h := range m.finder.hits {
		if e := m.entries[h.item]; e.Group != group && m.finder.query == "" {
			if group = e.Group; len(lines) > 0 {
				lines = append(lines, frontLine{-1, ""})
			}
			lines = append(lines, frontLine{-1, group})
		}
		if i == m.finder.at {
			at = len(lines)
		}
		lines = append(lines, frontLine{hit: i})
	}
	switch {
	case m.looking:
		lines = append(lines, frontLine{-1, "looking for documents here…"})
	case len(m.finder.hits) == 0:
		lines = append(lines, frontLine{-1, "Nothing matches: esc shows all."})
	case m.lacking != "" && m.finder.query == "":
		width, _ := m.widths()
		lines = append(lines, frontLine{-1, ""})
		for _, line := range m.look.wrap(m.lacking, width) {
			lines = append(lines, frontLine{-1, line})
		}
	}
	return lines, at
}

// line is a line of the list as it shows.
func (m *front) line(shown []frontLine, y, w int) string {
	l := m.look
	if y < 0 || y >= len(shown) {
		return ""
	}
	at := shown[y]
	if at.hit < 0 {
		return l.Muted.Paint(l.cut(at.text, w))
	}
	h := m.finder.hits[at.hit]
	name := clean(m.entries[h.item].Name)
	about := m.entries[h.item].beside(l, max(0, w-l.width(name)-frontGap))
	text := l.spread("  "+h.part(0, len(name)).marked(l, name), l.Muted.Paint(about), w)
	if at.hit == m.finder.at {
		return l.Selected.Over(l.fit(l.Accent.Paint("›")+text[1:], w))
	}
	return text
}

// frontGap is the room that a name does not have: before it, and between it and what
// stands beside it.
const frontGap = 4

// beside is what stands beside the entry's name, in at most w cells: its age gives way
// first.
func (e Entry) beside(l *look, w int) string {
	about := clean(e.About)
	if all := strings.TrimSpace(about + " " + clean(e.Age)); l.width(all) <= w {
		return all
	}
	if w < min(l.width(about), leastAbout) { // the start of a word says nothing
		return ""
	}
	return l.cut(about, w)
}

// leastAbout is how much of what stands beside a name is worth being shown.
const leastAbout = 12

// leastPreview is the least that a preview has to say below the list.
const leastPreview = 4

// below is the preview where it has no side of its own: in rows, under the list.
func (m *front) below(w, rows int) []frontLine {
	if rows <= leastPreview {
		return nil
	}
	out := []frontLine{{-1, ""}}
	for _, line := range m.described(w, rows-1) {
		out = append(out, frontLine{-1, line})
	}
	return out
}

// described is the preview of the chosen entry.
func (m *front) described(w, h int) []string {
	item, ok := m.finder.chosen()
	if !ok || w <= 0 {
		return nil
	}
	var out []string
	for _, line := range m.previews[item] {
		out = append(out, m.look.cut(clean(line), w))
	}
	if rest := len(out) - h; rest > 0 {
		out = append(out[:h-1:h-1], m.look.Muted.Paint("↓ "+count(rest+1, "more line")))
	}
	return out
}
