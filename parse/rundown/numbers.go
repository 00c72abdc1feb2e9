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

// indexSteps checks the IDs of steps (spec §3.3) and substeps (§3.4) and indexes them. Units without
// an ID are left out.
func (d *document) indexSteps() stepIndex {
	x := stepIndex{targetNames: &near.KnownNames{}, stepByID: make(map[string]*parsedStep, len(d.steps)), substeps: make(map[*parsedStep]map[string]*parsedStep, len(d.steps))}
	count := numberSequenceChecker{document: d}
	var counted *parsedStep // the first static step
	mixed := false
	for _, s := range d.steps {
		switch s.kind {
		case staticKind:
			count.checkNumber(s)
			if counted == nil {
				counted = s
			}
		case dynamicKind:
			d.recordDynamicStep(s, &x)
		case namedKind:
			if first := x.stepByID[s.id]; first != nil {
				d.add(s.offset, finding{"step-duplicate-name", fmt.Sprintf("there is already a step %s on line %d", s.id, d.headingLineNumber(first)),
					"give this one another name"})
			}
		}
		if counted != nil && x.dynamicStep != nil && !mixed {
			mixed = true
			d.add(s.offset, finding{"step-mix", fmt.Sprintf("%s: a document can have numbered steps or one {N} step, not both", s.nameForMessages()),
				"keep one kind, and make the other steps named steps or substeps"})
		}
		if s.kind != brokenKind && x.stepByID[s.id] == nil {
			x.stepByID[s.id] = s
			x.targetNames.All = append(x.targetNames.All, s.id)
		}
		if s.kind != brokenKind && len(s.substeps) > 0 {
			x.substeps[s] = d.indexSubsteps(s)
		}
	}
	return x
}

// recordDynamicStep records the {N} step, of which there may be only one.
func (d *document) recordDynamicStep(s *parsedStep, x *stepIndex) {
	if x.dynamicStep == nil {
		x.dynamicStep = s
		return
	}
	d.add(s.offset, finding{"step-multi-dynamic", fmt.Sprintf("there is already a {N} step on line %d", d.headingLineNumber(x.dynamicStep)),
		"make this one a substep or a named step"})
}

func (d *document) headingLineNumber(u *parsedStep) int { return d.sourceLines.lineAt(u.offset) + 1 }

// numberSequenceChecker checks that numbers follow each other. After a wrong number, it continues from that
// number.
type numberSequenceChecker struct {
	document   *document
	lastNumber int
}

func (c *numberSequenceChecker) checkNumber(u *parsedStep) {
	if c.lastNumber++; u.number == c.lastNumber {
		return
	}
	code, place := "step-sequence", fmt.Sprintf("step %d", c.lastNumber)
	if u.parent != nil {
		code, place = "substep-sequence", fmt.Sprintf("%s.%d", u.parent.id, c.lastNumber)
	}
	c.document.add(u.offset, finding{code, fmt.Sprintf("found %s where %s is expected", u.nameForMessages(), place),
		"number them 1, 2, 3 … in the order of the file"})
	c.lastNumber = u.number
}

// indexSubsteps checks the IDs within one step, and returns the substeps by ID.
func (d *document) indexSubsteps(s *parsedStep) map[string]*parsedStep {
	ids := make(map[string]*parsedStep, len(s.substeps))
	count := numberSequenceChecker{document: d}
	mixed := false
	for _, u := range s.substeps {
		first := ids[u.id]
		switch {
		case u.kind == brokenKind:
		case u.heading.parent != s.id:
			d.add(u.offset, finding{"substep-parent", fmt.Sprintf("%s is in step %s", u.nameForMessages(), s.id),
				fmt.Sprintf("write ### %s.%s, or move it to its step", s.id, u.id)})
			if u.kind == staticKind { // count it, so that the next ones are not reported
				count.lastNumber = u.number
			}
		case first != nil:
			d.add(u.offset, finding{"substep-duplicate", fmt.Sprintf("there is already a %s on line %d", u.nameForMessages(), d.headingLineNumber(first)),
				"give this one another number or name"})
		default:
			ids[u.id] = u
			if ids["{n}"] != nil && len(ids) > 1 {
				if !mixed {
					d.add(u.offset, finding{"substep-mix", fmt.Sprintf("%s: a step can have one {n} substep or other substeps, not both", u.nameForMessages()),
						"make them two steps"})
				}
				mixed = true
			} else if u.kind == staticKind {
				count.checkNumber(u)
			}
		}
	}
	return ids
}
