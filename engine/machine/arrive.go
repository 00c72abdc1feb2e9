package machine

import (
	"slices"
	"strconv"

	"playhead/parse/plan"
)

// stepEntry is where an arrival leads: the executable step, the groups that open on the way, and the
// instance numbers that change. The frame stays as it is.
type stepEntry struct {
	frame              *frame
	newInstanceNumbers []InstanceNumber // they take precedence over the frame's numbers
	openedGroups       []OpenedGroup
	node               *node // nil: a choice has to be made first
	firstArm           *node // the first arm of that choice
	label              string
	attempt            int
}

// enterStep enters the executable step to which the last move leads.
func (m *Machine) enterStep(f *frame, a Arrival) Next {
	l := f.newStepEntry(a)
	if l.node == nil {
		return m.chooseArm(f, l.firstArm, a.ExemptFromVisitLimit)
	}
	if g := m.plan.VisitLimit; g.Max > 0 && m.countedEntryCount >= g.Max && !a.ExemptFromVisitLimit {
		return m.endAtTransitionLimit()
	}
	return nextEventWithBody(Event{
		Step: l.label, ExplicitStepID: idIfDifferent(l.node.step.ID, l.label), Attempt: l.attempt,
	}, StepEntered{OpenedGroups: l.openedGroups, InstanceNumbers: l.newInstanceNumbers, ExemptFromVisitLimit: a.ExemptFromVisitLimit, Warnings: l.node.step.RunWarnings})
}

// newStepEntry works out where an arrival at a step leads.
func (f *frame) newStepEntry(a Arrival) stepEntry {
	l := stepEntry{frame: f}
	target := f.graph.byID[a.StepID]
	if a.ToNextInstance {
		l.setInstanceNumber(target, l.instanceNumber(target)+1)
	}
	for n := target; n != nil; n = n.parent {
		if n.step.HasInstances && l.instanceNumber(n) == 0 {
			l.setInstanceNumber(n, 1)
		}
	}
	l.openGroupsAround(target)
	l.descend(target, a)
	return l
}

// openGroupsAround opens the groups around the target. A group gets a new visit if control comes from
// outside it, unless the target is a template child that resumes the group's last visit.
func (l *stepEntry) openGroupsAround(target *node) {
	if target.parent == nil {
		return
	}
	l.openGroupsAround(target.parent)
	group := target.parent
	label := l.labelOf(group)
	if l.wasInside(group, label) {
		return
	}
	if target.step.HasInstances && l.frame.visitByLabel[label] != nil {
		return
	}
	l.openGroup(group, label, 1)
}

// wasInside reports whether the last step was in this instance of the group.
func (l *stepEntry) wasInside(group *node, label string) bool {
	from := l.frame.lastNode
	return from != nil && (from == group || from.isBelow(group)) && l.frame.labelOf(group, nil) == label
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
		if v := l.frame.visitByLabel[label]; repeats && v != nil {
			attempt = v.attempt + 1
		}
		repeats = false
		l.openGroup(n, label, attempt)
		l.resetInstances(n)
		n = n.firstChild()
	}
	if a.needsChoice(n) {
		l.firstArm, l.label = n, l.labelOf(n.parent)
		return
	}
	l.setStep(n, repeats, a.SameVisitIfOwnStep)
}

// needsChoice reports whether a choice is still to be made at the step to which the arrival leads.
func (a Arrival) needsChoice(n *node) bool {
	return n.step.IsArm() && !(a.IsArmChosen && a.StepID == n.step.ID)
}

// setStep sets the executable step and its attempt.
func (l *stepEntry) setStep(n *node, again, keep bool) {
	l.node, l.label, l.attempt = n, l.labelOf(n), 1
	same := l.label == l.frame.lastLabel
	if v := l.frame.visitByLabel[l.label]; v != nil && (again || keep && same) {
		l.attempt = v.attempt + 1
	}
	if len(n.children) > 0 {
		l.resetInstances(n)
	}
}

// openGroup begins a group's visit, or the next attempt of it.
func (l *stepEntry) openGroup(n *node, label string, attempt int) {
	l.openedGroups = append(l.openedGroups, OpenedGroup{Label: label, StepID: n.step.ID, Attempt: attempt})
}

// resetInstances sets the instance numbers of a group's template children to 1.
func (l *stepEntry) resetInstances(n *node) {
	for _, c := range n.children {
		if c.step.HasInstances {
			l.setInstanceNumber(c, 1)
		}
	}
}

func (l *stepEntry) instanceNumber(n *node) int {
	return l.frame.instanceNumber(n, l.newInstanceNumbers)
}

func (l *stepEntry) setInstanceNumber(n *node, number int) {
	for i := range l.newInstanceNumbers {
		if l.newInstanceNumbers[i].StepID == n.step.ID {
			l.newInstanceNumbers[i].Number = number
			return
		}
	}
	l.newInstanceNumbers = append(l.newInstanceNumbers, InstanceNumber{n.step.ID, number})
}

func (l *stepEntry) labelOf(n *node) string { return l.frame.labelOf(n, l.newInstanceNumbers) }

// labelOf returns the label of a step's current instance. The numbers take precedence over the
// frame's.
func (f *frame) labelOf(n *node, numbers []InstanceNumber) string {
	if n.fixedLabel != "" {
		return f.labelPrefix + n.fixedLabel
	}
	return f.labelPrefix + plan.TextForDisplay(n.step.Label, labelScope{f, numbers})
}

// instanceNumber returns the current instance number of a template step. The numbers take precedence over
// the frame's.
func (f *frame) instanceNumber(n *node, numbers []InstanceNumber) int {
	i := slices.IndexFunc(numbers, func(x InstanceNumber) bool { return x.StepID == n.step.ID })
	if i >= 0 {
		return numbers[i].Number
	}
	return f.instanceNumbers[n.index]
}

// commandInstance returns the instance number that a step's commands see: the number of the template step
// that it is or stands in, else that of the document's template step, else "".
func (f *frame) commandInstance(n *node) string {
	for p := n; p != nil; p = p.parent {
		if p.step.HasInstances {
			return strconv.Itoa(f.instanceNumbers[p.index])
		}
	}
	for _, r := range f.graph.nodes {
		if r.parent == nil && r.step.HasInstances && f.instanceNumbers[r.index] > 0 {
			return strconv.Itoa(f.instanceNumbers[r.index])
		}
	}
	return ""
}

// chooseArm takes the first arm of a choice whose test holds.
func (m *Machine) chooseArm(f *frame, arm *node, exemptFromGuard bool) Next {
	scope := m.scope(f)
	d := &Decision{Candidates: []Candidate{}}
	group := arm.parent
	if first := group.children[0] == arm; first && !group.step.IsExecutable() { // otherwise they were recorded when the group was entered
		d.Warnings = group.step.RunWarnings
	}
	for n := arm; n != nil; n = nextArm(n) {
		c := Candidate{Line: n.step.Span.Line, Text: n.step.ArmText(), Reason: &plan.Reason{Evaluated: d.CandidateIndex == nil}}
		switch {
		case d.CandidateIndex != nil:
		case n.step.ArmTest == nil:
			c.Matched = true
		default:
			c.Matched = scope.evaluate(n.step.ArmTest, c.Reason)
		}
		if c.Matched {
			index := len(d.Candidates)
			d.CandidateIndex = &index
			d.Arrival = Arrival{Kind: ToStep, StepID: n.step.ID, IsArmChosen: true, ExemptFromVisitLimit: exemptFromGuard}
		}
		d.Candidates = append(d.Candidates, c)
	}
	if d.CandidateIndex == nil {
		d.Arrival = f.arrivalAfterStep(arm)
	}
	d.To = f.destinationLabel(d.Arrival)
	label := f.labelOf(group, nil)
	return nextEvent(Event{Step: label, ExplicitStepID: idIfDifferent(group.step.ID, label), Attempt: f.visitAttempt(label), Body: d})
}

// nextArm returns the next arm of the same choice, nil after the last.
func nextArm(arm *node) *node {
	siblings := arm.parent.children
	i := slices.Index(siblings, arm) + 1
	if i < len(siblings) && siblings[i].step.IsElseOrElif {
		return siblings[i]
	}
	return nil
}

func (f *frame) visitAttempt(label string) int {
	if v := f.visitByLabel[label]; v != nil {
		return v.attempt
	}
	return 1
}
