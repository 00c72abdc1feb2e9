package form

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// Picker is a list of options, from which a person chooses one.
type Picker struct {
	Options            []string
	SelectedIndex      int              // -1: no option is selected
	IsMuted            func(i int) bool // reports options without effect, which are muted; nil: none
	ContinuationIndent int              // indent of the further rows of a long option, in cells
	TrailingTexts      []string         // what follows each option, in a column of its own if it fits there; nil: nothing
	ShortTrailingTexts []string         // what follows instead if options would not be whole; nil: the same
	topOption          int
	visibleCount       int // the number of options drawn last
}

// pickerMargin is the number of cells before an option: the mark of the selection, and the digit.
const pickerMargin = 4

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
	n, h, rowLayout := len(p.Options), max(1, h), p.rowLayout(dc, w)
	narrow := p.rowLayout(dc, w-hiddenCountWidth) // leave room for the count of hidden options
	hasRoom := func(row string) bool { return dc.Width(row)+hiddenCountWidth <= w-2 }
	fits := p.Height(dc, w) <= h
	var chosen []string
	if fits {
		p.scroll(n)
	} else {
		chosen = p.selectedRows(dc, rowLayout, h)
		if p.scroll(h - len(chosen) + 1); p.selectedRowHasHiddenCount() && !hasRoom(chosen[0]) {
			chosen = p.selectedRows(dc, narrow, h)
			p.scroll(h - len(chosen) + 1)
		}
	}
	rest := make([]string, p.visibleCount) // the counts of options above and below
	below := n - p.topOption - p.visibleCount
	if below > 0 {
		rest[p.visibleCount-1] = dc.Muted.Paint("↓ " + plan.FormatThousands(below))
	}
	if p.topOption > 0 && (p.visibleCount > 1 || below == 0) {
		rest[0] = dc.Muted.Paint("↑ " + plan.FormatThousands(p.topOption))
	}
	var out []string
	for i, more := range rest {
		i += p.topOption
		var rows []string
		switch {
		case fits:
			rows = p.optionRows(dc, i, rowLayout)
		case i == p.SelectedIndex:
			rows = chosen
		default:
			if rows = []string{p.cutRow(dc, i, rowLayout)}; more != "" && !hasRoom(rows[0]) {
				rows = []string{p.cutRow(dc, i, narrow)}
			}
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
func (p *Picker) selectedRows(dc *draw.Context, l pickerRowLayout, h int) []string {
	i := max(0, p.SelectedIndex)
	if rows := p.optionRows(dc, i, l); len(rows) <= h {
		return rows
	}
	return []string{p.cutRow(dc, i, l)}
}

// cutRow returns option i in one row. A text before a trailing text is cut.
func (p *Picker) cutRow(dc *draw.Context, i int, l pickerRowLayout) string {
	return p.optionRow(dc, i, 0, l.withTrailingText(dc, i, draw.CleanLine(p.Options[i])))
}

// pickerRowLayout has the widths of the texts of options, and what follows each.
type pickerRowLayout struct {
	textWidths    []int
	trailingTexts []string // nil: nothing follows
}

const (
	minShortenedWidth = 6  // the width to which an option is cut before what follows it
	minTextWidth      = 24 // the width below which an option is not wrapped for what follows it to be long
)

// rowLayout returns the layout of the rows of a list of w cells. What follows an option is whole if it leaves room for
// any text. It is short if options would not be whole otherwise. It stands in a column that leaves at least a third of
// the list to the options, else where it fits: after a long option at the right end, so that the option has the rest.
func (p *Picker) rowLayout(dc *draw.Context, w int) pickerRowLayout {
	l, room := pickerRowLayout{}, w-pickerMargin
	if p.TrailingTexts == nil {
		l.textWidths = slices.Repeat([]int{room}, len(p.Options))
		return l
	}
	widths, text := make([]int, len(p.Options)), 0
	for i, option := range p.Options {
		widths[i] = dc.Width(draw.CleanLine(option))
		text = max(text, widths[i])
	}
	l.trailingTexts = p.TrailingTexts
	if short := p.ShortTrailingTexts; short != nil && text+maxWidth(dc, p.TrailingTexts) > room {
		l.trailingTexts = slices.Clone(short)
		areWhole := text+maxWidth(dc, short) <= room
		for i, follows := range p.TrailingTexts {
			isWhole := !areWhole && widths[i]+dc.Width(follows) <= room
			isWrapped := widths[i]+dc.Width(short[i]) > room && dc.Width(follows) <= room-minTextWidth
			if isWhole || isWrapped {
				l.trailingTexts[i] = follows
			}
		}
	}
	column := min(text, max(room/3, room-maxWidth(dc, l.trailingTexts)))
	for i, follows := range l.trailingTexts {
		switch left := room - dc.Width(follows); {
		case follows == "":
			l.textWidths = append(l.textWidths, room)
		case widths[i] <= left:
			l.textWidths = append(l.textWidths, max(widths[i], min(column, left)))
		default:
			l.textWidths = append(l.textWidths, max(minShortenedWidth, left))
		}
	}
	return l
}

// maxWidth returns the width of the widest text.
func maxWidth(dc *draw.Context, texts []string) (w int) {
	for _, text := range texts {
		w = max(w, dc.Width(text))
	}
	return w
}

// withTrailingText adds what follows option i to the first row of its text.
func (l pickerRowLayout) withTrailingText(dc *draw.Context, i int, row string) string {
	if l.trailingTexts == nil || l.trailingTexts[i] == "" {
		return row
	}
	return dc.Fit(row, l.textWidths[i]) + l.trailingTexts[i]
}

// Overflow returns how many options are out of sight.
func (p *Picker) Overflow() layout.Overflow {
	return layout.ListOverflow(0, p.topOption, p.visibleCount, len(p.Options))
}

// optionRows returns the rows of option i.
func (p *Picker) optionRows(dc *draw.Context, i int, l pickerRowLayout) []string {
	text := draw.CleanLine(p.Options[i])
	room := l.textWidths[i] - p.ContinuationIndent
	if dc.Width(text) <= l.textWidths[i] || room < minWrapWidth-p.ContinuationIndent {
		return []string{p.cutRow(dc, i, l)}
	}
	rows := dc.Wrap(dc.Slice(text, p.ContinuationIndent, dc.Width(text)), room)
	for n, row := range rows {
		if n == 0 {
			row = l.withTrailingText(dc, i, dc.Slice(text, 0, p.ContinuationIndent)+row)
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
	rows, rowLayout := 0, p.rowLayout(dc, w)
	for i := range p.Options {
		rows += len(p.optionRows(dc, i, rowLayout))
	}
	return rows
}

func (p *Picker) TakesText() bool                    { return false }
func (p *Picker) Paste(*draw.Context, string)        {}
func (p *Picker) Hints(dc *draw.Context) []draw.Hint { return p.HintsFor(dc, "answer") }

// HintsFor returns the hints. does is the verb for choosing an option.
func (p *Picker) HintsFor(dc *draw.Context, does string) []draw.Hint {
	digits := keymap.DigitsText(len(p.Options))
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
	if n := keymap.DigitOfKey(k); n > 0 {
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
