// Package stepflow parses Climpt's step flows (spec/climpt-stepflow.md) into Plans.
package stepflow

import (
	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// Parse compiles a step flow.
func Parse(f *climpt.Flow) *plan.Plan {
	return f.Finish(f.Plan())
}
