package machine

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"playhead/parse/plan"
)

// Differ returns where the states of two machines differ, "" if they do not. Empty and absent are
// the same, because a journal does not distinguish them.
func Differ(a, b *Machine) string {
	return cmp.Diff(a.state, b.state, Alike, cmpopts.IgnoreFields(documentFrame{}, "graph"))
}

// Alike compares the values of a machine's state; it compares steps by their IDs.
var Alike = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b *node) bool { return a == b || a != nil && b != nil && a.step.ID == b.step.ID }),
	cmp.Comparer(func(a, b *plan.Step) bool { return a == b || a != nil && b != nil && a.ID == b.ID }),
	cmp.Transformer("call", func(c *Call) Call {
		if c == nil {
			return Call{}
		}
		return *c
	}),
}
