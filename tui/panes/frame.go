package panes

import (
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// A Title is what a pane says on the line above its lines: name and facts left,
// state right. Both may be styled.
type Title struct{ Left, Right string }

// Frame joins panes with one set of thin lines. The lines around the pane with
// focus are in the accent colour.
type Frame struct {
	*draw.Look
	Layout
	Focused Pane
	Lines   [Dialog + 1][]string
	Names   [Dialog + 1]Title
	Hidden  [Dialog + 1]Overflow
	End     int // the line to end before: what is below is not the panes'
}

// Overflow is how many lines of a pane are out of sight, or of a list that is a part of it.
type Overflow struct {
	Above, Below int
	First, Rows  int // where the list is in the pane, and how high it is; no rows: it is the whole pane
}

// Outside returns the Overflow of a pane that shows h of all lines, from line top on.
func Outside(top, h, all int) Overflow { return Overflow{Above: top, Below: max(0, all-top-h)} }

// OutsideList returns the Overflow of a list in a pane. The list begins at row first and shows h of all
// lines, from line top on.
func OutsideList(first, top, h, all int) Overflow {
	o := Outside(top, h, all)
	o.First, o.Rows = first, h
	return o
}

// IsThumb reports whether row i of h belongs to the scrollbar thumb.
func (o Overflow) IsThumb(i, h int) bool {
	if o.Rows > 0 {
		i, h = i-o.First, o.Rows
	}
	out := o.Above + o.Below
	if out <= 0 || h <= 0 {
		return false
	}
	size := max(1, h*h/(h+out))
	from := (o.Above*(h-size) + out/2) / out
	return i >= from && i < from+size
}

// line is the i-th line of a pane, as wide as the pane.
func (f *Frame) line(p Pane, i int) string {
	if i >= 0 && i < len(f.Lines[p]) {
		return f.Lines[p][i]
	}
	return cells.Spaces(f.Panes[p].W)
}

// edge paints a piece of border between panes.
func (f *Frame) edge(s string, beside ...Pane) string {
	for _, p := range beside {
		if p == f.Focused && p != Nowhere {
			return f.Focus.Paint(s)
		}
	}
	return f.Border.Paint(s)
}

// rightBorder is the border right of the i-th line of a pane, with the thumb where the pane has more than
// it shows.
func (f *Frame) rightBorder(p Pane, i int, beside ...Pane) string {
	switch {
	case !f.Hidden[p].IsThumb(i, f.Panes[p].H):
		return f.edge("│", append(beside, p)...)
	case p == f.Focused:
		return f.Focus.Paint("┃")
	}
	return f.Muted.Paint("┃")
}

// Draw writes the lines of the screen between the header and the footer.
func (f *Frame) Draw(b *strings.Builder) {
	for y := 1; y < f.End; y++ {
		p, head := f.rightAt(y)
		f.drawLeft(b, y)
		f.drawRight(b, y, p, head)
		b.WriteByte('\n')
	}
}

// drawLeft is the steps' part of a line, if they show.
func (f *Frame) drawLeft(b *strings.Builder, y int) {
	switch {
	case f.Left == 0:
	case y == 1:
		b.WriteString(f.edge("│", Steps) + " " + f.titleLine(Steps) + " ")
	default:
		b.WriteString(f.edge("│", Steps) + " " + f.line(Steps, y-2) + " ")
	}
}

// drawRight is the right column's part of a line.
func (f *Frame) drawRight(b *strings.Builder, y int, p Pane, head bool) {
	switch {
	case head && y > 1:
		b.WriteString(f.edge("├", Steps, p) + f.separator(p) + f.edge("┤", p))
	case head:
		b.WriteString(f.edge("│", Steps, p) + " " + f.titleLine(p) + " " + f.edge("│", p))
	default:
		i := y - f.Panes[p].Y
		left := f.edge("│", p)
		if f.Left > 0 {
			left = f.rightBorder(Steps, y-2, p)
		}
		b.WriteString(left + " " + f.line(p, i) + " " + f.rightBorder(p, i))
	}
}

// rightAt is the pane of the right column, or of the only one, at a line, and whether it is its title.
func (f *Frame) rightAt(y int) (Pane, bool) {
	for p := Steps; p <= Dialog; p++ {
		r := f.Panes[p]
		if r.W > 0 && !(p == Steps && f.Left > 0) && y >= r.Y-1 && y < r.Y+max(r.H, 0) {
			return p, y == r.Y-1
		}
	}
	return Text, false
}

// titleLine is a title on a line of its own.
func (f *Frame) titleLine(p Pane) string {
	t := f.Names[p]
	return f.Spread(f.paintTitle(p, t.Left), f.state(p, f.Panes[p].W-1), f.Panes[p].W)
}

// separator is a title in a border.
func (f *Frame) separator(p Pane) string {
	left, right := "", ""
	if f.Names[p].Right != "" {
		right = " " + f.state(p, f.Right-7) + " "
	}
	if name := f.Cut(f.Names[p].Left, f.Right-f.Width(right)-4); name != "" {
		left = " " + f.paintTitle(p, name) + " "
	}
	return left + f.edge(cells.Rule(f.Right-f.Width(left)-f.Width(right)), p) + right
}

// state is what stands right in a title of w cells. It leaves room for the start of what
// stands left.
func (f *Frame) state(p Pane, w int) string {
	t := f.Names[p]
	return f.Cut(t.Right, w-min(f.Width(t.Left), leastName))
}

// leastName is how much of what stands left in a title always shows.
const leastName = 8

// paintTitle paints a title, that of the pane with focus in the accent. One that begins in a colour of its own, as
// how a run ended, keeps to it.
func (f *Frame) paintTitle(p Pane, s string) string {
	if p == f.Focused && !strings.HasPrefix(s, "\x1b[") {
		return f.Accent.Over(s)
	}
	return f.Title.Over(s)
}
