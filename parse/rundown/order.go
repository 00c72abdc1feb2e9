package rundown

import (
	"fmt"
	"slices"
)

// order checks that a unit's content has one of the two orders T* P* B* and P* B* T* (spec §3.5),
// and finds its transitions and its body.
func (d *document) order(u *section) {
	d.bodies(u)
	d.transitionsOf(u)
	d.groups(u)
}

// bodies finds the body. A unit has at most one kind of body.
func (d *document) bodies(u *section) {
	late, content := false, false // late: prompt text after the body has been reported
	for i := range u.elements {
		e := &u.elements[i]
		switch {
		case e.role == transitions && content:
			late = true // groups reports the rest
		case e.role == prompt && !late && (u.body != nil || len(u.docs) > 0):
			late = true
			d.add(e.at, finding{"prompt-order", fmt.Sprintf("%s: prompt text comes after the %s", u.name(), u.bodyName()),
				"move it before the " + u.bodyName()})
		case e.role == free && e.fence != nil && e.fence.prompt && u.promptBlock == nil:
			u.promptBlock = e
		case e.role == body && e.doc == "":
			d.block(u, e)
		case e.role == body:
			if u.body != nil && len(u.docs) == 0 {
				d.exclusive(u, e.at, "runbooks and a code block")
			}
			u.docs = append(u.docs, e)
		}
		content = content || e.role == prompt || e.role == body
	}
	if s := u.substep(); s != nil && u.kind != broken && (u.body != nil || len(u.docs) > 0) {
		d.exclusive(u, s.at, "substeps and "+u.bodyName())
	}
}

// substep returns the first substep with an ID.
func (u *section) substep() *section {
	i := slices.IndexFunc(u.subs, func(s *section) bool { return s.kind != broken })
	if i < 0 {
		return nil
	}
	return u.subs[i]
}

func (u *section) bodyName() string {
	switch {
	case len(u.docs) > 0:
		return "runbooks"
	case u.body != nil && u.body.fence.prompt:
		return "prompt block"
	}
	return "command block"
}

func (d *document) block(u *section, e *element) {
	switch {
	case u.body != nil:
		d.add(e.at, finding{"multi-code", fmt.Sprintf("%s has a second %s block; it can have only one command or prompt block", u.name(), e.fence.language),
			"put both commands into one block, or make two steps"})
		return
	case len(u.docs) > 0:
		d.exclusive(u, e.at, "runbooks and a code block")
	}
	u.body = e
}

func (d *document) exclusive(u *section, at int, what string) {
	d.add(at, finding{"exclusivity", fmt.Sprintf("%s has %s; it can have only one of them", u.name(), what),
		"make a step of its own for each"})
}

// transitionsOf finds the transitions that count: the last one of each side.
func (d *document) transitionsOf(u *section) {
	for i := range u.elements {
		t := u.elements[i].move
		if t == nil {
			continue
		}
		slot := &u.fail
		if t.side() == "pass" {
			slot = &u.pass
		}
		if *slot != nil {
			d.add(t.at, finding{"transition-repeated", fmt.Sprintf("%s: %q replaces %q", u.name(), t.text, (*slot).text),
				"keep one of them"})
		}
		*slot = t
	}
	for _, t := range u.effectiveTransitions() {
		u.usesYesNo = u.usesYesNo || t.keyword == "YES" || t.keyword == "NO"
	}
	if u.pass != nil && u.fail != nil && u.pass.modifier != "" && u.pass.modifier == u.fail.modifier {
		d.add(max(u.pass.at, u.fail.at), finding{"agg-conflict", fmt.Sprintf("%s: PASS and FAIL both say %s", u.name(), u.pass.modifier),
			"write PASS ALL with FAIL ANY, or PASS ANY with FAIL ALL"})
	}
}

// groups checks that the transitions stand together, first or last.
func (d *document) groups(u *section) {
	var p places
	for i := range u.elements {
		if e := &u.elements[i]; e.role != free && p.add(e) {
			d.add(e.at, finding{"transition-order", fmt.Sprintf("%s: transitions are in two places", u.name()),
				"put them together, at the beginning or at the end of the step"})
		}
	}
	if p.groups != 1 || !p.hasContentAhead || p.behind == nil {
		return
	}
	at, what := p.behind.at, "prompt text comes after the transitions at its end"
	switch {
	case !p.bodyAhead && p.bodyBehind:
		at, what = p.first.at, "transitions are between prompt text and body"
	case p.behind.role == body:
		what = "a body comes after the transitions at its end"
	}
	d.add(at, finding{"transition-order", fmt.Sprintf("%s: %s", u.name(), what),
		"put the transitions at the beginning or at the end of the step"})
}

// places describes the content around a unit's transitions.
type places struct {
	groups                int      // the number of groups of transitions
	first                 *element // the first transition
	hasContentAhead       bool     // there is content before it
	behind                *element // the first element after the last group
	bodyAhead, bodyBehind bool
}

// add adds the next element. It reports whether the element begins another group.
func (p *places) add(e *element) bool {
	switch {
	case e.role != transitions && p.groups == 0:
		p.hasContentAhead, p.bodyAhead = true, p.bodyAhead || e.role == body
	case e.role != transitions:
		if p.behind == nil {
			p.behind = e
		}
		p.bodyBehind = p.bodyBehind || e.role == body
	case p.groups == 0:
		p.groups, p.first = 1, e
	case p.behind != nil:
		p.groups++
		p.behind = nil
		return true
	}
	return false
}
