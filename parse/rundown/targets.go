package rundown

import (
	"fmt"
	"slices"
)

// resolveTargets checks that the target of every GOTO exists (spec §5.5), and replaces a bare NEXT by
// the form that it stands for.
func (d *document) resolveTargets(index stepIndex) {
	reached := map[*parsedStep]bool{} // steps to which a transition of another step leads
	d.eachStep(func(step *parsedStep) {
		for i := range step.elements {
			if t := step.elements[i].parsedTransition; t != nil {
				d.resolveTarget(step, t, &t.action, index, reached)
			}
		}
	})
	for i, s := range d.steps {
		if s.kind == namedKind && i > 0 && !reached[s] && index.stepByID[s.localID] == s {
			d.add(s.offset, finding{"named-unreachable", fmt.Sprintf("%s is never reached: no other step has a transition to it", s.nameForMessages()),
				"add GOTO " + s.localID + " to another step, or number this step"})
		}
	}
}

// eachStep visits every step and substep in document order.
func (d *document) eachStep(visit func(step *parsedStep)) {
	for i := range d.parsedSteps {
		visit(&d.parsedSteps[i])
	}
}

func (d *document) resolveTarget(step *parsedStep, t *transition, a *action, index stepIndex, reached map[*parsedStep]bool) {
	if a.afterRetries != nil {
		d.resolveTarget(step, t, a.afterRetries, index, reached)
	}
	if a.verb != "GOTO" {
		return
	}
	hasID := step.kind != brokenKind && step.topStep().kind != brokenKind // without an ID, the step has a diagnostic of its own
	if a.target.isNextInstance && a.target.step == "" {
		if hasID {
			a.target = d.resolveGotoNext(step, t, index)
		}
		return
	}
	if f := index.targetProblem(step, a.target); f.code != "" && hasID {
		f.message = fmt.Sprintf("%s: %q: %s", step.nameForMessages(), t.plainText, f.message)
		d.add(t.offset, f)
	}
	if s := index.stepByID[a.target.step]; s != nil && s != step.topStep() {
		reached[s] = true
	}
}

// resolveGotoNext resolves GOTO NEXT: on a {n} substep to its next instance, elsewhere in the {N} step to
// the step's next instance.
func (d *document) resolveGotoNext(step *parsedStep, t *transition, index stepIndex) target {
	switch {
	case step.parent != nil && step.kind == dynamicKind:
		return target{step: step.parent.localID, child: "{n}", isNextInstance: true}
	case step.topStep().kind == dynamicKind:
		return target{step: "{N}", isNextInstance: true}
	}
	d.add(t.offset, finding{"next-static", fmt.Sprintf("%s: %q: only the {N} step and {n} substeps have a next instance", step.nameForMessages(), t.plainText),
		"use GOTO NEXT in the {N} step or a {n} substep, or write GOTO NEXT {N} or GOTO NEXT X.{n}"})
	return target{isNextInstance: true}
}

// targetProblem returns why a target does not exist. The finding has no code if it does.
func (i stepIndex) targetProblem(step *parsedStep, to target) finding {
	s := i.stepByID[to.step]
	subs := i.substeps[s]
	switch {
	case to.step == "{N}" && i.dynamicStep == nil:
		return finding{"goto-no-dynamic", "there is no {N} step", "write ## {N} Title, or name another target"}
	case to.isNextInstance && to.step != "{N}" && (s == nil || subs["{n}"] == nil):
		return finding{"goto-next-target", fmt.Sprintf("there is no substep %s.{n}", to.step), "use the number or name of a step that has a {n} substep"}
	case s == nil:
		return finding{"goto-step-missing", fmt.Sprintf("there is no step %s", to.step), i.targetNames.Suggestion(to.step)}
	case to.child == "{n}" && subs["{n}"] == nil:
		return finding{"goto-no-dynsub", fmt.Sprintf("step %s has no {n} substep", to.step), suggestTargetIn(s, step)}
	case to.child != "" && s.firstSubstep() == nil:
		return finding{"goto-no-substeps", fmt.Sprintf("step %s has no substeps", to.step), suggestTargetIn(s, step)}
	case to.child != "" && subs[to.child] == nil:
		return finding{"goto-substep-missing", fmt.Sprintf("step %s has no substep %s", to.step, to), suggestTargetIn(s, step)}
	case to.String() == step.fullID() && to.step != "{N}" && to.child != "{n}":
		return finding{"goto-self", fmt.Sprintf("it leads back to the same %s", step.kindNoun()), suggestOtherStep}
	}
	return finding{}
}

const suggestOtherStep = "go to another step; RETRY runs this one again"

// suggestTargetIn suggests a target in s for a transition of from, which cannot lead to from itself.
func suggestTargetIn(s, from *parsedStep) string {
	hasOtherSubstep := slices.ContainsFunc(s.substeps, func(sub *parsedStep) bool { return sub != from && sub.kind != brokenKind })
	switch {
	case hasOtherSubstep && s != from:
		return "go to one of its substeps, or to the step itself"
	case hasOtherSubstep:
		return "go to one of its substeps"
	case s != from:
		return "write GOTO " + s.localID
	}
	return suggestOtherStep
}

func (p *parsedStep) kindNoun() string {
	if p.parent != nil {
		return "substep"
	}
	return "step"
}
