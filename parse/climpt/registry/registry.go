// Package registry parses Climpt's registries with structured gates
// (spec/climpt-registry.md) into Plans.
package registry

import (
	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// Parse compiles a registry. For now it says that it cannot.
func Parse(f *climpt.Flow) *plan.Plan {
	f.Error(climpt.Place{File: f.File}, "unsupported", "registries with gates are not run yet", "open it with a version that runs it")
	return f.Finish(f.Plan())
}
