package list

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// Scroller scrolls the part of a dialog that can be longer than its place.
type Scroller struct {
	Top   int
	below int // the number of lines below the visible ones
}

// Overflow returns how many lines were out of sight when the part was last shown.
func (s *Scroller) Overflow() panes.Overflow { return panes.Overflow{Above: s.Top, Below: s.below} }

// ScrollHints returns the keys that scroll, nil if all lines are in sight.
func (s *Scroller) ScrollHints(l *draw.Look) []draw.Hint {
	if s.Top == 0 && s.below == 0 {
		return nil
	}
	return []draw.Hint{l.UpDown("scroll")}
}

// Window returns the h visible lines. The last one counts the lines below, if there are any.
func (s *Scroller) Window(l *draw.Look, all []string, h int) []string {
	s.Top = max(0, min(s.Top, len(all)-h))
	s.below = max(0, len(all)-s.Top-h)
	out := all[s.Top:min(len(all), s.Top+max(0, h))]
	if rest := len(all) - s.Top - h; rest > 0 && h > 0 {
		out = append(out[:h-1:h-1], l.Muted.Paint("↓ "+wording.Count(rest+1, "more line")))
	}
	return out
}

// WindowAbove returns at most h lines: the visible part of a text, and below it lines that always show.
func (s *Scroller) WindowAbove(l *draw.Look, all, below []string, h int) []string {
	if h <= len(below) || len(all) == 0 {
		return below
	}
	all = s.Window(l, all, h-len(below))
	return append(all[:len(all):len(all)], below...)
}

// page is the number of lines by which a page key moves.
const page = 10

// Scrolled scrolls by a key, and reports whether the key moves.
func (s *Scroller) Scrolled(keys keymap.Map, k tea.KeyPressMsg) bool {
	by, moves := Movement(keys, k, page)
	s.Top = max(0, s.Top+by)
	return moves
}

// Movement returns by how many lines a key moves, and whether it moves. page is the number of lines of a
// page.
func Movement(keys keymap.Map, k tea.KeyPressMsg, page int) (by int, moves bool) {
	for _, action := range []string{"up", "down", "page-up", "page-down", "first", "last"} {
		if keys.Is(k, action) {
			return Move(action, page), true
		}
	}
	return 0, false
}

// Move returns by how many lines an action moves, 0 if it does not move. page is the number of lines of a
// page.
func Move(action string, page int) int {
	return map[string]int{"up": -1, "down": 1, "page-up": -page, "page-down": page, "first": -Far, "last": Far}[action]
}

// Far is larger than the number of lines of any text.
const Far = 1 << 30

// Place returns the position of the selected item, such as "3 of 12", "" for an empty list. It helps if not
// all items are in sight.
func Place(at, n int) string {
	if n == 0 {
		return ""
	}
	return track.Thousands(at+1) + " of " + track.Thousands(n)
}

// ElementOrZero returns element i, or the zero value if there are not that many elements.
func ElementOrZero[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
