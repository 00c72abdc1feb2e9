package rundown

import (
	"bytes"

	"playhead/parse/plan"
)

// text is what is shown of a unit (spec §3.8): the source of its content without
// what is hidden, the slices joined with an empty line. In prompt text {N} and
// {n} are references; verbatim blocks stay literal.
func (l *lowering) text(u *unit) plan.Prompt {
	c := collector{refs: l.references(u)}
	shows := u.shows()
	end := -1 // of the slice that the next element may go on with
	for i := range u.elements {
		e := &u.elements[i]
		if !e.shown || e == shows {
			end = -1
			continue
		}
		from, to := l.d.src.bounds(e.first, e.last)
		if end >= 0 {
			c.literal(l.d.src.text[end:from])
		} else if c.started() {
			c.literal([]byte("\n\n"))
		}
		if e.literal {
			c.literal(l.d.src.text[from:to])
		} else {
			c.referring(l.d.src.text[from:to])
		}
		end = to
	}
	return c.prompt()
}

// references are the placeholders that mean something in a unit, with the step
// whose instance they show.
func (l *lowering) references(u *unit) map[string]string {
	refs := map[string]string{}
	if l.loop {
		refs["{N}"] = "{N}"
	}
	if u.parent != nil && u.kind == dynamic {
		refs["{n}"] = u.fullID()
	}
	return refs
}

// collector joins slices of the source into a Text.
type collector struct {
	refs map[string]string
	out  plan.Text
	lit  []byte // behind the last reference
}

func (c *collector) started() bool { return len(c.out) > 0 || len(c.lit) > 0 }

func (c *collector) literal(s []byte) { c.lit = append(c.lit, s...) }

// referring adds text in which placeholders are references.
func (c *collector) referring(s []byte) {
	for len(c.refs) > 0 {
		at := bytes.IndexByte(s, '{')
		if at < 0 {
			break
		}
		name := string(s[at:min(len(s), at+len("{N}"))])
		step, ok := c.refs[name]
		if !ok {
			c.literal(s[:at+1])
			s = s[at+1:]
			continue
		}
		c.literal(s[:at])
		c.flush()
		c.out = append(c.out, plan.Piece{Literal: name, Instance: step})
		s = s[at+len(name):]
	}
	c.literal(s)
}

func (c *collector) flush() {
	if len(c.lit) > 0 {
		c.out = append(c.out, plan.Piece{Literal: string(c.lit)})
		c.lit = nil
	}
}

func (c *collector) prompt() plan.Prompt {
	c.lit = bytes.TrimRight(c.lit, " \t\n")
	c.flush()
	if len(c.out) == 0 {
		return nil
	}
	return c.out
}

// label is the unit's id with its instance numbers, nil where it has none.
func (u *unit) label() plan.Prompt {
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
