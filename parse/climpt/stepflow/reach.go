package stepflow

import "fmt"

// check looks at the flow as a whole: targets, what is reached, whether it can end.
func (d *flow) check() {
	for _, s := range d.steps {
		d.targets(s.check.onPass)
		d.targets(s.check.onFail)
	}
	if d.byID[d.entry] == nil {
		return
	}
	d.reach(d.byID[d.entry])
	completes := false
	for _, s := range d.steps {
		if !s.reachable {
			d.Warn(s.Place(), "unreachable-step", fmt.Sprintf("no path leads from %s to %s", d.entry, s.id), "lead to it, or remove it")
			continue
		}
		completes = completes || s.completes()
	}
	if !completes {
		d.Error(d.Registry.At("steps"), "no-complete", "no step that is reached completes the flow", `add "complete": true to an onPass`)
	}
}

func (d *flow) targets(s side) {
	for _, key := range []string{"next", "fallback"} {
		if id := s.String(key); id != "" && d.byID[id] == nil {
			d.Error(s.At(key), "unknown-target", fmt.Sprintf("%s %q is no step", key, id), d.like())
		}
	}
}

// reach marks a step and those that it leads to.
func (d *flow) reach(from *step) {
	todo := []*step{from}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.reachable {
			continue
		}
		s.reachable = true
		for _, side := range []side{s.check.onPass, s.check.onFail} {
			for _, id := range []string{side.next, side.fallback} {
				if t := d.byID[id]; t != nil {
					todo = append(todo, t)
				}
			}
		}
	}
}

// completes reports whether the flow can complete here: an empty onPass does.
func (s *step) completes() bool {
	return s.checked && (s.check.onPass.complete || s.check.onPass.none() || s.check.onFail.complete)
}
