package rail

// Cell is one cell of a drawing.
type Cell struct {
	Rune rune
	Ink  Ink
}

// Ink is the part that a cell plays. Of two in one cell the last of these wins.
type Ink int

// The inks.
const (
	PlainInk    Ink = iota
	KnownInk        // of an arc that is said to be
	TakenInk        // a heavy line
	OverrideInk     // a dotted one
	FocusInk        // a line from or to the row in focus
)

// cross is a cell with its arms.
type cross struct {
	up, right, down, left arm
	ink                   Ink
}

// arm is a line from the middle of a cell to a side of it; on says that there is one.
type arm struct {
	on     bool
	stroke Stroke
}

func (a *arm) add(s Stroke) {
	if !a.on || s > a.stroke {
		*a = arm{true, s}
	}
}

// Draw draws rows from one on, seen with a row in focus; -1: none has it.
func (r *Rail) Draw(from, rows, focus int) [][]Cell {
	w := r.with(focus)
	out := make([][]Cell, 0, rows)
	for y := from; y < from+rows && y < r.rows; y++ {
		out = append(out, w.row(y, focus))
	}
	return out
}

// row is the cells of one row: the lanes, the place of arrow heads, the spine.
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
		out[x] = Cell{c.rune(), c.ink}
	}
	if arrow {
		out[len(out)-2].Rune = '▸'
	}
	return out
}

// arc adds what an arc has in a row: a piece of its lane, and at its ends the way from
// there to the row.
func (r *Rail) arc(line []cross, y, lane int, a Arc, focus int) {
	top, bottom := min(a.From, a.To), max(a.From, a.To)
	if y < top || y > bottom {
		return
	}
	ink := a.ink(focus)
	at := &line[lane]
	at.ink = max(at.ink, ink)
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
		line[x].ink = max(line[x].ink, ink)
	}
}

// spineAt adds the spine's pieces in a row.
func (r *Rail) spineAt(line []cross, y, focus int) {
	at := &line[len(line)-1]
	if y > 0 && r.down[y-1].To >= 0 && (r.down[y-1].To == y || r.groups[y]) {
		at.up.add(r.down[y-1].Stroke)
		at.ink = max(at.ink, r.down[y-1].ink(focus))
	}
	if a := r.down[y]; a.To >= 0 {
		at.down.add(a.Stroke)
		at.ink = max(at.ink, a.ink(focus))
	}
}

func (a Arc) ink(focus int) Ink {
	switch {
	case a.From == focus || a.To == focus:
		return FocusInk
	case a.Stroke == Dotted:
		return OverrideInk
	case a.Stroke == Heavy:
		return TakenInk
	case a.Known:
		return KnownInk
	}
	return PlainInk
}

// boxes are the box-drawing characters by the weight of their arms: up, right, down
// and left, each none, light or heavy.
var boxes = []rune(" ╴╸╷┐┑╻┒┓╶─╾╭┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪╰┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// rune is the character with the cell's arms. A dotted line is dotted where it is
// straight and alone.
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
