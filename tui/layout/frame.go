package layout

import (
	"slices"
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// A PaneTitle is the line above the lines of a pane: its name and facts left, its state right. Both texts may
// have styles.
type PaneTitle struct {
	Left, Right string
	IsLeftWhole bool // Right is left out if both do not fit
}

// Frame draws the visible panes with the thin lines between them. The lines around the pane with focus have
// the accent colour.
type Frame struct {
	*draw.Context
	Layout
	FocusedPane PaneID
	Lines       [DialogPlace + 1][]string
	Titles      [DialogPlace + 1]PaneTitle
	HiddenLines [DialogPlace + 1]Overflow
	EndLine     int // the first line below the panes
}

// Overflow says how many lines of a pane, or of a list in it, are out of sight.
type Overflow struct {
	Above, Below             int
	ListFirstRow, ListHeight int       // the first row and the height of the list in the pane; height 0: it is the whole pane
	BelowList                *Overflow // that of a second part of the pane, which scrolls by itself; nil: there is none
}

// OverflowOf returns the Overflow of a pane that shows h of all lines, from line top on.
func OverflowOf(top, h, all int) Overflow { return Overflow{Above: top, Below: max(0, all-top-h)} }

// ListOverflow returns the Overflow of a list in a pane. The list begins at row first and shows h of all
// lines, from line top on.
func ListOverflow(first, top, h, all int) Overflow {
	o := OverflowOf(top, h, all)
	o.ListFirstRow, o.ListHeight = first, h
	return o
}

// isScrollbarThumb reports whether row i of h belongs to the scrollbar thumb.
func (o Overflow) isScrollbarThumb(i, h int) bool {
	if o.BelowList != nil && o.BelowList.isScrollbarThumb(i, h) {
		return true
	}
	if o.ListHeight > 0 {
		i, h = i-o.ListFirstRow, o.ListHeight
	}
	out := o.Above + o.Below
	if out <= 0 || h <= 0 {
		return false
	}
	size := max(1, h*h/(h+out))
	from := (o.Above*(h-size) + out/2) / out
	return i >= from && i < from+size
}

// BorderRow returns row i of the border beside h lines, with the scrollbar thumb.
func (o Overflow) BorderRow(dc *draw.Context, i, h int) string {
	if o.isScrollbarThumb(i, h) {
		return dc.Muted.Paint("┃")
	}
	return dc.Border.Paint("│")
}

// paneLine returns one row of a pane, as wide as the pane. i counts from 0.
func (f *Frame) paneLine(p PaneID, i int) string {
	if i >= 0 && i < len(f.Lines[p]) {
		return f.Lines[p][i]
	}
	return cells.Spaces(f.PaneRects[p].W)
}

// paintBorder paints a piece of border, in the colour of the focus if the pane with focus is beside it.
func (f *Frame) paintBorder(s string, beside ...PaneID) string {
	if f.FocusedPane != NoPane && slices.Contains(beside, f.FocusedPane) {
		return f.Focus.Paint(s)
	}
	return f.Border.Paint(s)
}

// rightBorder returns the border right of line i, with the scrollbar thumb if lines are hidden.
func (f *Frame) rightBorder(p PaneID, i int, beside ...PaneID) string {
	switch {
	case !f.HiddenLines[p].isScrollbarThumb(i, f.PaneRects[p].H):
		return f.paintBorder("│", append(beside, p)...)
	case p == f.FocusedPane:
		return f.Focus.Paint("┃")
	}
	return f.Muted.Paint("┃")
}

// Draw writes the lines of the screen between the header and the footer.
func (f *Frame) Draw(b *strings.Builder) {
	for y := 1; y < f.EndLine; y++ {
		p, head := f.rightPaneAt(y)
		f.drawStepsPart(b, y)
		f.drawRightPart(b, y, p, head)
		b.WriteByte('\n')
	}
}

// drawStepsPart writes the steps' part of a line, if they show.
func (f *Frame) drawStepsPart(b *strings.Builder, y int) {
	switch {
	case f.StepsWidth == 0:
	case y == 1:
		b.WriteString(f.paintBorder("│", StepsPane) + " " + f.titleLine(StepsPane) + " ")
	default:
		b.WriteString(f.paintBorder("│", StepsPane) + " " + f.paneLine(StepsPane, y-2) + " ")
	}
}

// drawRightPart writes the right column's part of a line.
func (f *Frame) drawRightPart(b *strings.Builder, y int, p PaneID, head bool) {
	switch {
	case head && y > 1:
		b.WriteString(f.paintBorder("├", StepsPane, p) + f.titledBorder(p) + f.paintBorder("┤", p))
	case head:
		b.WriteString(f.paintBorder("│", StepsPane, p) + " " + f.titleLine(p) + " " + f.paintBorder("│", p))
	default:
		i := y - f.PaneRects[p].Y
		left := f.paintBorder("│", p)
		if f.StepsWidth > 0 {
			left = f.rightBorder(StepsPane, y-2, p)
		}
		b.WriteString(left + " " + f.paneLine(p, i) + " " + f.rightBorder(p, i))
	}
}

// rightPaneAt returns the pane of the right column at a line, and whether the line is its title. If only one
// pane shows, it returns that pane.
func (f *Frame) rightPaneAt(y int) (p PaneID, isTitle bool) {
	for p := StepsPane; p <= DialogPlace; p++ {
		r := f.PaneRects[p]
		if r.W > 0 && !(p == StepsPane && f.StepsWidth > 0) && y >= r.Y-1 && y < r.Y+max(r.H, 0) {
			return p, y == r.Y-1
		}
	}
	return TextPane, false
}

// titleLine returns a title on a line of its own.
func (f *Frame) titleLine(p PaneID) string {
	t := f.Titles[p]
	return f.LeftRight(f.paintTitle(p, t.Left), f.rightTitle(p, f.PaneRects[p].W-1), f.PaneRects[p].W)
}

// titledBorder returns a border with a title in it.
func (f *Frame) titledBorder(p PaneID) string {
	left, right := "", ""
	if text := f.rightTitle(p, f.RightWidth-7); text != "" {
		right = " " + text + " "
	}
	if name := f.Cut(f.Titles[p].Left, f.RightWidth-f.Width(right)-4); name != "" {
		left = " " + f.paintTitle(p, name) + " "
	}
	return left + f.paintBorder(cells.HorizontalLine(f.RightWidth-f.Width(left)-f.Width(right)), p) + right
}

// rightTitle returns the right part of a title, cut to leave room for the left part.
func (f *Frame) rightTitle(p PaneID, titleWidth int) string {
	t := f.Titles[p]
	if t.IsLeftWhole && f.Width(t.Left)+titleGap+f.Width(t.Right) > titleWidth {
		return ""
	}
	return f.Cut(t.Right, titleWidth-min(f.Width(t.Left), minLeftTitleWidth))
}

// titleGap is the least gap between the parts of a title in cells.
const titleGap = 2

// minLeftTitleWidth is the number of cells that the left part of a title keeps.
const minLeftTitleWidth = 8

// paintTitle paints a title, in the accent colour for the pane with focus. A title that begins with a
// colour of its own, such as a result, keeps it.
func (f *Frame) paintTitle(p PaneID, s string) string {
	if p == f.FocusedPane && !strings.HasPrefix(s, "\x1b[") {
		return f.Accent.PaintOver(s)
	}
	return f.Title.PaintOver(s)
}
