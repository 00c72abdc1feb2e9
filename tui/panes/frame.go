package panes

import (
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// A Title is the line above the lines of a pane: its name and facts left, its state right. Both texts may
// have styles.
type Title struct{ Left, Right string }

// Frame draws the visible panes with the thin lines between them. The lines around the pane with focus have
// the accent colour.
type Frame struct {
	*draw.Look
	Layout
	Focused Pane
	Lines   [Dialog + 1][]string
	Names   [Dialog + 1]Title
	Hidden  [Dialog + 1]Overflow
	End     int // the first line below the panes
}

// Overflow says how many lines of a pane, or of a list in it, are out of sight.
type Overflow struct {
	Above, Below int
	First, Rows  int // the first row and the height of the list in the pane; Rows 0: the list is the whole pane
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

// line returns line i of a pane, as wide as the pane.
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

// rightBorder returns the border right of line i, with the scrollbar thumb if lines are hidden.
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

// drawLeft writes the steps' part of a line, if they show.
func (f *Frame) drawLeft(b *strings.Builder, y int) {
	switch {
	case f.Left == 0:
	case y == 1:
		b.WriteString(f.edge("│", Steps) + " " + f.titleLine(Steps) + " ")
	default:
		b.WriteString(f.edge("│", Steps) + " " + f.line(Steps, y-2) + " ")
	}
}

// drawRight writes the right column's part of a line.
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

// rightAt returns the pane of the right column at a line, and whether the line is its title. If only one
// pane shows, it returns that pane.
func (f *Frame) rightAt(y int) (Pane, bool) {
	for p := Steps; p <= Dialog; p++ {
		r := f.Panes[p]
		if r.W > 0 && !(p == Steps && f.Left > 0) && y >= r.Y-1 && y < r.Y+max(r.H, 0) {
			return p, y == r.Y-1
		}
	}
	return Text, false
}

// titleLine returns a title on a line of its own.
func (f *Frame) titleLine(p Pane) string {
	t := f.Names[p]
	return f.Spread(f.paintTitle(p, t.Left), f.rightTitle(p, f.Panes[p].W-1), f.Panes[p].W)
}

// separator returns a border with a title in it.
func (f *Frame) separator(p Pane) string {
	left, right := "", ""
	if f.Names[p].Right != "" {
		right = " " + f.rightTitle(p, f.Right-7) + " "
	}
	if name := f.Cut(f.Names[p].Left, f.Right-f.Width(right)-4); name != "" {
		left = " " + f.paintTitle(p, name) + " "
	}
	return left + f.edge(cells.Rule(f.Right-f.Width(left)-f.Width(right)), p) + right
}

// rightTitle returns the right part of a title of w cells, cut to leave room for the left part.
func (f *Frame) rightTitle(p Pane, w int) string {
	t := f.Names[p]
	return f.Cut(t.Right, w-min(f.Width(t.Left), leastName))
}

// leastName is the number of cells that the left part of a title keeps.
const leastName = 8

// paintTitle paints a title, in the accent colour for the pane with focus. A title that begins with a
// colour of its own, such as a result, keeps it.
func (f *Frame) paintTitle(p Pane, s string) string {
	if p == f.Focused && !strings.HasPrefix(s, "\x1b[") {
		return f.Accent.Over(s)
	}
	return f.Title.Over(s)
}
