package rundown

import (
	"fmt"

	"playhead/parse/near"
)

// index finds steps by their IDs as written.
type index struct {
	steps map[string]*section
	names *near.Names // the steps that a target can name, in document order
	subs  map[*section]map[string]*section
	loop  *section // the {N} step
}

// numbers checks the IDs of steps (spec §3.3) and substeps (§3.4) and indexes them. Units without
// an ID are left out.
func (d *document) numbers() index {
	x := index{names: &near.Names{}, steps: make(map[string]*section, len(d.steps)), subs: make(map[*section]map[string]*section, len(d.steps))}
	count := counter{d: d}
	var counted *section // the first static step
	mixed := false
	for _, s := range d.steps {
		switch s.kind {
		case static:
			count.next(s)
			if counted == nil {
				counted = s
			}
		case dynamic:
			d.loop(s, &x)
		case named:
			if first := x.steps[s.id]; first != nil {
				d.add(s.at, finding{"step-duplicate-name", fmt.Sprintf("there is already a step %s on line %d", s.id, d.lineOf(first)),
					"give it another name"})
			}
		}
		if counted != nil && x.loop != nil && !mixed {
			mixed = true
			d.add(s.at, finding{"step-mix", fmt.Sprintf("%s: a document can have numbered steps or one {N} step, not both", s.name()),
				"make the others named steps or substeps"})
		}
		if s.kind != broken && x.steps[s.id] == nil {
			x.steps[s.id] = s
			x.names.All = append(x.names.All, s.id)
		}
		if s.kind != broken && len(s.subs) > 0 {
			x.subs[s] = d.substeps(s)
		}
	}
	return x
}

// loop records the {N} step, of which there may be only one.
func (d *document) loop(s *section, x *index) {
	if x.loop == nil {
		x.loop = s
		return
	}
	d.add(s.at, finding{"step-multi-dynamic", fmt.Sprintf("there is already a {N} step on line %d", d.lineOf(x.loop)),
		"make it a substep or a named step"})
}

func (d *document) lineOf(u *section) int { return d.src.line(u.at) + 1 }

// counter checks that numbers follow each other. After a wrong number, it continues from that
// number.
type counter struct {
	d    *document
	last int
}

func (c *counter) next(u *section) {
	if c.last++; u.number == c.last {
		return
	}
	code, place := "step-sequence", fmt.Sprintf("step %d", c.last)
	if u.parent != nil {
		code, place = "substep-sequence", fmt.Sprintf("%s.%d", u.parent.id, c.last)
	}
	c.d.add(u.at, finding{code, fmt.Sprintf("found %s where %s is expected", u.name(), place),
		"number them 1, 2, 3 … in the order of the file"})
	c.last = u.number
}

// substeps checks the IDs within one step, and returns the substeps by ID.
func (d *document) substeps(s *section) map[string]*section {
	ids := make(map[string]*section, len(s.subs))
	count := counter{d: d}
	mixed := false
	for _, u := range s.subs {
		first := ids[u.id]
		switch {
		case u.kind == broken:
		case u.heading.parent != s.id:
			d.add(u.at, finding{"substep-parent", fmt.Sprintf("%s is in step %s", u.name(), s.id),
				fmt.Sprintf("write ### %s.%s, or move it to its step", s.id, u.id)})
			if u.kind == static { // count it, so that the next ones are not reported
				count.last = u.number
			}
		case first != nil:
			d.add(u.at, finding{"substep-duplicate", fmt.Sprintf("there is already a %s on line %d", u.name(), d.lineOf(first)),
				"give it another number or name"})
		default:
			ids[u.id] = u
			if ids["{n}"] != nil && len(ids) > 1 {
				if !mixed {
					d.add(u.at, finding{"substep-mix", fmt.Sprintf("%s: a step can have one {n} substep or other substeps, not both", u.name()),
						"make them two steps"})
				}
				mixed = true
			} else if u.kind == static {
				count.next(u)
			}
		}
	}
	return ids
}
