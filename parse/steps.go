package parse

import (
	"fmt"

	"playhead/parse/plan"
)

// EditSteps returns the text of a document with a change of its steps. Numbers are updated, and so
// are the routes and variables that refer to them. p is the current document.
func EditSteps(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	f := byFormat(p.Format)
	if f == nil || f.steps == nil {
		return nil, fmt.Errorf("the transitions of a %s determine its order of steps: edit the file and reload it", p.Kind)
	}
	text, err := f.steps(p, e)
	return []byte(text), err
}
