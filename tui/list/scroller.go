package list

import (
	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
)

// Scroller scrolls the part of a dialog that can be longer than its place.
type Scroller struct {
	TopLine    int
	linesBelow int // the number of lines below the visible ones
}

// Overflow returns how many lines were out of sight when the part was last shown.
func (s *Scroller) Overflow() layout.Overflow {
	return layout.Overflow{Above: s.TopLine, Below: s.linesBelow}
}

// ScrollHints returns the keys that scroll, nil if all lines are in sight.
func (s *Scroller) ScrollHints(dc *draw.Context) []draw.Hint {
	if s.TopLine == 0 && s.linesBelow == 0 {
		return nil
	}
	return []draw.Hint{dc.UpDownHint("scroll")}
}

// VisibleLines returns the h visible lines. The last one counts the lines below, if there are any.
func (s *Scroller) VisibleLines(dc *draw.Context, all []string, h int) []string {
	out := s.scrollToFit(all, h)
	if s.linesBelow > 0 && h > 0 {
		out = append(out[:h-1:h-1], dc.Muted.Paint("↓ "+plan.CountText(s.linesBelow+1, "more line")))
	}
	return out
}

// VisibleCutLines is like VisibleLines, but needs no line for a count: if there are lines below, the last line, of w cells,
// ends with an ellipsis.
func (s *Scroller) VisibleCutLines(dc *draw.Context, all []string, w, h int) []string {
	out := s.scrollToFit(all, h)
	if s.linesBelow > 0 && h > 0 {
		out = append(out[:h-1:h-1], dc.Cut(out[h-1]+" …", w))
	}
	return out
}

// scrollToFit scrolls so that h lines show, and returns them.
func (s *Scroller) scrollToFit(all []string, h int) []string {
	s.TopLine = max(0, min(s.TopLine, len(all)-h))
	s.linesBelow = max(0, len(all)-s.TopLine-h)
	return all[s.TopLine:min(len(all), s.TopLine+max(0, h))]
}

// VisibleLinesAboveFixed returns at most h lines: the visible part of a text, and below it lines that
// always show.
func (s *Scroller) VisibleLinesAboveFixed(dc *draw.Context, all, below []string, h int) []string {
	if h <= len(below) || len(all) == 0 {
		s.TopLine, s.linesBelow = 0, 0 // scrolling would show nothing else
		return below
	}
	all = s.VisibleLines(dc, all, h-len(below))
	return append(all[:len(all):len(all)], below...)
}

// pageLines is the number of lines by which the keys for paging move.
const pageLines = 10

// ScrollByKey scrolls by a key, and reports whether the key moves.
func (s *Scroller) ScrollByKey(keys keymap.Map, k tea.KeyPressMsg) bool {
	by, moves := KeyMovement(keys, k, pageLines)
	s.TopLine = max(0, s.TopLine+by)
	return moves
}

// KeyMovement returns by how many lines a key moves, and whether it moves. page is the number of lines of a
// page.
func KeyMovement(keys keymap.Map, k tea.KeyPressMsg, page int) (by int, moves bool) {
	for _, action := range []string{"up", "down", "page-up", "page-down", "first", "last"} {
		if keys.IsKeyOf(k, action) {
			return ActionMovement(action, page), true
		}
	}
	return 0, false
}

// ActionMovement returns by how many lines an action moves, 0 if it does not move. page is the number of
// lines of a page.
func ActionMovement(action string, page int) int {
	return map[string]int{"up": -1, "down": 1, "page-up": -page, "page-down": page, "first": -BeyondEnd, "last": BeyondEnd}[action]
}

// BeyondEnd is larger than the number of lines of any text.
const BeyondEnd = 1 << 30

// PositionText returns the position of the selected item, such as "3 of 12", "" for an empty list. It helps
// if not all items are in sight.
func PositionText(at, n int) string {
	if n == 0 {
		return ""
	}
	return plan.FormatThousands(at+1) + " of " + plan.FormatThousands(n)
}

// ElementOrZero returns element i, or the zero value if there are not that many elements.
func ElementOrZero[T any](all []T, i int) (one T) {
	if i < len(all) {
		one = all[i]
	}
	return one
}
