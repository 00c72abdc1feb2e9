package tui

import "strings"

// A title is what a pane says on the line above its lines: name and facts left,
// state right. Both may be styled.
type title struct{ left, right string }

// frame joins panes with one set of thin lines. The lines around the pane with
// focus are in the accent colour.
type frame struct {
	*look
	layout
	focus pane
	lines [cardPane + 1][]string
	names [cardPane + 1]title
	end   int // the line to end before: what is below is not the panes'
}

// line is the i-th line of a pane, as wide as the pane.
func (f *frame) line(p pane, i int) string {
	if i >= 0 && i < len(f.lines[p]) {
		return f.lines[p][i]
	}
	return spaces(f.panes[p].w)
}

// edge paints a piece of border between panes.
func (f *frame) edge(s string, beside ...pane) string {
	for _, p := range beside {
		if p == f.focus && p != nowhere {
			return f.Focus.Paint(s)
		}
	}
	return f.Border.Paint(s)
}

// draw is the whole screen but its first and last line.
func (f *frame) draw(b *strings.Builder) {
	if f.shape == narrow {
		f.drawOne(b)
		return
	}
	for y := 1; y < f.end; y++ {
		p, head := f.rightAt(y)
		f.drawLeft(b, y)
		f.drawRight(b, y, p, head)
		b.WriteByte('\n')
	}
}

// drawLeft is the steps' part of a line, if they show.
func (f *frame) drawLeft(b *strings.Builder, y int) {
	switch {
	case f.left == 0:
	case y == 1:
		b.WriteString(f.edge("│", treePane) + " " + f.head(treePane) + " ")
	default:
		b.WriteString(f.edge("│", treePane) + " " + f.line(treePane, y-2) + " ")
	}
}

// drawRight is the right column's part of a line.
func (f *frame) drawRight(b *strings.Builder, y int, p pane, head bool) {
	switch {
	case head && y > 1:
		b.WriteString(f.edge("├", treePane, p) + f.separator(p) + f.edge("┤", p))
	case head:
		b.WriteString(f.edge("│", treePane, p) + " " + f.head(p) + " " + f.edge("│", p))
	default:
		b.WriteString(f.edge("│", treePane, p) + " " + f.line(p, y-f.panes[p].y) + " " + f.edge("│", p))
	}
}

func (f *frame) drawOne(b *strings.Builder) {
	p := f.focus
	for y := 1; y < f.end; y++ {
		s := f.line(p, y-2)
		switch why := f.panes[whyPane]; {
		case y == 1:
			s = f.head(p)
		case p != whyPane && why.w > 0 && y == why.y-1:
			b.WriteString(f.edge("├", p) + f.separator(whyPane) + f.edge("┤", p) + "\n")
			continue
		}
		b.WriteString(f.edge("│", p) + " " + s + " " + f.edge("│", p) + "\n")
	}
}

// rightAt is the pane of the right column at a line, and whether it is its title.
func (f *frame) rightAt(y int) (pane, bool) {
	for _, p := range [...]pane{detailPane, outputPane, whyPane, cardPane} {
		r := f.panes[p]
		if r.w > 0 && y >= r.y-1 && y < r.y+max(r.h, 0) {
			return p, y == r.y-1
		}
	}
	return detailPane, false
}

// head is a title on a line of its own.
func (f *frame) head(p pane) string {
	t := f.names[p]
	return f.spread(f.named(p, t.left), f.cut(t.right, f.panes[p].w), f.panes[p].w)
}

// separator is a title in a border.
func (f *frame) separator(p pane) string {
	left, right := "", ""
	if f.names[p].right != "" {
		right = " " + f.cut(f.names[p].right, f.right-4) + " "
	}
	if name := f.cut(f.names[p].left, f.right-f.width(right)-4); name != "" {
		left = " " + f.named(p, name) + " "
	}
	return left + f.edge(rule(f.right-f.width(left)-f.width(right)), p) + right
}

// named paints the title of the pane with focus.
func (f *frame) named(p pane, s string) string {
	if p == f.focus {
		return f.Accent.Over(s)
	}
	return f.Title.Over(s)
}
