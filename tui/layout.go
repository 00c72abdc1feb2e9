package tui

// pane names a part of the screen. Its number is its key.
type pane int

const (
	nowhere pane = iota
	treePane
	detailPane
	outputPane
	whyPane
	cardPane
)

// The smallest screen that is drawn, and where the layouts change.
const (
	minWidth, minHeight = 60, 16
	mediumWidth         = 70
	wideWidth           = 110
	splitHeight         = 20
)

// shape is an arrangement of panes.
type shape int

const (
	tiny   shape = iota // nothing fits
	narrow              // one pane at a time
	medium              // tree and right column, WHY folded to its title
	wide                // everything
)

// rect is the place of a pane's lines. Its title is on the line above.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool {
	return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h
}

// empty reports whether nothing shows there: a pane that is not on the screen.
func (r rect) empty() bool { return r.w <= 0 || r.h <= 0 }

// layout says where everything is on a screen of w × h.
type layout struct {
	shape shape
	w, h  int
	left  int // width of the tree's column, without borders
	right int // width of the right column
	panes [cardPane + 1]rect
	whyUp bool // the WHY pane shows its lines, not only its title
	bare  bool // the text has the room of the output, but for what says that there is none
	share int  // the height of the text, before it lends lines to the output
	spare int  // how many lines it lends
	term  rect // the place of output in the usual shares: what commands see as their terminal
}

// wish is what the screen is to show.
type wish struct {
	focus pane
	card  int  // how many lines the card wants, 0 for none
	tall  bool // it may take the place of the output
	whole bool // it takes the whole screen
	zoom  bool // the pane with focus alone
	stage bool // it is shown to others
	bare  bool // there is no output: no room for it, or with focus as much as saying so takes
	text  int  // how many lines the text has
	lines int  // and the output
	sheet bool // WHY shows something that was asked for: values, or the timeline
	split Split
}

func shapeOf(w, h int) shape {
	switch {
	case w < minWidth || h < minHeight:
		return tiny
	case w < mediumWidth || h < splitHeight:
		return narrow
	case w < wideWidth:
		return medium
	}
	return wide
}

// arrange places the panes.
func arrange(w, h int, want wish) layout {
	l := layout{shape: shapeOf(w, h), w: w, h: h, bare: want.bare}
	alone := want.whole || want.zoom && want.focus != cardPane || want.split.treeAlone() && want.card == 0
	switch {
	case l.shape == tiny:
	case want.stage:
		l.shape = narrow
		l.alone(want.focus, stageBox(w, h))
	case l.shape == narrow, alone:
		small := l.shape == narrow
		l.shape = narrow
		l.alone(want.focus, rect{2, 2, w - 4, h - 3})
		if small && want.focus == treePane {
			l.foot()
		}
	default:
		l.columns(want)
	}
	return l
}

// alone gives all the room there is to the pane with focus.
func (l *layout) alone(focus pane, box rect) {
	l.left, l.right = 0, l.w-2
	l.panes[focus] = box
	l.term = box
	l.whyUp = true
}

// foot keeps the last line below the steps for the title of WHY.
func (l *layout) foot() {
	box := &l.panes[treePane]
	box.h--
	l.panes[whyPane] = rect{box.x, box.y + box.h + 1, box.w, 0}
	l.whyUp = false
}

// columns puts the tree left, and right the text above the output above WHY or
// the card.
func (l *layout) columns(want wish) {
	l.left = want.split.left(l.w)
	x := l.left + 3
	if l.left == 0 {
		x, l.right = 2, l.w-2
	} else {
		l.right = l.w - 3 - l.left
		l.panes[treePane] = rect{2, 2, l.left - 2, l.h - 3}
	}
	l.stack(x, want)
}

// stack puts text, output and WHY or the card below each other.
func (l *layout) stack(x int, want wish) {
	body := l.h - 2
	top := want.split.top(body)
	rest := body - top
	bottom := l.bottom(rest, want)
	place := func(y, h int) rect { return rect{x, 1 + y + 1, l.right - 2, h - 1} } // with its title

	text, output, low := place(0, top), rest-bottom, place(top, rest)
	if output >= leastOutput {
		l.term, low = place(top, output), place(top+output, bottom)
	} else {
		output = 0
	}
	switch gone := want.split.hides(outputPane); {
	case output == 0:
	case top > 0 && want.bare && want.focus == outputPane:
		spare := max(0, output-emptyOutput)
		text.h += spare
		l.panes[outputPane] = place(top+spare, output-spare)
	case top > 0 && (want.bare || gone):
		text.h += output
	case !gone:
		l.panes[outputPane] = l.term
	}
	if top > 0 {
		l.panes[detailPane], l.share = text, text.h
		l.lend(want)
	}
	switch {
	case want.card > 0:
		l.panes[cardPane] = low
	case low.h >= 0:
		l.panes[whyPane] = low
		l.whyUp = low.h > 0
	}
}

// lend gives the lines that a short text does not need to an output that is too long for
// its own, unless a person has divided the two.
func (l *layout) lend(want wish) {
	if want.split.Text > 0 || l.panes[outputPane].empty() {
		return
	}
	l.spare = l.spareFor(want.text, want.lines)
	l.panes[detailPane].h -= l.spare
	l.panes[outputPane].y -= l.spare
	l.panes[outputPane].h += l.spare
}

// spareFor is how many lines there are to lend, with so many lines of text and of output.
func (l layout) spareFor(text, lines int) int {
	if lines <= l.term.h {
		return 0
	}
	return max(0, l.share-max(leastText, text))
}

// leastOutput is how many lines the output has at least, with its title. Where there is
// less room it gives way.
const leastOutput = 3

// emptyOutput is how many lines the output has, with its title, where there is none and
// it has the focus.
const emptyOutput = 4

// bottom is the height of the lower right, with its title.
func (l *layout) bottom(rest int, want wish) int {
	low := want.split.low(l.h - 2)
	switch {
	case want.split.hides(detailPane) && want.split.hides(outputPane):
		return rest
	case want.card > 0 && want.tall:
		return min(want.card+1, rest)
	case want.card > 0:
		return min(want.card+1, max(rest-4, rest*2/3))
	case want.split.hides(whyPane):
		return 0
	case l.shape != wide && want.focus != whyPane && !want.sheet:
		return 1
	case low > 0:
		return 1 + min(low, max(leastWhy, rest-1-leastOutput))
	}
	return 1 + min(max(3, rest/3), 9)
}

// at is the pane under a place on the screen. A title belongs to its pane.
func (l layout) at(x, y int) pane {
	for p := treePane; p <= cardPane; p++ {
		r := l.panes[p]
		if r.w > 0 && r.holds(x, max(y, r.y)) && y >= r.y-1 {
			return p
		}
	}
	return nowhere
}
