package form

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// Picker is a list of options, one of which is chosen.
type Picker struct {
	Options []string
	At      int              // -1: none is chosen
	Muted   func(i int) bool // options that change nothing; nil: none
	top     int
	shown   int // how many of them were drawn last
}

// PickerMargin is how much of a line stands before an option: the mark of the selection, and the digit.
const PickerMargin = 4

// NewPicker begins with the option that the value is, or with the first.
func NewPicker(options []string, value string) *Picker {
	return &Picker{Options: options, At: max(0, slices.Index(options, value))}
}

// NewUnchosenPicker returns a picker that begins with no option: the person has to choose one.
func NewUnchosenPicker(options []string) *Picker { return &Picker{Options: options, At: -1} }

// MustChoose is what keeps a picker without a choice from being sent.
func MustChoose(value string) string {
	if value == "" {
		return "Choose one first."
	}
	return ""
}

// Lines shows as many options as fit, the chosen one among them.
func (p *Picker) Lines(l *draw.Look, w, h int) []string {
	n := len(p.Options)
	h = min(max(1, h), n)
	at := max(0, p.At)
	p.top, p.shown = min(max(p.top, at-h+1), at, n-h), h
	rest := make([]string, h) // how many there are beyond the first and the last line
	below := n - p.top - h
	if below > 0 {
		rest[h-1] = l.Muted.Paint("↓ " + track.Thousands(below))
	}
	if p.top > 0 && (h > 1 || below == 0) {
		rest[0] = l.Muted.Paint("↑ " + track.Thousands(p.top))
	}
	var out []string
	for i, more := range rest {
		text := p.option(l, p.top+i)
		if more != "" {
			text = l.Spread(text, more, w-2)
		}
		out = append(out, l.ListRow(text, w, draw.SelectedIf(p.top+i == p.At, true)))
	}
	return out
}

// Overflow is how many options are out of sight.
func (p *Picker) Overflow() panes.Overflow {
	return panes.OutsideList(0, p.top, p.shown, len(p.Options))
}

// option is a line of the list: those that have a digit for a key show it.
func (p *Picker) option(l *draw.Look, i int) string {
	key := "  "
	if i < 9 {
		key = l.Key.Paint(strconv.Itoa(i+1)) + " "
	}
	name := draw.Clean(p.Options[i])
	if p.Muted != nil && p.Muted(i) && i != p.At {
		name = l.Muted.Paint(name)
	}
	return key + name
}

func (p *Picker) Height(*draw.Look, int) int     { return len(p.Options) }
func (p *Picker) Writes() bool                   { return false }
func (p *Picker) Paste(*draw.Look, string)       {}
func (p *Picker) Hints(l *draw.Look) []draw.Hint { return p.Keys(l, "answer") }

// Keys are the hints, with what choosing does.
func (p *Picker) Keys(l *draw.Look, does string) []draw.Hint {
	digits := "1"
	if n := min(len(p.Options), 9); n > 1 {
		digits += "–" + strconv.Itoa(n)
	}
	if p.At < 0 { // there is nothing to accept yet
		return []draw.Hint{{Key: digits, Text: does}, l.UpDown("choose")}
	}
	return []draw.Hint{l.Press("accept", does), l.UpDown("choose"), {Key: digits, Text: does}}
}

func (p *Picker) Value() string {
	if p.At < 0 || p.At >= len(p.Options) {
		return ""
	}
	return p.Options[p.At]
}

// Key moves, and chooses: a digit chooses at once.
func (p *Picker) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	s := k.String()
	if n, err := strconv.Atoi(s); err == nil && len(s) == 1 && n > 0 {
		if n > len(p.Options) {
			return false, true
		}
		p.At = n - 1
		return true, true
	}
	by, moves := list.Movement(l.Keys, k, 1)
	if moves {
		p.At = max(0, min(p.At+by, len(p.Options)-1))
	}
	takes := l.Keys.Is(k, "accept")
	return takes, moves || takes
}
