// Package sidebyside draws a comparison of two runs: their visits in two columns, and the differences.
package sidebyside

import (
	"fmt"

	"playhead/engine/compare"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// View shows two runs side by side: the first one left, the other right, and below them the details of the
// selected item, which scroll.
type View struct {
	c     *compare.Comparison
	items []specialRow
	at    int // the selected item
	top   int // the first item in sight
	rows  int // how many items are in sight
	texts map[int]texts
	list.Scroller
}

// texts are the texts of a pair that differ, or why they cannot be read.
type texts struct {
	differ []compare.Text
	err    error
}

// A specialRow is an item of the list: the index of a pair of visits, or one of the constants below.
type specialRow int

const (
	divergesHere specialRow = -1 // where the paths diverge
	ends         specialRow = -2 // how the runs ended
)

// New returns a view of a comparison. It selects where the paths diverge, else the first difference.
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

// Overflow returns how many items are out of sight.
func (v *View) Overflow() panes.Overflow {
	return panes.OutsideList(headLines, v.top, v.rows, len(v.items))
}

// add appends an item. It selects the divergence.
func (v *View) add(it specialRow) {
	if it == divergesHere {
		v.at = len(v.items)
	}
	v.items = append(v.items, it)
}

// differs reports whether the runs differ in an item.
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

// Seek selects the next item that differs, above (-1) or below (1). It reports whether there is one.
func (v *View) Seek(by int) bool {
	for i := v.at + by; i >= 0 && i < len(v.items); i += by {
		if v.differs(v.items[i]) {
			v.choose(i)
			return true
		}
	}
	return false
}

// choose selects an item, and shows its details from their beginning.
func (v *View) choose(i int) {
	v.at, v.Scroller.Top = max(0, min(i, len(v.items)-1)), 0
}

// Move selects the item that is by lines below the selected one, or above it if by is negative.
func (v *View) Move(by int) { v.choose(v.at + by) }

// UnreadPair returns the index of the selected pair if its texts differ and have not been read.
func (v *View) UnreadPair() (pair int, unread bool) {
	i := int(v.items[v.at])
	if i < 0 || len(v.c.Pairs[i].Differs) == 0 {
		return 0, false
	}
	_, read := v.texts[i]
	return i, !read
}

// SetTexts stores the texts of a pair that differ, or why they cannot be read.
func (v *View) SetTexts(pair int, differ []compare.Text, err error) {
	v.texts[pair] = texts{differ, err}
}

// Title returns the title of the view, with counts of equal and different visits.
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

// verdict returns whether the paths of the runs differ, in a few words.
func (v *View) verdict() string {
	switch p := v.c.Divergence; {
	case p == nil && v.c.RunBehind() != "":
		return "the same path, as far as " + draw.Clean(v.c.RunBehind()) + " has got"
	case p == nil:
		return "the same path"
	}
	return "diverge " + v.place()
}

// place returns where the paths diverge: at the step whose decisions differ, else after the last step of both.
func (v *View) place() string {
	p := v.c.Divergence
	a, b := p.A.DecidingDecisions(), p.B.DecidingDecisions()
	switch {
	case len(a) > 0 && len(b) > 0 && a[0].Step == b[0].Step:
		return "at " + draw.Clean(a[0].Step)
	case p.After == 0:
		return "at the start"
	}
	return "after " + draw.Clean(v.c.Pairs[p.After-1].A.Step)
}

// Click selects the item on a line of the view.
func (v *View) Click(y int) {
	if i := v.top + y - headLines; y >= headLines && i < min(v.top+v.rows, len(v.items)) {
		v.choose(i)
	}
}
