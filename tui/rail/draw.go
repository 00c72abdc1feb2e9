package rail

// Cell is one cell of a drawing.
type Cell struct {
	Rune rune
	Role Role
}

// Role is what a cell of the drawing is. If two meet in a cell, the later constant wins.
type Role int

const (
	PlainRole    Role = iota
	KnownRole         // a line of an arc with Known
	TakenRole         // a heavy line, for a route that was taken
	OverrideRole      // a dotted line, for a route that a person chose
	FocusRole         // a line from or to the row in focus
)

// cross is a cell with lines from its middle to its sides.
type cross struct {
	up, right, down, left arm
	role                  Role
}

// arm is a line from the middle of a cell to one side. on says that it exists.
type arm struct {
	on     bool
	stroke Stroke
}

func (a *arm) add(s Stroke) {
	if !a.on || s > a.stroke {
		*a = arm{true, s}
	}
}

// Draw returns the cells of a number of rows, beginning with row from. focus is the row in focus, -1 for
// none.
func (r *Rail) Draw(from, rows, focus int) [][]Cell {
	w := r.with(focus)
	out := make([][]Cell, 0, rows)
	for y := from; y < from+rows && y < r.rows; y++ {
		out = append(out, w.row(y, focus))
	}
	return out
}

// row returns the cells of one row: the lanes, the place of arrow heads, the spine.
func (r *Rail) row(y, focus int) []Cell {
	line := make([]cross, r.Width())
	arrow := false
	for _, s := range r.spans {
		if y < s.min || y > s.max {
			continue
		}
		for _, a := range s.arcs {
			r.arc(line, y, s.lane, a, focus)
			arrow = arrow || a.To == y
		}
	}
	r.spineAt(line, y, focus)
	out := make([]Cell, len(line))
	for x, c := range line {
		out[x] = Cell{c.rune(), c.role}
	}
	if arrow {
		out[len(out)-2].Rune = '▸'
	}
	return out
}

// arc adds the part of an arc in a row: a piece of its lane and, at its ends, the line from the lane to the
// row.
func (r *Rail) arc(line []cross, y, lane int, a Arc, focus int) {
	top, bottom := min(a.From, a.To), max(a.From, a.To)
	if y < top || y > bottom {
		return
	}
	role := a.role(focus)
	at := &line[lane]
	at.role = max(at.role, role)
	if y > top {
		at.up.add(a.Stroke)
	}
	if y < bottom {
		at.down.add(a.Stroke)
	}
	if y > top && y < bottom {
		return
	}
	at.right.add(a.Stroke)
	for x := lane + 1; x < len(line)-1; x++ {
		line[x].left.add(a.Stroke)
		line[x].right.add(a.Stroke)
		line[x].role = max(line[x].role, role)
	}
}

// spineAt adds the part of the spine in a row.
func (r *Rail) spineAt(line []cross, y, focus int) {
	at := &line[len(line)-1]
	if y > 0 && r.down[y-1].To >= 0 && (r.down[y-1].To == y || r.groups[y]) {
		at.up.add(r.down[y-1].Stroke)
		at.role = max(at.role, r.down[y-1].role(focus))
	}
	if a := r.down[y]; a.To >= 0 {
		at.down.add(a.Stroke)
		at.role = max(at.role, a.role(focus))
	}
}

func (a Arc) role(focus int) Role {
	switch {
	case a.From == focus || a.To == focus:
		return FocusRole
	case a.Stroke == Dotted:
		return OverrideRole
	case a.Stroke == Heavy:
		return TakenRole
	case a.Known:
		return KnownRole
	}
	return PlainRole
}

// boxes holds the box-drawing characters by the weights of their arms: up, right, down and left, each none,
// light or heavy.
var boxes = []rune(" ╴╸╷┐┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// rune returns the character with the cell's arms. A dotted line is dotted where it is straight and meets
// no other line.
func (c cross) rune() rune {
	dotted, n := true, 0
	for _, a := range []arm{c.up, c.right, c.down, c.left} {
		n *= 3
		if a.on {
			n++
			dotted = dotted && a.stroke == Dotted
			if a.stroke == Heavy {
				n++
			}
		}
	}
	switch ch := boxes[n]; {
	case dotted && ch == '│':
		return '┊'
	case dotted && ch == '─':
		return '┈'
	default:
		return ch
	}
}
