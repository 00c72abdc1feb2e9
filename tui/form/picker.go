package form

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// Picker is a list of options, from which a person chooses one.
type Picker struct {
	Options            []string
	SelectedIndex      int              // -1: no option is selected
	IsMuted            func(i int) bool // reports options without effect, which are muted; nil: none
	ContinuationIndent int              // indent of the further rows of a long option, in cells
	TrailingTexts      []string         // what follows each option in a column of its own; nil: nothing
	topOption          int
	visibleCount       int // the number of options drawn last
}

// PickerMargin is the number of cells before an option: the mark of the selection, and the digit.
const PickerMargin = 4

// NewPicker returns a picker on which the given value is selected, or the first option.
func NewPicker(options []string, value string) *Picker {
	return &Picker{Options: options, SelectedIndex: max(0, slices.Index(options, value))}
}

// NewUnchosenPicker returns a picker without a selected option: the person has to choose one.
func NewUnchosenPicker(options []string) *Picker { return &Picker{Options: options, SelectedIndex: -1} }

// ChoiceProblem returns why a picker without a choice cannot be confirmed, "" if there is a choice.
func ChoiceProblem(value string) string {
	if value == "" {
		return "Choose one first."
	}
	return ""
}

// Lines implements Widget. If not all options fit, it scrolls to the selected one. Long options are
// wrapped: all of them if all options fit, else only the selected one.
func (p *Picker) Lines(dc *draw.Context, w, h int) []string {
	n, h, textWidth := len(p.Options), max(1, h), p.optionWidth(dc, w)
	fits := p.Height(dc, w) <= h
	var chosen []string
	if fits {
		p.scroll(n)
	} else {
		chosen = p.selectedRows(dc, w, h)
		if p.scroll(h - len(chosen) + 1); p.selectedRowHasHiddenCount() {
			chosen = p.selectedRows(dc, w-hiddenCountWidth, h)
			p.scroll(h - len(chosen) + 1)
		}
	}
	rest := make([]string, p.visibleCount) // the counts of options above and below
	below := n - p.topOption - p.visibleCount
	if below > 0 {
		rest[p.visibleCount-1] = dc.Muted.Paint("↓ " + track.FormatThousands(below))
	}
	if p.topOption > 0 && (p.visibleCount > 1 || below == 0) {
		rest[0] = dc.Muted.Paint("↑ " + track.FormatThousands(p.topOption))
	}
	var out []string
	for i, more := range rest {
		i += p.topOption
		rows := p.optionRows(dc, i, textWidth)
		switch {
		case !fits && i == p.SelectedIndex:
			rows = chosen
		case !fits:
			rows = []string{p.cutRow(dc, i, textWidth)}
		}
		if more != "" {
			rows[0] = dc.LeftRight(rows[0], more, w-2)
		}
		for _, row := range rows {
			out = append(out, dc.ListRow(row, w, draw.SelectionOf(i == p.SelectedIndex, true)))
		}
	}
	return out
}

// scroll shows the given number of options, with the selected one among them.
func (p *Picker) scroll(count int) {
	n, at := len(p.Options), max(0, p.SelectedIndex)
	p.visibleCount = min(n, max(1, count))
	p.topOption = min(max(p.topOption, at-p.visibleCount+1), at, n-p.visibleCount)
}

// selectedRowHasHiddenCount reports whether the count of options out of sight is in the row of the selected
// option.
func (p *Picker) selectedRowHasHiddenCount() bool {
	at, last := max(0, p.SelectedIndex), p.topOption+p.visibleCount-1
	return at == p.topOption && at > 0 || at == last && last < len(p.Options)-1
}

// hiddenCountWidth is the width of the count of options that are out of sight.
const hiddenCountWidth = 5

// selectedRows returns the rows of the selected option if not all options fit. If it needs more than h rows,
// it is cut to one.
func (p *Picker) selectedRows(dc *draw.Context, w, h int) []string {
	i, textWidth := max(0, p.SelectedIndex), p.optionWidth(dc, w)
	if rows := p.optionRows(dc, i, textWidth); len(rows) <= h {
		return rows
	}
	return []string{p.cutRow(dc, i, textWidth)}
}

// cutRow returns option i in one row. A text before a trailing text is cut to w cells.
func (p *Picker) cutRow(dc *draw.Context, i, w int) string {
	return p.optionRow(dc, i, 0, p.withTrailingText(dc, i, draw.CleanLine(p.Options[i]), w))
}

// minTrailingWidth is the number of cells to which a trailing text is cut before options are wrapped.
const minTrailingWidth = 12

// optionWidth returns the width of the column of options in a list of w cells. Trailing texts leave at
// least half of the list to it.
func (p *Picker) optionWidth(dc *draw.Context, w int) int {
	room, text, end := w-PickerMargin, 0, 0
	for i, s := range p.TrailingTexts {
		text, end = max(text, dc.Width(draw.CleanLine(p.Options[i]))), max(end, dc.Width(s))
	}
	if p.TrailingTexts == nil {
		return room
	}
	return min(text, max(room/2, room-min(end, minTrailingWidth)))
}

// withTrailingText adds the trailing text of option i to the first row of its text, which has w cells.
func (p *Picker) withTrailingText(dc *draw.Context, i int, row string, w int) string {
	if p.TrailingTexts == nil || p.TrailingTexts[i] == "" {
		return row
	}
	return dc.Fit(row, w) + p.TrailingTexts[i]
}

// Overflow returns how many options are out of sight.
func (p *Picker) Overflow() layout.Overflow {
	return layout.ListOverflow(0, p.topOption, p.visibleCount, len(p.Options))
}

// optionRows returns the rows of option i, with its text in w cells.
func (p *Picker) optionRows(dc *draw.Context, i, w int) []string {
	text := draw.CleanLine(p.Options[i])
	room := w - p.ContinuationIndent
	if dc.Width(text) <= room+p.ContinuationIndent || room < minWrapWidth {
		return []string{p.cutRow(dc, i, w)}
	}
	rows := dc.Wrap(dc.Slice(text, p.ContinuationIndent, dc.Width(text)), room)
	for n, row := range rows {
		if n == 0 {
			row = p.withTrailingText(dc, i, dc.Slice(text, 0, p.ContinuationIndent)+row, w)
		} else {
			row = cells.Spaces(p.ContinuationIndent) + row
		}
		rows[n] = p.optionRow(dc, i, n, row)
	}
	return rows
}

// minWrapWidth is the minimum width, in cells, at which an option is wrapped.
const minWrapWidth = 12

// optionRow adds the digit that chooses option i to its nth line, if that is the first one.
func (p *Picker) optionRow(dc *draw.Context, i, n int, text string) string {
	key := "  "
	if i < 9 && n == 0 {
		key = dc.Key.Paint(strconv.Itoa(i+1)) + " "
	}
	if p.IsMuted != nil && p.IsMuted(i) && i != p.SelectedIndex {
		text = dc.Muted.Paint(text)
	}
	return key + text
}

// Height implements Widget.
func (p *Picker) Height(dc *draw.Context, w int) int {
	rows, textWidth := 0, p.optionWidth(dc, w)
	for i := range p.Options {
		rows += len(p.optionRows(dc, i, textWidth))
	}
	return rows
}

func (p *Picker) TakesText() bool                    { return false }
func (p *Picker) Paste(*draw.Context, string)        {}
func (p *Picker) Hints(dc *draw.Context) []draw.Hint { return p.HintsFor(dc, "answer") }

// HintsFor returns the hints. does is the verb for choosing an option.
func (p *Picker) HintsFor(dc *draw.Context, does string) []draw.Hint {
	digits := "1"
	if n := min(len(p.Options), 9); n > 1 {
		digits += "–" + strconv.Itoa(n)
	}
	if p.SelectedIndex < 0 { // nothing can be accepted yet
		return []draw.Hint{{Key: digits, Text: does}, dc.UpDownHint("choose")}
	}
	return []draw.Hint{dc.ActionHint("accept", does), dc.UpDownHint("choose"), {Key: digits, Text: does}}
}

func (p *Picker) Value() string {
	if p.SelectedIndex < 0 || p.SelectedIndex >= len(p.Options) {
		return ""
	}
	return p.Options[p.SelectedIndex]
}

// HandleKey implements Widget. A digit selects an option and confirms it.
func (p *Picker) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	s := k.String()
	if n, err := strconv.Atoi(s); err == nil && len(s) == 1 && n > 0 {
		if n > len(p.Options) {
			return false, true
		}
		p.SelectedIndex = n - 1
		return true, true
	}
	by, moves := list.KeyMovement(dc.Keys, k, 1)
	if moves {
		p.SelectedIndex = max(0, min(p.SelectedIndex+by, len(p.Options)-1))
	}
	takes := dc.Keys.IsKeyOf(k, "accept")
	return takes, moves || takes
}
