package rail

// Cell is one cell of a drawing.
type Cell struct {
	Rune rune
	Role LineRole
}

// LineRole is what a cell of the drawing is. If two meet in a cell, the later constant wins.
type LineRole int

const (
	PlainRole         LineRole = iota
	TakenByOthersRole          // a line for a route that other runs took
	TakenRole                  // a heavy line, for a route that was taken
	OverrideRole               // a dotted line, for a route that a person chose
	FocusRole                  // a line from or to the row in focus
)

// lineCell is a cell with lines from its middle to its sides.
type lineCell struct {
	up, right, down, left halfLine
	role                  LineRole
}

// halfLine is a line from the middle of a cell to one side. exists says that it is there.
type halfLine struct {
	exists bool
	stroke Stroke
}

// addLine adds a line. A stroke that wins over the present one replaces it.
func (h *halfLine) addLine(s Stroke) {
	if !h.exists || s > h.stroke {
		*h = halfLine{true, s}
	}
}

// Draw returns the cells of a number of rows, beginning with row from. focus is the row in focus, -1 for
// none.
func (r *Rail) Draw(from, rows, focus int) [][]Cell {
	w := r.withFocusArcs(focus)
	out := make([][]Cell, 0, rows)
	for y := from; y < from+rows && y < r.rowCount; y++ {
		out = append(out, w.drawRow(y, focus))
	}
	return out
}

// drawRow returns the cells of one row: the lanes, the place of arrow heads, the spine.
func (r *Rail) drawRow(y, focus int) []Cell {
	line := make([]lineCell, r.Width())
	arrow := false
	for _, s := range r.spans {
		if y < s.firstRow || y > s.lastRow {
			continue
		}
		for _, a := range s.arcs {
			r.drawArc(line, y, s.lane, a, focus)
			arrow = arrow || a.To == y
		}
	}
	r.drawSpine(line, y, focus)
	out := make([]Cell, len(line))
	for x, c := range line {
		out[x] = Cell{c.rune(), c.role}
	}
	if arrow {
		out[len(out)-2].Rune = '▸'
	}
	return out
}

// drawArc adds the part of an arc in a row: a piece of its lane and, at its ends, the line from the lane to the
// row.
func (r *Rail) drawArc(line []lineCell, y, lane int, a Arc, focus int) {
	top, bottom := min(a.From, a.To), max(a.From, a.To)
	if y < top || y > bottom {
		return
	}
	role := a.roleFor(focus)
	at := &line[lane]
	at.role = max(at.role, role)
	if y > top {
		at.up.addLine(a.Stroke)
	}
	if y < bottom {
		at.down.addLine(a.Stroke)
	}
	if y > top && y < bottom {
		return
	}
	at.right.addLine(a.Stroke)
	for x := lane + 1; x < len(line)-1; x++ {
		line[x].left.addLine(a.Stroke)
		line[x].right.addLine(a.Stroke)
		line[x].role = max(line[x].role, role)
	}
}

// drawSpine adds the part of the spine in a row.
func (r *Rail) drawSpine(line []lineCell, y, focus int) {
	at := &line[len(line)-1]
	if y > 0 && r.spineArcs[y-1].To >= 0 && (r.spineArcs[y-1].To == y || r.isGroupRow[y]) {
		at.up.addLine(r.spineArcs[y-1].Stroke)
		at.role = max(at.role, r.spineArcs[y-1].roleFor(focus))
	}
	if a := r.spineArcs[y]; a.To >= 0 {
		at.down.addLine(a.Stroke)
		at.role = max(at.role, a.roleFor(focus))
	}
}

// roleFor returns the role of an arc's cells while the row focus has the focus.
func (a Arc) roleFor(focus int) LineRole {
	switch {
	case a.From == focus || a.To == focus:
		return FocusRole
	case a.Stroke == Dotted:
		return OverrideRole
	case a.Stroke == Heavy:
		return TakenRole
	case a.IsTakenByOthers:
		return TakenByOthersRole
	}
	return PlainRole
}

// boxCharacters holds the box-drawing characters by the weights of their arms: up, right, down and left,
// each none, light or heavy.
var boxCharacters = []rune(" ╴╸╷┐┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// rune returns the character with the cell's arms. A dotted line is dotted where it is straight and meets
// no other line.
func (c lineCell) rune() rune {
	dotted, n := true, 0
	for _, a := range []halfLine{c.up, c.right, c.down, c.left} {
		n *= 3
		if a.exists {
			n++
			dotted = dotted && a.stroke == Dotted
			if a.stroke == Heavy {
				n++
			}
		}
	}
	switch ch := boxCharacters[n]; {
	case dotted && ch == '│':
		return '┊'
	case dotted && ch == '─':
		return '┈'
	default:
		return ch
	}
}
