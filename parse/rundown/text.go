package rundown

import (
	"strings"

	"playhead/parse/plan"
)

// text returns the text to show for a unit (spec §3.8): the visible parts of its source, joined
// with empty lines. {N} and {n} are references in prompt text, and literal in verbatim blocks.
func (l *lowering) text(u *section) plan.Prompt {
	c := l.collector(u, l.d.src.str)
	shows := u.shows()
	end := -1 // of the slice that the next element may continue
	for i := range u.elements {
		e := &u.elements[i]
		if !e.isShown || e == shows {
			end = -1
			continue
		}
		from, to := l.d.src.bounds(e.first, e.last)
		if end >= 0 {
			c.literal(end, from)
		} else if c.started() {
			c.write("\n\n")
		}
		if e.literal {
			c.literal(from, to)
		} else {
			c.referring(from, to)
		}
		end = to
	}
	return c.prompt()
}

// titlePrompt returns a unit's title with its references, nil if it has none (spec §3.8).
func (l *lowering) titlePrompt(u *section) plan.Prompt {
	c := l.collector(u, u.title)
	c.referring(0, len(u.title))
	c.flush()
	for _, p := range c.out {
		if p.Instance != "" {
			return c.out
		}
	}
	return nil
}

// collector returns a collector in which placeholders have their meaning in the unit.
func (l *lowering) collector(u *section, text string) collector {
	c := collector{str: text, loop: l.loop}
	if u.parent != nil && u.kind == dynamic {
		c.own = u.fullID()
	}
	return c
}

// collector joins slices of the source into a Text.
type collector struct {
	str      string
	loop     bool   // there is a {N} step, so {N} is a reference
	own      string // the substep whose instance {n} is, "" if {n} is literal
	out      plan.Text
	lit      []byte // the text after the last reference,
	from, to int    // and after that a slice of str that is not copied yet
}

func (c *collector) started() bool { return len(c.out) > 0 || len(c.lit) > 0 || c.to > c.from }

// write adds text that is not in the source.
func (c *collector) write(s string) {
	c.lit = append(append(c.lit, c.str[c.from:c.to]...), s...)
	c.from, c.to = 0, 0
}

// literal adds a slice of the source. A single slice is not copied.
func (c *collector) literal(from, to int) {
	switch {
	case c.from == c.to:
		c.from, c.to = from, to
	case c.to == from:
		c.to = to
	default:
		c.write(c.str[from:to])
	}
}

// referring adds a slice in which placeholders are references.
func (c *collector) referring(from, to int) {
	for c.loop || c.own != "" {
		at := strings.IndexByte(c.str[from:to], '{')
		if at < 0 {
			break
		}
		at += from
		name := c.str[at:min(to, at+len("{N}"))]
		step := c.step(name)
		if step == "" {
			c.literal(from, at+1)
			from = at + 1
			continue
		}
		c.literal(from, at)
		c.flush()
		c.out = append(c.out, plan.Piece{Literal: name, Instance: step})
		from = at + len(name)
	}
	c.literal(from, to)
}

// step returns the step whose instance a placeholder shows, "" if it is literal.
func (c *collector) step(placeholder string) string {
	switch {
	case placeholder == "{N}" && c.loop:
		return "{N}"
	case placeholder == "{n}":
		return c.own
	}
	return ""
}

// flush turns the text since the last reference into a piece.
func (c *collector) flush() {
	s := c.str[c.from:c.to]
	if len(c.lit) > 0 {
		s = string(append(c.lit, s...))
	}
	if s != "" {
		c.out = append(c.out, plan.Piece{Literal: s})
	}
	c.lit, c.from, c.to = nil, 0, 0
}

func (c *collector) prompt() plan.Prompt {
	for c.to > c.from && strings.IndexByte(" \t\n", c.str[c.to-1]) >= 0 {
		c.to--
	}
	c.flush()
	if len(c.out) == 0 {
		return nil
	}
	return c.out
}

// label returns the unit's ID with its instance numbers, nil if it has none.
func (u *section) label() plan.Prompt {
	var t plan.Text
	if u.step().kind == dynamic {
		t = append(t, plan.Piece{Literal: "{N}", Instance: "{N}"})
	}
	switch {
	case u.parent == nil && t == nil, u.kind == broken:
		return nil
	case u.parent == nil:
		return t
	case t == nil && u.kind != dynamic:
		return nil
	case t == nil:
		t = append(t, plan.Piece{Literal: u.parent.id})
	}
	if u.kind == dynamic {
		return append(t, plan.Piece{Literal: "."}, plan.Piece{Literal: "{n}", Instance: u.fullID()})
	}
	return append(t, plan.Piece{Literal: "." + u.id})
}
