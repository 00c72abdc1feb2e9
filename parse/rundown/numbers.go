package rundown

import "fmt"

// index finds steps by their ids as written.
type index struct {
	steps map[string]*unit
	subs  map[*unit]map[string]*unit
	loop  *unit // the {N} step
}

// numbers checks the ids of steps (spec §3.3) and substeps (§3.4) and indexes
// them. Units without id take no part.
func (d *document) numbers() index {
	x := index{steps: make(map[string]*unit, len(d.steps)), subs: make(map[*unit]map[string]*unit, len(d.steps))}
	last, mixed := 0, false
	var counted *unit // the first static step
	for _, s := range d.steps {
		switch s.kind {
		case static:
			if last++; s.number != last {
				d.add(s.at, finding{"step-sequence", fmt.Sprintf("step %s stands where step %d belongs", s.id, last),
					"number the steps 1, 2, 3 … in the order of the file"})
				last = s.number
			}
			if counted == nil {
				counted = s
			}
		case dynamic:
			if x.loop != nil {
				d.add(s.at, finding{"step-multi-dynamic", fmt.Sprintf("a second {N} step; the first is on line %d", d.lineOf(x.loop)),
					"make it a substep or a named step"})
			} else {
				x.loop = s
			}
		case named:
			if first := x.steps[s.id]; first != nil {
				d.add(s.at, finding{"step-duplicate-name", fmt.Sprintf("a second step of the name %s; the first is on line %d", s.id, d.lineOf(first)),
					"give it another name"})
			}
		}
		if counted != nil && x.loop != nil && !mixed {
			mixed = true
			d.add(s.at, finding{"step-mix", fmt.Sprintf("%s: a document has either numbered steps or one {N} step", s.name()),
				"make the others named steps or substeps"})
		}
		x.add(s)
		d.substeps(s, x)
	}
	return x
}

func (x index) add(s *unit) {
	if s.kind != broken && x.steps[s.id] == nil {
		x.steps[s.id] = s
	}
}

func (d *document) lineOf(u *unit) int { return d.src.line(u.at) + 1 }

// substeps checks the ids within one step.
func (d *document) substeps(s *unit, x index) {
	if len(s.subs) == 0 {
		return
	}
	ids := make(map[string]*unit, len(s.subs))
	x.subs[s] = ids
	last, mixed := 0, false
	var loop, other *unit
	for _, u := range s.subs {
		if u.kind == broken || s.kind == broken {
			continue
		}
		first := ids[u.id]
		switch {
		case u.heading.parent != s.id:
			d.add(u.at, finding{"substep-parent", fmt.Sprintf("substep %s stands in step %s", u.fullID(), s.id),
				fmt.Sprintf("write ### %s.%s, or move it to its step", s.id, u.id)})
			if u.kind == static {
				last = u.number
			}
			continue
		case first != nil:
			d.add(u.at, finding{"substep-duplicate", fmt.Sprintf("a second substep %s; the first is on line %d", u.fullID(), d.lineOf(first)),
				"give it another number or name"})
			continue
		}
		ids[u.id] = u
		if u.kind == dynamic {
			loop = u
		} else {
			other = u
		}
		if loop != nil && other != nil {
			if !mixed {
				d.add(u.at, finding{"substep-mix", fmt.Sprintf("%s: a step has either one {n} substep or others", u.name()),
					"make them two steps"})
			}
			mixed = true
			continue
		}
		if u.kind == static {
			if last++; u.number != last {
				d.add(u.at, finding{"substep-sequence", fmt.Sprintf("substep %s stands where %s.%d belongs", u.fullID(), s.id, last),
					"number the substeps 1, 2, 3 … in the order of the step"})
				last = u.number
			}
		}
	}
}
