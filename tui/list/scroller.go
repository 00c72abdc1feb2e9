package list

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// Scroller is the part of a dialog that can be longer than its place.
type Scroller struct {
	Top   int
	below int // how many lines are below those in sight
}

// Overflow is how many lines are out of sight, of the part that was shown last.
func (s *Scroller) Overflow() panes.Overflow { return panes.Overflow{Above: s.Top, Below: s.below} }

// ScrollHints are the keys that scroll, none where the last frame has every line in sight.
func (s *Scroller) ScrollHints(l *draw.Look) []draw.Hint {
	if s.Top == 0 && s.below == 0 {
		return nil
	}
	return []draw.Hint{l.UpDown("scroll")}
}

// Window is the part of the lines that h have room for; the last says how many are below.
func (s *Scroller) Window(l *draw.Look, all []string, h int) []string {
	s.Top = max(0, min(s.Top, len(all)-h))
	s.below = max(0, len(all)-s.Top-h)
	out := all[s.Top:min(len(all), s.Top+max(0, h))]
	if rest := len(all) - s.Top - h; rest > 0 && h > 0 {
		out = append(out[:h-1:h-1], l.Muted.Paint("↓ "+wording.Count(rest+1, "more line")))
	}
	return out
}

// WindowAbove returns h lines at most: a part of the lines, and below it others that always show.
func (s *Scroller) WindowAbove(l *draw.Look, all, below []string, h int) []string {
	if h <= len(below) || len(all) == 0 {
		return below
	}
	all = s.Window(l, all, h-len(below))
	return append(all[:len(all):len(all)], below...)
}

// page is how many lines of a text a page is.
const page = 10

// Scrolled does what a key that moves means to a text, and reports whether it is one.
func (s *Scroller) Scrolled(keys keymap.Map, k tea.KeyPressMsg) bool {
	by, moves := Movement(keys, k, page)
	s.Top = max(0, s.Top+by)
	return moves
}

// Movement returns how many lines a key moves, where a page has so many, and whether it moves.
func Movement(keys keymap.Map, k tea.KeyPressMsg, page int) (by int, moves bool) {
	for _, action := range []string{"up", "down", "page-up", "page-down", "first", "last"} {
		if keys.Is(k, action) {
			return Move(action, page), true
		}
	}
	return 0, false
}

// Move returns how many lines an action moves that moves, where a page has so many.
func Move(action string, page int) int {
	return map[string]int{"up": -1, "down": 1, "page-up": -page, "page-down": page, "first": -Far, "last": Far}[action]
}

// Far is further than anything is long.
const Far = 1 << 30

// Place says which of n is chosen: not all need be in sight. Of none it says nothing.
func Place(at, n int) string {
	if n == 0 {
		return ""
	}
	return track.Thousands(at+1) + " of " + track.Thousands(n)
}

// ElementOrZero returns one of several, or the zero value behind the last one.
func ElementOrZero[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
