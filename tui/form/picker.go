package form

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// Picker is a list of options, from which a person chooses one.
type Picker struct {
	Options      []string
	At           int              // -1: no option is selected
	Muted        func(i int) bool // reports options without effect, which are muted; nil: none
	Indent       int              // indent of the further rows of a long option, in cells
	top          int
	visibleCount int // the number of options drawn last
}

// PickerMargin is the number of cells before an option: the mark of the selection, and the digit.
const PickerMargin = 4

// NewPicker returns a picker on which the given value is selected, or the first option.
func NewPicker(options []string, value string) *Picker {
	return &Picker{Options: options, At: max(0, slices.Index(options, value))}
}

// NewUnchosenPicker returns a picker without a selected option: the person has to choose one.
func NewUnchosenPicker(options []string) *Picker { return &Picker{Options: options, At: -1} }

// MustChoose returns why a picker without a choice cannot be confirmed, "" if there is a choice.
func MustChoose(value string) string {
	if value == "" {
		return "Choose one first."
	}
	return ""
}

// Lines implements Widget. If not all options fit, it scrolls to the selected one. Long options are
// wrapped: all of them if all options fit, else only the selected one.
func (p *Picker) Lines(l *draw.Look, w, h int) []string {
	n, h := len(p.Options), max(1, h)
	fits := p.Height(l, w) <= h
	var chosen []string
	if fits {
		p.scroll(n)
	} else {
		chosen = p.chosenRows(l, w, h)
		if p.scroll(h - len(chosen) + 1); p.chosenHasCount() {
			chosen = p.chosenRows(l, w-moreWidth, h)
			p.scroll(h - len(chosen) + 1)
		}
	}
	rest := make([]string, p.visibleCount) // the counts of options above and below
	below := n - p.top - p.visibleCount
	if below > 0 {
		rest[p.visibleCount-1] = l.Muted.Paint("↓ " + track.Thousands(below))
	}
	if p.top > 0 && (p.visibleCount > 1 || below == 0) {
		rest[0] = l.Muted.Paint("↑ " + track.Thousands(p.top))
	}
	var out []string
	for i, more := range rest {
		i += p.top
		rows := p.option(l, i, w)
		switch {
		case !fits && i == p.At:
			rows = chosen
		case !fits:
			rows = []string{p.row(l, i, 0, draw.Clean(p.Options[i]))}
		}
		if more != "" {
			rows[0] = l.Spread(rows[0], more, w-2)
		}
		for _, row := range rows {
			out = append(out, l.ListRow(row, w, draw.SelectionOf(i == p.At, true)))
		}
	}
	return out
}

// scroll shows the given number of options, with the selected one among them.
func (p *Picker) scroll(count int) {
	n, at := len(p.Options), max(0, p.At)
	p.visibleCount = min(n, max(1, count))
	p.top = min(max(p.top, at-p.visibleCount+1), at, n-p.visibleCount)
}

// chosenHasCount reports whether the count of options out of sight is in the row of the selected option.
func (p *Picker) chosenHasCount() bool {
	at, last := max(0, p.At), p.top+p.visibleCount-1
	return at == p.top && at > 0 || at == last && last < len(p.Options)-1
}

// moreWidth is the width of the count of options that are out of sight.
const moreWidth = 5

// chosenRows returns the rows of the selected option if not all options fit. If it needs more than h rows,
// it is cut to one.
func (p *Picker) chosenRows(l *draw.Look, w, h int) []string {
	i := max(0, p.At)
	if rows := p.option(l, i, w); len(rows) <= h {
		return rows
	}
	return []string{p.row(l, i, 0, draw.Clean(p.Options[i]))}
}

// Overflow returns how many options are out of sight.
func (p *Picker) Overflow() panes.Overflow {
	return panes.OutsideList(0, p.top, p.visibleCount, len(p.Options))
}

// option returns the rows of an option in a list of w cells.
func (p *Picker) option(l *draw.Look, i, w int) []string {
	text := draw.Clean(p.Options[i])
	room := w - PickerMargin - p.Indent
	if l.Width(text) <= room+p.Indent || room < leastOption {
		return []string{p.row(l, i, 0, text)}
	}
	rows := l.Wrap(l.Slice(text, p.Indent, l.Width(text)), room)
	for n, row := range rows {
		head := cells.Spaces(p.Indent)
		if n == 0 {
			head = l.Slice(text, 0, p.Indent)
		}
		rows[n] = p.row(l, i, n, head+row)
	}
	return rows
}

// leastOption is the minimum width, in cells, at which an option is wrapped.
const leastOption = 12

// row returns row n of an option. The first row shows the digit that chooses the option, if there is one.
func (p *Picker) row(l *draw.Look, i, n int, text string) string {
	key := "  "
	if i < 9 && n == 0 {
		key = l.Key.Paint(strconv.Itoa(i+1)) + " "
	}
	if p.Muted != nil && p.Muted(i) && i != p.At {
		text = l.Muted.Paint(text)
	}
	return key + text
}

// Height implements Widget.
func (p *Picker) Height(l *draw.Look, w int) int {
	rows := 0
	for i := range p.Options {
		rows += len(p.option(l, i, w))
	}
	return rows
}

func (p *Picker) Writes() bool                   { return false }
func (p *Picker) Paste(*draw.Look, string)       {}
func (p *Picker) Hints(l *draw.Look) []draw.Hint { return p.Keys(l, "answer") }

// Keys returns the hints. does names what a choice does.
func (p *Picker) Keys(l *draw.Look, does string) []draw.Hint {
	digits := "1"
	if n := min(len(p.Options), 9); n > 1 {
		digits += "–" + strconv.Itoa(n)
	}
	if p.At < 0 { // nothing can be accepted yet
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

// Key implements Widget. A digit selects an option and confirms it.
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
