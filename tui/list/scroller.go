package list

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// Scroller is the part of a card that can be longer than its place.
type Scroller struct{ Top int }

// Window is the part of the lines that h have room for; the last says how many are below.
func (s *Scroller) Window(l *draw.Look, all []string, h int) []string {
	s.Top = max(0, min(s.Top, len(all)-h))
	out := all[s.Top:min(len(all), s.Top+max(0, h))]
	if rest := len(all) - s.Top - h; rest > 0 && h > 0 {
		out = append(out[:h-1:h-1], l.Muted.Paint("↓ "+draw.Count(rest+1, "more line")))
	}
	return out
}

// Scrolled does what the moving keys mean to a text.
func (s *Scroller) Scrolled(k tea.KeyPressMsg) bool {
	by, ok := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -1 << 30, "g": -1 << 30, "end": 1 << 30, "G": 1 << 30,
	}[k.String()]
	s.Top = max(0, s.Top+by)
	return ok
}
