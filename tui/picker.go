package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
)

// picker is a list of options, one of which is chosen.
type picker struct {
	options []string
	at      int
	top     int
}

func newPicker(options []string, value string) *picker {
	return &picker{options: options, at: max(0, slices.Index(options, value))}
}

// lines shows as many options as fit, the chosen one among them.
func (p *picker) lines(l *look, w, h int) []string {
	n := len(p.options)
	h = min(max(1, h), n)
	p.top = min(max(p.top, p.at-h+1), p.at, n-h)
	var out []string
	for i := p.top; i < p.top+h; i++ {
		out = append(out, p.option(l, i, w))
	}
	switch below := n - p.top - h; {
	case below > 0:
		out[h-1] = l.spread(out[h-1], l.Muted.Paint("↓ "+track.Thousands(below)), w)
	case p.top > 0:
		out[0] = l.spread(out[0], l.Muted.Paint("↑ "+track.Thousands(p.top)), w)
	}
	return out
}

// option is a line of the list: those that have a digit for a key show it.
func (p *picker) option(l *look, i, w int) string {
	key := "  "
	if i < 9 {
		key = l.Key.Paint(strconv.Itoa(i+1)) + " "
	}
	name := clean(p.options[i])
	if i == p.at {
		return l.cut(l.Accent.Paint("› ")+key+l.Accent.Paint(name), w)
	}
	return l.cut("  "+key+name, w)
}

func (p *picker) height(*look, int) int { return len(p.options) }
func (p *picker) writes() bool          { return false }
func (p *picker) paste(*look, string)   {}
func (p *picker) hints() []hint         { return p.keys("answer") }

// keys are the hints, with what choosing does.
func (p *picker) keys(does string) []hint {
	digits := "1"
	if n := min(len(p.options), 9); n > 1 {
		digits += "–" + strconv.Itoa(n)
	}
	return []hint{{digits, does}, {"↑↓", "choose"}, {"enter", does}}
}

func (p *picker) value() string {
	if p.at >= len(p.options) {
		return ""
	}
	return p.options[p.at]
}

// key moves, and chooses: a digit chooses at once.
func (p *picker) key(_ *look, k tea.KeyPressMsg) (sent, used bool) {
	s := k.String()
	if n, err := strconv.Atoi(s); err == nil && len(s) == 1 && n > 0 {
		if n > len(p.options) {
			return false, true
		}
		p.at = n - 1
		return true, true
	}
	by, moves := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "home": -far, "g": -far, "end": far, "G": far,
	}[s]
	p.at = max(0, min(p.at+by, len(p.options)-1))
	return s == "enter", moves || s == "enter"
}
