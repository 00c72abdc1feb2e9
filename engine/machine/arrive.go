package machine

import (
	"slices"
	"strconv"

	"playhead/parse/plan"
)

// stepEntry is where a destination leads: the executable step, the groups that open on the way, and the
// instance numbers that change. The frame stays as it is.
type stepEntry struct {
	frame              *documentFrame
	newInstanceNumbers []InstanceNumber // they take precedence over the frame's numbers
	openedGroups       []OpenedGroup
	node               *node // nil: a choice has to be made first
	firstArm           *node // the first arm of that choice
	label              string
	attempt            int
}

// enterStep returns the event that enters the step to which a destination leads. Before that, a choice
// on the way is made. At the limit of entries, the run ends instead.
func (m *Machine) enterStep(f *documentFrame, to Destination) Next {
	entry := f.newStepEntry(to)
	if entry.node == nil {
		return m.chooseArm(f, entry.firstArm, to.ExemptFromEntryLimit)
	}
	if limit := m.plan.EntryLimit; limit.Max > 0 && m.countedEntryCount >= limit.Max && !to.ExemptFromEntryLimit {
		return m.endAtTransitionLimit()
	}
	return nextEventWithBody(Event{
		Step: entry.label, ExplicitStepID: idIfDifferent(entry.node.step.ID, entry.label), Attempt: entry.attempt,
	}, StepEntered{OpenedGroups: entry.openedGroups, InstanceNumbers: entry.newInstanceNumbers, ExemptFromEntryLimit: to.ExemptFromEntryLimit, Warnings: entry.node.step.RunWarnings})
}

// newStepEntry finds out where a destination at a step leads.
func (f *documentFrame) newStepEntry(to Destination) stepEntry {
	entry := stepEntry{frame: f}
	target := f.graph.byID[to.StepID]
	if to.ToNextInstance {
		entry.setInstanceNumber(target, entry.instanceNumber(target)+1)
	}
	for n := target; n != nil; n = n.parent {
		if n.step.HasInstances && entry.instanceNumber(n) == 0 {
			entry.setInstanceNumber(n, 1)
		}
	}
	entry.openGroupsAround(target)
	entry.descend(target, to)
	return entry
}

// openGroupsAround opens the groups around the target. A group gets a new visit if control comes from
// outside it, unless the target is a template child that resumes the group's last visit.
func (s *stepEntry) openGroupsAround(target *node) {
	if target.parent == nil {
		return
	}
	s.openGroupsAround(target.parent)
	group := target.parent
	label := s.labelOf(group)
	if s.wasInside(group, label) {
		return
	}
	if target.step.HasInstances && s.frame.visitByLabel[label] != nil {
		return
	}
	s.openGroup(group, label, 1)
}

// wasInside reports whether the last step was in this instance of the group.
func (s *stepEntry) wasInside(group *node, label string) bool {
	from := s.frame.lastStepNode
	return from != nil && (from == group || from.isBelow(group)) && s.frame.labelOf(group, nil) == label
}

// descend enters groups at their start until it reaches an executable step or a choice.
func (s *stepEntry) descend(n *node, to Destination) {
	repeats := to.SameVisit
	for !n.step.IsExecutable() {
		if to.needsChoice(n) {
			break
		}
		label := s.labelOf(n)
		attempt := 1
		if v := s.frame.visitByLabel[label]; repeats && v != nil {
			attempt = v.attempt + 1
		}
		repeats = false
		s.openGroup(n, label, attempt)
		s.resetInstances(n)
		n = s.frame.graph.byID[n.step.EntryChild().ID]
	}
	if to.needsChoice(n) {
		s.firstArm, s.label = n, s.labelOf(n.parent)
		return
	}
	s.setStep(n, repeats, to.SameVisitIfOwnStep)
}

// needsChoice reports whether a choice is still to be made at the step to which the destination leads.
func (to Destination) needsChoice(n *node) bool {
	return n.step.IsArm() && !(to.IsArmChosen && to.StepID == n.step.ID)
}

// setStep sets the executable step and its attempt.
func (s *stepEntry) setStep(n *node, again, keep bool) {
	s.node, s.label, s.attempt = n, s.labelOf(n), 1
	same := s.label == s.frame.lastStepLabel
	if v := s.frame.visitByLabel[s.label]; v != nil && (again || keep && same) {
		s.attempt = v.attempt + 1
	}
	if len(n.children) > 0 {
		s.resetInstances(n)
	}
}

// openGroup begins a group's visit, or the next attempt of it.
func (s *stepEntry) openGroup(n *node, label string, attempt int) {
	s.openedGroups = append(s.openedGroups, OpenedGroup{Label: label, StepID: n.step.ID, Attempt: attempt})
}

// resetInstances sets the instance numbers of a group's template children to 1.
func (s *stepEntry) resetInstances(n *node) {
	for _, c := range n.children {
		if c.step.HasInstances {
			s.setInstanceNumber(c, 1)
		}
	}
}

func (s *stepEntry) instanceNumber(n *node) int {
	return s.frame.instanceNumber(n, s.newInstanceNumbers)
}

func (s *stepEntry) setInstanceNumber(n *node, number int) {
	for i := range s.newInstanceNumbers {
		if s.newInstanceNumbers[i].StepID == n.step.ID {
			s.newInstanceNumbers[i].Number = number
			return
		}
	}
	s.newInstanceNumbers = append(s.newInstanceNumbers, InstanceNumber{n.step.ID, number})
}

func (s *stepEntry) labelOf(n *node) string { return s.frame.labelOf(n, s.newInstanceNumbers) }

// labelOf returns the label of a step's current instance. The numbers take precedence over the
// frame's.
func (f *documentFrame) labelOf(n *node, numbers []InstanceNumber) string {
	if n.fixedLabel != "" {
		return f.labelPrefix + n.fixedLabel
	}
	return f.labelPrefix + plan.TextForDisplay(n.step.Label, labelScope{f, numbers})
}

// instanceNumber returns the current instance number of a template step. The numbers take precedence over
// the frame's.
func (f *documentFrame) instanceNumber(n *node, numbers []InstanceNumber) int {
	i := slices.IndexFunc(numbers, func(x InstanceNumber) bool { return x.StepID == n.step.ID })
	if i >= 0 {
		return numbers[i].Number
	}
	return f.instanceNumbers[n.index]
}

// commandInstance returns the instance number that a step's commands see: the number of the template step
// that it is or stands in, else that of the document's template step, else "".
func (f *documentFrame) commandInstance(n *node) string {
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

// chooseArm returns the decision of a choice, from the given arm on: it takes the first whose test holds. If
// none holds, the run continues after the choice.
func (m *Machine) chooseArm(f *documentFrame, arm *node, exemptFromEntryLimit bool) Next {
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
			d.Destination = Destination{Kind: ToStep, StepID: n.step.ID, IsArmChosen: true, ExemptFromEntryLimit: exemptFromEntryLimit}
		}
		d.Candidates = append(d.Candidates, c)
	}
	if d.CandidateIndex == nil {
		d.Destination = f.destinationAfterStep(arm)
	}
	d.To = f.destinationLabel(d.Destination)
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

func (f *documentFrame) visitAttempt(label string) int {
	if v := f.visitByLabel[label]; v != nil {
		return v.attempt
	}
	return 1
}
