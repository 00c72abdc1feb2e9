// Package sidebyside draws a comparison of two runs: their visits in two columns, and what is
// not the same in them.
package sidebyside

import (
	"fmt"

	"playhead/engine/compare"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// View is two runs side by side: the first one left, the other right, and below them what
// there is to say of what is selected, which scrolls.
type View struct {
	c     *compare.Comparison
	items []specialRow
	at    int // the item that is selected
	top   int // the first in sight
	rows  int // how many are
	texts map[int]texts
	list.Scroller
}

// texts are those of a pair that differ, or why they cannot be read.
type texts struct {
	differ []compare.Text
	err    error
}

// A line of the list is a pair of visits, by its number, or one of these.
type specialRow int

const (
	divergesHere specialRow = -1 // where the paths diverge
	ends         specialRow = -2 // how the runs ended
)

// New shows a comparison. What one looks for is selected: where the paths diverge, else what
// differs first.
func New(c *compare.Comparison) *View {
	v := &View{c: c, texts: map[int]texts{}, at: -1}
	for i := range c.Pairs {
		if c.Divergence != nil && c.Divergence.After == i {
			v.add(divergesHere)
		}
		v.add(specialRow(i))
	}
	if c.Divergence != nil && c.Divergence.After == len(c.Pairs) {
		v.add(divergesHere)
	}
	v.add(ends)
	if c.Divergence == nil && !v.Seek(1) {
		v.at = len(v.items) - 1
	}
	return v
}

// Overflow is how many items are out of sight.
func (v *View) Overflow() panes.Overflow {
	return panes.OutsideList(headLines, v.top, v.rows, len(v.items))
}

// add appends an item; the divergence is selected.
func (v *View) add(it specialRow) {
	if it == divergesHere {
		v.at = len(v.items)
	}
	v.items = append(v.items, it)
}

// differs reports whether an item is one to look at.
func (v *View) differs(it specialRow) bool {
	switch it {
	case divergesHere:
		return true
	case ends:
		return len(v.c.Ends)+len(v.c.Values) > 0
	}
	p := v.c.Pairs[it]
	return p.A == nil || p.B == nil || len(p.Differs) > 0
}

// Seek selects the next item that differs, above (-1) or below (1); false: there is none.
func (v *View) Seek(by int) bool {
	for i := v.at + by; i >= 0 && i < len(v.items); i += by {
		if v.differs(v.items[i]) {
			v.choose(i)
			return true
		}
	}
	return false
}

// choose selects an item, and shows what there is to say of it from its beginning.
func (v *View) choose(i int) {
	v.at, v.Scroller.Top = max(0, min(i, len(v.items)-1)), 0
}

// Move selects an item further down, or up.
func (v *View) Move(by int) { v.choose(v.at + by) }

// UnreadPair is the pair that is selected, by its number, if texts of it are to be read.
func (v *View) UnreadPair() (pair int, unread bool) {
	i := int(v.items[v.at])
	if i < 0 || len(v.c.Pairs[i].Differs) == 0 {
		return 0, false
	}
	_, read := v.texts[i]
	return i, !read
}

// Take takes over the texts of a pair that differ, or why they cannot be read.
func (v *View) Take(pair int, differ []compare.Text, err error) { v.texts[pair] = texts{differ, err} }

// Title says how alike the runs are.
func (v *View) Title(l *draw.Look) panes.Title {
	var alike, differ, left, right int
	for _, p := range v.c.Pairs {
		switch {
		case p.A == nil:
			right++
		case p.B == nil:
			left++
		case len(p.Differs) > 0:
			differ++
		default:
			alike++
		}
	}
	facts := fmt.Sprintf("%d alike · %d differ", alike, differ)
	if left+right > 0 {
		facts += fmt.Sprintf(" · -%d +%d", left, right)
	}
	return panes.Title{Left: "COMPARE · " + v.verdict(), Right: l.Muted.Paint(facts)}
}

// verdict is the comparison in a few words.
func (v *View) verdict() string {
	switch p := v.c.Divergence; {
	case p == nil && v.c.RunBehind() != "":
		return "the same path, as far as " + draw.Clean(v.c.RunBehind()) + " has got"
	case p == nil:
		return "the same path"
	case p.After == 0:
		return "diverge at the start"
	default:
		return "diverge after " + draw.Clean(v.c.Pairs[p.After-1].A.Step)
	}
}

// Click selects the item on a line of the view.
func (v *View) Click(y int) {
	if i := v.top + y - headLines; y >= headLines && i < min(v.top+v.rows, len(v.items)) {
		v.choose(i)
	}
}
