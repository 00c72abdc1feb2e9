package track

import (
	"slices"

	"playhead/parse/plan"
)

// Checks are what the row's outcome was judged by: the one it has come to, or the one
// that is held for a person.
func (r *Row) Checks() []plan.Check {
	newest := r.Newest()
	switch {
	case r.Outcome != nil:
		return r.Outcome.Checks
	case newest == nil || !r.Status.Open():
		return nil
	}
	for _, a := range slices.Backward(r.Last().Actions) {
		if a.Outcome != nil && (a == newest || a.Index != newest.Index) {
			return a.Outcome.Checks
		}
	}
	return nil
}
