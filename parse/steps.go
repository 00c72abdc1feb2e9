package parse

import (
	"fmt"

	"playhead/parse/plan"
)

// EditSteps returns the file of a document with a change of its steps: numbers, and the routes and
// variables that name them, follow. p is the document as it is now.
func EditSteps(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	f := byFormat(p.Format)
	if f == nil || f.steps == nil {
		return nil, fmt.Errorf("the steps of a %s follow from its transitions, not from their order: edit the file and reload it", p.Kind)
	}
	text, err := f.steps(p, e)
	return []byte(text), err
}
