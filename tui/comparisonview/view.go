// Package comparisonview draws a comparison of two runs: their attempts in two columns, and the differences.
package comparisonview

import (
	"fmt"
	"strings"

	"playhead/engine/compare"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// View shows two runs side by side: the first one left, the other right, and below them the details of the
// selected item, which scroll.
type View struct {
	comparison   *compare.Comparison
	items        []listItem
	selectedItem int // an index of items
	firstVisible int // the index of the first item in sight
	visibleCount int // how many items are in sight
	textsByPair  map[int]pairTexts

	detailFirstRow, detailHeight int // the place of the details in the last frame
	list.Scroller
}

// pairTexts are the texts of a pair that differ, or why they cannot be read.
type pairTexts struct {
	differingTexts []compare.TextDifference
	err            error
}

// listItem is an item of the list: the index of a pair of attempts, or one of the constants below.
type listItem int

const (
	divergenceItem listItem = -1 // where the paths diverge
	endsItem       listItem = -2 // how the runs ended
)

// New returns a view of a comparison. It selects where the paths diverge, else the first difference.
func New(c *compare.Comparison) *View {
	v := &View{comparison: c, textsByPair: map[int]pairTexts{}, selectedItem: -1}
	for i := range c.Pairs {
		if c.Divergence != nil && c.Divergence.CommonPairCount == i {
			v.addItem(divergenceItem)
		}
		v.addItem(listItem(i))
	}
	if c.Divergence != nil && c.Divergence.CommonPairCount == len(c.Pairs) {
		v.addItem(divergenceItem)
	}
	v.addItem(endsItem)
	if c.Divergence == nil && !v.SelectNextDifference(1) {
		v.selectedItem = len(v.items) - 1
	}
	return v
}

// Overflow returns how many items are out of sight, and how many lines of the details.
func (v *View) Overflow() layout.Overflow {
	o, details := layout.ListOverflow(headerLineCount, v.firstVisible, v.visibleCount, len(v.items)), v.Scroller.Overflow()
	details.ListFirstRow, details.ListHeight = v.detailFirstRow, v.detailHeight
	o.BelowList = &details
	return o
}

// addItem appends an item. It selects the divergence.
func (v *View) addItem(it listItem) {
	if it == divergenceItem {
		v.selectedItem = len(v.items)
	}
	v.items = append(v.items, it)
}

// itemDiffers reports whether the runs differ in an item.
func (v *View) itemDiffers(it listItem) bool {
	switch it {
	case divergenceItem:
		return true
	case endsItem:
		return len(v.comparison.EndDifferences)+len(v.comparison.DifferingVariables) > 0
	}
	p := v.comparison.Pairs[it]
	return p.A == nil || p.B == nil || len(p.Differences) > 0
}

// SelectNextDifference selects the next item that differs, above (-1) or below (1). It reports whether
// there is one.
func (v *View) SelectNextDifference(by int) bool {
	i := v.nextDifference(by)
	if i >= 0 {
		v.selectItem(i)
	}
	return i >= 0
}

// HasNextDifference reports whether an item above (-1) or below (1) differs.
func (v *View) HasNextDifference(by int) bool { return v.nextDifference(by) >= 0 }

// nextDifference returns the index of the next item that differs, above (-1) or below (1); -1 if there is none.
func (v *View) nextDifference(by int) int {
	for i := v.selectedItem + by; i >= 0 && i < len(v.items); i += by {
		if v.itemDiffers(v.items[i]) {
			return i
		}
	}
	return -1
}

// selectItem selects an item, and shows its details from their beginning.
func (v *View) selectItem(i int) {
	v.selectedItem, v.Scroller.TopLine = max(0, min(i, len(v.items)-1)), 0
}

// MoveSelection selects the item that is by lines below the selected one, or above it if by is negative.
func (v *View) MoveSelection(by int) { v.selectItem(v.selectedItem + by) }

// UnreadPair returns the index of the selected pair if its texts differ and have not been read.
func (v *View) UnreadPair() (pair int, unread bool) {
	i := int(v.items[v.selectedItem])
	if i < 0 || len(v.comparison.Pairs[i].Differences) == 0 {
		return 0, false
	}
	_, read := v.textsByPair[i]
	return i, !read
}

// SetTexts stores the texts of a pair that differ, or why they cannot be read.
func (v *View) SetTexts(pair int, differ []compare.TextDifference, err error) {
	v.textsByPair[pair] = pairTexts{differ, err}
}

// Title returns the title of the view, with counts of equal and different attempts.
func (v *View) Title(dc *draw.Context) layout.PaneTitle {
	var same, different, left, right int
	for _, p := range v.comparison.Pairs {
		switch {
		case p.A == nil:
			right++
		case p.B == nil:
			left++
		case len(p.Differences) > 0:
			different++
		default:
			same++
		}
	}
	var facts []string
	for _, fact := range []struct {
		count int
		text  string
	}{{same, "same"}, {different, "different"}, {left, "only in " + draw.CleanLine(v.comparison.A.ID)}, {right, "only in " + draw.CleanLine(v.comparison.B.ID)}} {
		if fact.count > 0 {
			facts = append(facts, fmt.Sprintf("%d %s", fact.count, fact.text))
		}
	}
	return layout.PaneTitle{Left: "COMPARE · " + v.pathVerdict(), Right: dc.Muted.Paint(strings.Join(facts, " · ")), IsLeftWhole: true}
}

// pathVerdict returns whether the paths of the runs differ, in a few words.
func (v *View) pathVerdict() string {
	if v.comparison.Divergence == nil {
		return draw.CleanLine(v.comparison.SamePathText())
	}
	return "paths diverge " + v.divergencePlace()
}

// divergencePlace returns where the paths diverge: at the step whose decisions differ, else after the last
// step of both.
func (v *View) divergencePlace() string {
	p := v.comparison.Divergence
	a, b := p.A.DecidingDecisions(), p.B.DecidingDecisions()
	switch {
	case len(a) > 0 && len(b) > 0 && a[0].Step == b[0].Step:
		return "at step " + draw.CleanLine(a[0].Step)
	case p.CommonPairCount == 0:
		return "at the start"
	}
	return "after step " + draw.CleanLine(v.comparison.Pairs[p.CommonPairCount-1].A.Step)
}

// Click selects the item on a line of the view.
func (v *View) Click(y int) {
	if i := v.firstVisible + y - headerLineCount; y >= headerLineCount && i < min(v.firstVisible+v.visibleCount, len(v.items)) {
		v.selectItem(i)
	}
}
