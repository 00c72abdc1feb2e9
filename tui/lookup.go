package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// lookup is a name that is typed to find a step by.
type lookup struct {
	query   string
	editing bool
}

// key edits the name, and reports whether it is another one now.
func (f *lookup) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "esc", "ctrl+c":
		*f = lookup{}
	case "enter":
		f.editing = false
	case "backspace":
		if r := []rune(f.query); len(r) > 0 {
			f.query = string(r[:len(r)-1])
			return true
		}
	default:
		f.query += k.Text
		return k.Text != ""
	}
	return false
}

// finds reports whether a text has the name in it, in letters of any case.
func (f *lookup) finds(text string) bool {
	return f.query != "" && strings.Contains(strings.ToLower(text), strings.ToLower(f.query))
}

// search goes to the first row that fits, the selected one if it does.
func (c *routeMap) search(changed bool) {
	if changed {
		c.seek(0, 1)
	}
}

// match goes to the next row that fits, or the one before.
func (c *routeMap) match(forward bool) {
	if forward {
		c.seek(1, 1)
		return
	}
	c.seek(len(c.stops)-1, len(c.stops)-1)
}

// seek looks through all rows once, from some rows further on and by so many at a time.
func (c *routeMap) seek(from, by int) {
	n := len(c.stops)
	for i := range n {
		row := (c.sel + from + i*by) % n
		if !c.stops[row].holder && c.find.finds(c.called(row)) {
			c.pick(row, 1)
			return
		}
	}
}
