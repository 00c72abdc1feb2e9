package rundown

import (
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// findBodyAndTransitions checks that a step's content has one of the two orders T* P* B* and P* B* T* (spec §3.5),
// and finds its transitions and its body.
func (d *document) findBodyAndTransitions(step *parsedStep) {
	d.findBody(step)
	d.findTransitions(step)
	d.checkTransitionPlacement(step)
}

// findBody finds the body, and reports prompt text after it and a second kind of body.
func (d *document) findBody(step *parsedStep) {
	hasBody := false
	isReported := false // late prompt text is reported here already, or by checkTransitionPlacement
	for i := range step.elements {
		e := &step.elements[i]
		switch {
		case e.role == transitionRole && hasBody:
			isReported = true
		case e.role == promptTextRole && !isReported && hasBody:
			isReported = true
			d.add(e.offset, finding{"prompt-order", fmt.Sprintf("%s: prompt text comes after the %s", step.nameForMessages(), step.bodyName()),
				"move it before the " + step.bodyName()})
		case e.role == anyPlaceRole && e.fence != nil && e.fence.isPrompt && step.promptBlock == nil:
			step.promptBlock = e
		case e.role == bodyRole && e.includedPath == "":
			d.setCodeBody(step, e)
		case e.role == bodyRole:
			if step.body != nil && len(step.runbooks) == 0 {
				d.reportMultipleBodies(step, e.offset, "runbooks and a code block")
			}
			step.runbooks = append(step.runbooks, e)
		}
		hasBody = hasBody || e.role == bodyRole
	}
	if s := step.firstSubstep(); s != nil && step.kind != brokenKind && (step.body != nil || len(step.runbooks) > 0) {
		d.reportMultipleBodies(step, s.offset, "both substeps and its own "+step.bodyName())
	}
}

// firstSubstep returns the first substep with an ID.
func (p *parsedStep) firstSubstep() *parsedStep {
	i := slices.IndexFunc(p.substeps, func(s *parsedStep) bool { return s.kind != brokenKind })
	if i < 0 {
		return nil
	}
	return p.substeps[i]
}

func (p *parsedStep) bodyName() string {
	switch {
	case len(p.runbooks) > 0:
		return "runbooks"
	case p.body != nil && p.body.fence.isPrompt:
		return "prompt block"
	}
	return "command block"
}

func (d *document) setCodeBody(step *parsedStep, e *element) {
	switch {
	case step.body != nil:
		d.add(e.offset, finding{"multi-code", fmt.Sprintf("%s has a second block (%s); it can have only one command or prompt block", step.nameForMessages(), e.fence.language),
			"merge the blocks if both are command blocks, or make two steps"})
		return
	case len(step.runbooks) > 0:
		d.reportMultipleBodies(step, e.offset, "runbooks and a code block")
	}
	step.body = e
}

func (d *document) reportMultipleBodies(step *parsedStep, at int, what string) {
	d.add(at, finding{"exclusivity", fmt.Sprintf("%s has %s; it can have only one of these two kinds", step.nameForMessages(), what),
		"give each kind its own step"})
}

// findTransitions finds the transitions that count: the last one of each side. It reports those that they replace.
func (d *document) findTransitions(step *parsedStep) {
	for i := range step.elements {
		t := step.elements[i].parsedTransition
		if t == nil {
			continue
		}
		slot := &step.failTransition
		if t.matchedResult() == plan.Passed {
			slot = &step.passTransition
		}
		if *slot != nil {
			d.add(t.offset, finding{"transition-repeated", fmt.Sprintf("%s: %q replaces %q", step.nameForMessages(), t.plainText, (*slot).plainText),
				"keep one of them"})
		}
		*slot = t
	}
	for _, t := range step.effectiveTransitions() {
		step.usesYesNo = step.usesYesNo || t.keyword == "YES" || t.keyword == "NO"
	}
	if step.passTransition != nil && step.failTransition != nil && step.passTransition.modifier != "" && step.passTransition.modifier == step.failTransition.modifier {
		d.add(max(step.passTransition.offset, step.failTransition.offset), finding{"agg-conflict", fmt.Sprintf("%s: both transitions say %s", step.nameForMessages(), step.passTransition.modifier),
			"write ALL in one and ANY in the other"})
	}
}

// checkTransitionPlacement checks that the transitions stand together, first or last.
func (d *document) checkTransitionPlacement(step *parsedStep) {
	var p transitionGroups
	for i := range step.elements {
		if e := &step.elements[i]; e.role != anyPlaceRole && p.add(e) {
			d.add(e.offset, finding{"transition-order", fmt.Sprintf("%s: other content separates its transitions", step.nameForMessages()),
				"put them together, at the beginning or at the end of the step"})
		}
	}
	if p.groupCount != 1 || !p.hasContentBefore || p.firstElementAfter == nil {
		return
	}
	at, what := p.firstElementAfter.offset, "text comes after its transitions"
	switch {
	case !p.hasBodyBefore && p.hasBodyAfter:
		at, what = p.firstTransition.offset, "the transitions are between the text and the step's block or runbooks"
	case p.firstElementAfter.role == bodyRole:
		what = "its block or runbooks come after its transitions"
	}
	d.add(at, finding{"transition-order", fmt.Sprintf("%s: %s", step.nameForMessages(), what),
		"put the transitions at the beginning or at the end of the step"})
}

// transitionGroups describes the content around a step's transitions.
type transitionGroups struct {
	groupCount                  int      // the number of groups of transitions
	firstTransition             *element // the first transition
	hasContentBefore            bool     // there is content before it
	firstElementAfter           *element // the first element after the last group
	hasBodyBefore, hasBodyAfter bool
}

// add adds the next element. It returns true for a transition that begins a second or later group.
func (t *transitionGroups) add(e *element) bool {
	switch {
	case e.role != transitionRole && t.groupCount == 0:
		t.hasContentBefore, t.hasBodyBefore = true, t.hasBodyBefore || e.role == bodyRole
	case e.role != transitionRole:
		if t.firstElementAfter == nil {
			t.firstElementAfter = e
		}
		t.hasBodyAfter = t.hasBodyAfter || e.role == bodyRole
	case t.groupCount == 0:
		t.groupCount, t.firstTransition = 1, e
	case t.firstElementAfter != nil:
		t.groupCount++
		t.firstElementAfter = nil
		return true
	}
	return false
}
