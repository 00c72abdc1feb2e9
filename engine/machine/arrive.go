package machine

import (
	"slices"
	"strconv"

	"playhead/parse/plan"
)

// stepEntry is where an arrival leads: the executable step, the groups that open on the way, and the
// instance numbers that change. The frame stays as it is.
type stepEntry struct {
	f       *frame
	numbers []InstanceNumber // they take precedence over the frame's numbers
	opened  []OpenedGroup
	node    *node // nil: a choice has to be made first
	arm     *node // the first arm of that choice
	label   string
	attempt int
}

// arrive enters the executable step to which the last move leads.
func (m *Machine) arrive(f *frame, a Arrival) Next {
	l := f.newStepEntry(a)
	if l.node == nil {
		return m.choose(f, l.arm, a.ExemptFromGuard)
	}
	if g := m.plan.Limit; g.Max > 0 && m.countedEntries >= g.Max && !a.ExemptFromGuard {
		return m.limitExceeded()
	}
	return pack(Event{
		Step: l.label, ID: idIfDifferent(l.node.step.ID, l.label), Attempt: l.attempt,
	}, Entered{Opened: l.opened, Numbers: l.numbers, ExemptFromGuard: a.ExemptFromGuard, Notes: l.node.step.Notes})
}

// newStepEntry works out where an arrival at a step leads.
func (f *frame) newStepEntry(a Arrival) stepEntry {
	l := stepEntry{f: f}
	target := f.prog.byID[a.Step]
	if a.Next {
		l.set(target, l.number(target)+1)
	}
	for n := target; n != nil; n = n.parent {
		if n.step.Template && l.number(n) == 0 {
			l.set(n, 1)
		}
	}
	l.openAround(target)
	l.descend(target, a)
	return l
}

// openAround opens the groups around the target. A group gets a new visit if control comes from
// outside it, unless the target is a template child that resumes the group's last visit.
func (l *stepEntry) openAround(target *node) {
	if target.parent == nil {
		return
	}
	l.openAround(target.parent)
	group := target.parent
	label := l.labelOf(group)
	if l.inside(group, label) {
		return
	}
	if target.step.Template && l.f.visits[label] != nil {
		return
	}
	l.openGroup(group, label, 1)
}

// inside reports whether the last step was in this instance of the group.
func (l *stepEntry) inside(group *node, label string) bool {
	from := l.f.lastNode
	return from != nil && (from == group || from.below(group)) && l.f.labelOf(group, nil) == label
}

// descend enters groups at their start until it reaches an executable step or a choice.
func (l *stepEntry) descend(n *node, a Arrival) {
	repeats := a.SameVisit
	for !n.step.IsExecutable() {
		if a.needsChoice(n) {
			break
		}
		label := l.labelOf(n)
		attempt := 1
		if v := l.f.visits[label]; repeats && v != nil {
			attempt = v.attempt + 1
		}
		repeats = false
		l.openGroup(n, label, attempt)
		l.restart(n)
		n = n.first()
	}
	if a.needsChoice(n) {
		l.arm, l.label = n, l.labelOf(n.parent)
		return
	}
	l.enter(n, repeats, a.SameVisitIfOwnStep)
}

// needsChoice reports whether a choice is still to be made at the step to which the arrival leads.
func (a Arrival) needsChoice(n *node) bool {
	return n.step.IsArm() && !(a.Chosen && a.Step == n.step.ID)
}

// enter sets the executable step and its attempt.
func (l *stepEntry) enter(n *node, again, keep bool) {
	l.node, l.label, l.attempt = n, l.labelOf(n), 1
	same := l.label == l.f.lastLabel
	if v := l.f.visits[l.label]; v != nil && (again || keep && same) {
		l.attempt = v.attempt + 1
	}
	if len(n.children) > 0 {
		l.restart(n)
	}
}

// openGroup begins a group's visit, or the next attempt of it.
func (l *stepEntry) openGroup(n *node, label string, attempt int) {
	l.opened = append(l.opened, OpenedGroup{Step: label, ID: n.step.ID, Attempt: attempt})
}

// restart sets the instance numbers of a group's template children to 1.
func (l *stepEntry) restart(n *node) {
	for _, c := range n.children {
		if c.step.Template {
			l.set(c, 1)
		}
	}
}

func (l *stepEntry) number(n *node) int { return l.f.number(n, l.numbers) }

func (l *stepEntry) set(n *node, number int) {
	for i := range l.numbers {
		if l.numbers[i].ID == n.step.ID {
			l.numbers[i].N = number
			return
		}
	}
	l.numbers = append(l.numbers, InstanceNumber{n.step.ID, number})
}

func (l *stepEntry) labelOf(n *node) string { return l.f.labelOf(n, l.numbers) }

// labelOf returns the label of a step's current instance. The numbers take precedence over the
// frame's.
func (f *frame) labelOf(n *node, numbers []InstanceNumber) string {
	if n.label != "" {
		return f.prefix + n.label
	}
	return f.prefix + plan.Show(n.step.Label, numbering{f, numbers})
}

// number returns the current instance number of a template step. The numbers take precedence over
// the frame's.
func (f *frame) number(n *node, numbers []InstanceNumber) int {
	i := slices.IndexFunc(numbers, func(x InstanceNumber) bool { return x.ID == n.step.ID })
	if i >= 0 {
		return numbers[i].N
	}
	return f.numbers[n.index]
}

// instance returns the instance number that a step's commands see: the number of the template step
// that it is or stands in, else that of the document's template step, else "".
func (f *frame) instance(n *node) string {
	for p := n; p != nil; p = p.parent {
		if p.step.Template {
			return strconv.Itoa(f.numbers[p.index])
		}
	}
	for _, r := range f.prog.nodes {
		if r.parent == nil && r.step.Template && f.numbers[r.index] > 0 {
			return strconv.Itoa(f.numbers[r.index])
		}
	}
	return ""
}

// choose takes the first arm of a choice whose test holds.
func (m *Machine) choose(f *frame, arm *node, exemptFromGuard bool) Next {
	scope := m.scope(f)
	d := &Decision{Candidates: []Candidate{}}
	group := arm.parent
	if first := group.children[0] == arm; first && !group.step.IsExecutable() { // otherwise they were recorded when the group was entered
		d.Notes = group.step.Notes
	}
	for n := arm; n != nil; n = nextArm(n) {
		c := Candidate{Line: n.step.Span.Line, Text: n.step.ArmText(), Reason: &plan.Reason{Evaluated: d.CandidateIndex == nil}}
		switch {
		case d.CandidateIndex != nil:
		case n.step.When == nil:
			c.Matched = true
		default:
			c.Matched = scope.test(n.step.When, c.Reason)
		}
		if c.Matched {
			taken := len(d.Candidates)
			d.CandidateIndex = &taken
			d.Arrival = Arrival{Kind: ToStep, Step: n.step.ID, Chosen: true, ExemptFromGuard: exemptFromGuard}
		}
		d.Candidates = append(d.Candidates, c)
	}
	if d.CandidateIndex == nil {
		d.Arrival = f.afterStep(arm)
	}
	d.To = f.destination(d.Arrival)
	label := f.labelOf(group, nil)
	return nextEvent(Event{Step: label, ID: idIfDifferent(group.step.ID, label), Attempt: f.visitAttempt(label), Body: d})
}

// nextArm returns the next arm of the same choice, nil after the last.
func nextArm(arm *node) *node {
	siblings := arm.parent.children
	i := slices.Index(siblings, arm) + 1
	if i < len(siblings) && siblings[i].step.Else {
		return siblings[i]
	}
	return nil
}

func (f *frame) visitAttempt(label string) int {
	if v := f.visits[label]; v != nil {
		return v.attempt
	}
	return 1
}
