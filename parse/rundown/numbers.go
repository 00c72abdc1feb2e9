package rundown

import (
	"fmt"

	"playhead/parse/near"
)

// stepIndex finds steps by their IDs as written.
type stepIndex struct {
	stepByID    map[string]*parsedStep
	targetNames *near.KnownNames // the steps that a target can name, in document order
	substeps    map[*parsedStep]map[string]*parsedStep
	dynamicStep *parsedStep // the {N} step
}

// indexSteps checks the IDs of steps (spec §3.3) and substeps (§3.4) and indexes them. Steps without an
// ID are left out.
func (d *document) indexSteps() stepIndex {
	index := stepIndex{targetNames: &near.KnownNames{}, stepByID: make(map[string]*parsedStep, len(d.steps)), substeps: make(map[*parsedStep]map[string]*parsedStep, len(d.steps))}
	checker := numberSequenceChecker{document: d}
	hasStaticStep, mixed := false, false
	for _, s := range d.steps {
		switch s.kind {
		case staticKind:
			checker.checkNumber(s)
			hasStaticStep = true
		case dynamicKind:
			d.recordDynamicStep(s, &index)
		case namedKind:
			if first := index.stepByID[s.localID]; first != nil {
				d.add(s.offset, finding{"step-duplicate-name", fmt.Sprintf("there is already a step %s on line %d", s.localID, d.headingLineNumber(first)),
					"give this one another name"})
			}
		}
		if hasStaticStep && index.dynamicStep != nil && !mixed {
			mixed = true
			d.add(s.offset, finding{"step-mix", fmt.Sprintf("%s: a document can have numbered steps or one {N} step, not both", s.nameForMessages()),
				"keep one kind, and make the other steps named steps or substeps"})
		}
		if s.kind != brokenKind && index.stepByID[s.localID] == nil {
			index.stepByID[s.localID] = s
			index.targetNames.All = append(index.targetNames.All, s.localID)
		}
		if s.kind != brokenKind && len(s.substeps) > 0 {
			index.substeps[s] = d.indexSubsteps(s)
		}
	}
	return index
}

// recordDynamicStep records the {N} step, of which there may be only one.
func (d *document) recordDynamicStep(s *parsedStep, index *stepIndex) {
	if index.dynamicStep == nil {
		index.dynamicStep = s
		return
	}
	d.add(s.offset, finding{"step-multi-dynamic", fmt.Sprintf("there is already a {N} step on line %d", d.headingLineNumber(index.dynamicStep)),
		"make this one a substep or a named step"})
}

func (d *document) headingLineNumber(step *parsedStep) int {
	return d.sourceLines.lineAt(step.offset) + 1
}

// numberSequenceChecker checks that numbers follow each other. After a wrong number, it continues from that
// number.
type numberSequenceChecker struct {
	document   *document
	lastNumber int
}

func (c *numberSequenceChecker) checkNumber(step *parsedStep) {
	if c.lastNumber++; step.number == c.lastNumber {
		return
	}
	code, kind, place := "step-sequence", "steps", fmt.Sprintf("step %d", c.lastNumber)
	if step.parent != nil {
		code, kind, place = "substep-sequence", "substeps", fmt.Sprintf("%s.%d", step.parent.localID, c.lastNumber)
	}
	c.document.add(step.offset, finding{code, fmt.Sprintf("found %s where %s is expected", step.nameForMessages(), place),
		"number the " + kind + " 1, 2, 3 … in the order of the file"})
	c.lastNumber = step.number
}

// indexSubsteps checks the IDs within one step, and returns the substeps by ID.
func (d *document) indexSubsteps(step *parsedStep) map[string]*parsedStep {
	ids := make(map[string]*parsedStep, len(step.substeps))
	checker := numberSequenceChecker{document: d}
	mixed := false
	for _, substep := range step.substeps {
		first := ids[substep.localID]
		switch {
		case substep.kind == brokenKind:
		case substep.heading.parentID != step.localID:
			d.add(substep.offset, finding{"substep-parent", fmt.Sprintf("%s is in step %s", substep.nameForMessages(), step.localID),
				fmt.Sprintf("write ### %s.%s, or move the substep to step %s", step.localID, substep.localID, substep.heading.parentID)})
			if substep.kind == staticKind { // count it, so that the next ones are not reported
				checker.lastNumber = substep.number
			}
		case first != nil:
			d.add(substep.offset, finding{"substep-duplicate", fmt.Sprintf("there is already a %s on line %d", substep.nameForMessages(), d.headingLineNumber(first)),
				suggestUniqueSubstep(substep)})
		default:
			ids[substep.localID] = substep
			if ids["{n}"] != nil && len(ids) > 1 {
				if !mixed {
					d.add(substep.offset, finding{"substep-mix", fmt.Sprintf("%s: a step can have one {n} substep or other substeps, not both", substep.nameForMessages()),
						suggestTwoSteps})
				}
				mixed = true
			} else if substep.kind == staticKind {
				checker.checkNumber(substep)
			}
		}
	}
	return ids
}

const suggestTwoSteps = "move one of these substeps into another step"

// suggestUniqueSubstep suggests what to do about a second substep of the same number or name.
func suggestUniqueSubstep(substep *parsedStep) string {
	if substep.localID == "{n}" { // a step can have only this one
		return suggestTwoSteps
	}
	return "give this one another number or name"
}
