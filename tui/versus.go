package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// versus is the card that shows two runs side by side: this one left, the other right,
// and below them what there is to say of what is selected.
type versus struct {
	c     *compare.Comparison
	items []facing
	at    int // the item that is selected
	top   int // the first in sight
	rows  int // how many are
	texts map[int]textsMsg
	list.Scroller
}

// A line of the list is a pair of visits, by its number, or one of these.
type facing int

const (
	partsHere facing = -1 // where the paths part
	ends      facing = -2 // how the runs ended
)

// newVersus selects what one looks for: where the paths part, else what differs first.
func newVersus(c *compare.Comparison) *versus {
	v := &versus{c: c, texts: map[int]textsMsg{}, at: -1}
	for i := range c.Pairs {
		if c.Parting != nil && c.Parting.After == i {
			v.add(partsHere)
		}
		v.add(facing(i))
	}
	if c.Parting != nil && c.Parting.After == len(c.Pairs) {
		v.add(partsHere)
	}
	v.add(ends)
	if c.Parting == nil && !v.seek(1) {
		v.at = len(v.items) - 1
	}
	return v
}

// add appends an item; the parting is selected.
func (v *versus) add(it facing) {
	if it == partsHere {
		v.at = len(v.items)
	}
	v.items = append(v.items, it)
}

// differs reports whether an item is one to look at.
func (v *versus) differs(it facing) bool {
	switch it {
	case partsHere:
		return true
	case ends:
		return len(v.c.Ends)+len(v.c.Values) > 0
	}
	p := v.c.Pairs[it]
	return p.A == nil || p.B == nil || len(p.Differs) > 0
}

// seek goes to the next item that differs, in a direction; to none if there is none.
func (v *versus) seek(by int) bool {
	for i := v.at + by; i >= 0 && i < len(v.items); i += by {
		if v.differs(v.items[i]) {
			v.choose(i)
			return true
		}
	}
	return false
}

// choose selects an item, and shows what there is to say of it from its beginning.
func (v *versus) choose(i int) {
	v.at, v.Scroller.Top = max(0, min(i, len(v.items)-1)), 0
}

// ask reads the texts of the pair that is selected, if there are any to be read.
func (v *versus) ask() tea.Cmd {
	i, c := int(v.items[v.at]), v.c
	if i < 0 || len(c.Pairs[i].Differs) == 0 {
		return nil
	}
	if _, read := v.texts[i]; read {
		return nil
	}
	return func() tea.Msg {
		texts, err := c.Texts(c.Pairs[i])
		return textsMsg{c, i, texts, err}
	}
}

func (v *versus) title(l *look) panes.Title {
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
func (v *versus) verdict() string {
	switch p := v.c.Parting; {
	case p == nil && v.c.Short() != "":
		return "the same path, as far as " + draw.Clean(v.c.Short()) + " has got"
	case p == nil:
		return "the same path"
	case p.After == 0:
		return "they part at the start"
	default:
		return "they part after " + draw.Clean(v.c.Pairs[p.After-1].A.Step)
	}
}

func (v *versus) height(*look, int) int { return 1 }
func (v *versus) tall() bool            { return true }
func (v *versus) whole() bool           { return true }

func (v *versus) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	by, moves := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "home": -list.Far, "g": -list.Far, "end": list.Far, "G": list.Far,
	}[k.String()]
	switch key := k.String(); {
	case moves:
		v.choose(v.at + by)
	case key == "]" && !v.seek(1):
		m.say("Nothing differs below this.")
	case key == "[" && !v.seek(-1):
		m.say("Nothing differs above this.")
	case key == "]", key == "[", v.Scrolled(k):
	case key == "esc", key == "d":
		m.close(v)
		return nil, true
	default:
		return nil, false
	}
	return v.ask(), true
}

// click selects the item under the pointer.
func (v *versus) click(_, y int) {
	if i := v.top + y - versusHead; y >= versusHead && i < min(v.top+v.rows, len(v.items)) {
		v.choose(i)
	}
}

func (v *versus) hints(*Model) []draw.Hint {
	return []draw.Hint{draw.Press("↑↓", "select"), draw.Press("esc", "back"), draw.Press("]", "next difference"), draw.Press("PgDn", "more of it")}
}
