package match

import (
	"reflect"
	"strings"
	"unsafe"

	"playhead/parse/plan"
)

// Equal reports whether two values of a Plan are equal apart from their positions: lines, columns
// and places in files do not count.
func Equal(a, b any) bool { return comparison{}.equal(a, b) }

// comparison says how values are compared. IDs and variables of the old document are mapped to
// those of the new one.
type comparison struct {
	ids       map[string]string // of steps; nil: unchanged
	variables map[string]string
	text      func(string) string        // replaces the places of files in texts; nil: unchanged
	seen      map[[2]unsafe.Pointer]bool // the results for pairs of pointers, because values may refer to each other
}

var (
	spanType    = reflect.TypeFor[plan.Span]()
	excerptType = reflect.TypeFor[plan.Excerpt]()
)

func (c comparison) equal(a, b any) bool {
	if c.seen == nil {
		c.seen = map[[2]unsafe.Pointer]bool{}
	}
	return c.same(reflect.ValueOf(a), reflect.ValueOf(b))
}

func (c comparison) same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		return c.pointers(a, b)
	case reflect.Interface:
		return c.same(a.Elem(), b.Elem())
	case reflect.Struct:
		return c.structs(a, b)
	case reflect.Slice, reflect.Array:
		return c.lists(a, b)
	case reflect.Map:
		return c.maps(a, b)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	case reflect.String:
		x, y := a.String(), b.String()
		return x == y || c.variables[x] == y && y != "" || c.text != nil && c.text(x) == c.text(y)
	}
	return a.Equal(b)
}

func (c comparison) pointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
	if same, known := c.seen[pair]; known {
		return same
	}
	c.seen[pair] = true
	c.seen[pair] = c.same(a.Elem(), b.Elem())
	return c.seen[pair]
}

func (c comparison) structs(a, b reflect.Value) bool {
	if a.Type() == spanType || a.Type() == excerptType {
		return true
	}
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if strings.HasSuffix(name, "Line") || name == "line" || strings.EqualFold(name, "column") {
			continue
		}
		x, y := a.Field(i), b.Field(i)
		if names := c.renamed(a.Type(), name); names != nil && x.Kind() == reflect.String {
			if old := x.String(); names[old] != "" && names[old] == y.String() {
				continue
			}
		}
		if !c.same(x, y) {
			return false
		}
	}
	return true
}

// The types of a Plan that have a field with the ID of a step.
var (
	targetType = reflect.TypeFor[plan.Target]()
	pieceType  = reflect.TypeFor[plan.Piece]()
	failedType = reflect.TypeFor[plan.Failure]()
)

func (c comparison) renamed(t reflect.Type, field string) map[string]string {
	switch {
	case t == targetType && field == "Step", t == pieceType && field == "Instance", t == failedType && field == "Label":
		return c.ids
	}
	return nil
}

func (c comparison) lists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.same(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func (c comparison) maps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for each := a.MapRange(); each.Next(); {
		if !c.same(each.Value(), b.MapIndex(each.Key())) {
			return false
		}
	}
	return true
}
