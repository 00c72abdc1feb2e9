package rundown

import (
	"fmt"
)

// checkTargets checks that the step of every GOTO exists (spec §5.5), and replaces a bare NEXT by the
// form that it stands for.
func (d *document) checkTargets(x index) {
	reached := map[*section]bool{} // steps to which a transition of another step leads
	d.each(func(u *section) {
		for i := range u.elements {
			if t := u.elements[i].move; t != nil {
				d.checkTarget(u, t, &t.do, x, reached)
			}
		}
	})
	for i, s := range d.steps {
		if s.kind == named && i > 0 && !reached[s] && x.steps[s.id] == s {
			d.add(s.at, finding{"named-unreachable", fmt.Sprintf("%s is never reached: no other step has a transition to it", s.name()),
				"add a GOTO to it: GOTO " + s.id + ", or number it"})
		}
	}
}

// each visits every step and substep in document order.
func (d *document) each(visit func(u *section)) {
	for i := range d.units {
		visit(&d.units[i])
	}
}

func (d *document) checkTarget(u *section, t *transition, a *action, x index, reached map[*section]bool) {
	if a.then != nil {
		d.checkTarget(u, t, a.then, x, reached)
	}
	if a.verb != "GOTO" {
		return
	}
	hasID := u.kind != broken && u.step().kind != broken // without an ID, the unit has a diagnostic of its own
	if a.to.next && a.to.step == "" {
		if hasID {
			a.to = d.bareNext(u, t, x)
		}
		return
	}
	if f := x.targetProblem(u, a.to); f.code != "" && hasID {
		f.message = fmt.Sprintf("%s: %q: %s", u.name(), t.text, f.message)
		d.add(t.at, f)
	}
	if s := x.steps[a.to.step]; s != nil && s != u.step() {
		reached[s] = true
	}
}

// bareNext resolves GOTO NEXT: on a {n} substep to its next instance, elsewhere in the {N} step to
// the step's next instance.
func (d *document) bareNext(u *section, t *transition, x index) target {
	switch {
	case u.parent != nil && u.kind == dynamic:
		return target{step: u.parent.id, child: "{n}", next: true}
	case u.step().kind == dynamic:
		return target{step: "{N}", next: true}
	}
	d.add(t.at, finding{"next-static", fmt.Sprintf("%s: %q: a step without {N} has no next instance", u.name(), t.text),
		"use it in the {N} step or on a {n} substep, or say which: GOTO NEXT {N}, GOTO NEXT X.{n}"})
	return target{next: true}
}

// targetProblem returns why a target does not exist. The finding has no code if it does.
func (x index) targetProblem(u *section, to target) finding {
	s := x.steps[to.step]
	subs := x.subs[s]
	switch {
	case to.step == "{N}" && x.loop == nil:
		return finding{"goto-no-dynamic", "there is no {N} step", "write ## {N} Title, or name another target"}
	case to.next && to.step != "{N}" && (s == nil || subs["{n}"] == nil):
		return finding{"goto-next-target", fmt.Sprintf("there is no substep %s.{n}", to.step), "name a step that has a {n} substep"}
	case s == nil:
		return finding{"goto-step-missing", fmt.Sprintf("there is no step %s", to.step), x.names.Hint(to.step)}
	case to.child == "{n}" && subs["{n}"] == nil:
		return finding{"goto-no-dynsub", fmt.Sprintf("step %s has no {n} substep", to.step), "name one of its substeps, or the step"}
	case to.child != "" && s.substep() == nil:
		return finding{"goto-no-substeps", fmt.Sprintf("step %s has no substeps", to.step), "write GOTO " + to.step}
	case to.child != "" && subs[to.child] == nil:
		return finding{"goto-substep-missing", fmt.Sprintf("step %s has no substep %s", to.step, to), "name one of its substeps"}
	case to.String() == u.fullID() && to.step != "{N}" && to.child != "{n}":
		return finding{"goto-self", fmt.Sprintf("it leads to its own %s", u.noun()), "use RETRY to run it again"}
	}
	return finding{}
}

func (u *section) noun() string {
	if u.parent != nil {
		return "substep"
	}
	return "step"
}
