package match

import (
	"reflect"
	"strings"
	"unsafe"

	"playhead/parse/plan"
)

// EqualExceptPositions reports whether two values of a Plan are equal apart from their positions: lines,
// columns and places in files do not count.
func EqualExceptPositions(a, b any) bool { return comparison{}.equal(a, b) }

// comparison says how values are compared. IDs and variables of the old document are mapped to
// those of the new one.
type comparison struct {
	newIDByOld       map[string]string // of steps; nil: unchanged
	newVariableByOld map[string]string
	normalizeText    func(string) string        // replaces the places of files in texts; nil: unchanged
	resultByPair     map[[2]unsafe.Pointer]bool // the results for pairs of pointers, because values may refer to each other
}

var (
	spanType         = reflect.TypeFor[plan.Span]()
	textLocationType = reflect.TypeFor[plan.TextLocation]()
)

func (c comparison) equal(a, b any) bool {
	if c.resultByPair == nil {
		c.resultByPair = map[[2]unsafe.Pointer]bool{}
	}
	return c.equalValues(reflect.ValueOf(a), reflect.ValueOf(b))
}

func (c comparison) equalValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		return c.equalPointers(a, b)
	case reflect.Interface:
		return c.equalValues(a.Elem(), b.Elem())
	case reflect.Struct:
		return c.equalStructs(a, b)
	case reflect.Slice, reflect.Array:
		return c.equalLists(a, b)
	case reflect.Map:
		return c.equalMaps(a, b)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	case reflect.String:
		x, y := a.String(), b.String()
		return x == y || c.newVariableByOld[x] == y && y != "" || c.normalizeText != nil && c.normalizeText(x) == c.normalizeText(y)
	}
	return a.Equal(b)
}

func (c comparison) equalPointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
	if same, known := c.resultByPair[pair]; known {
		return same
	}
	c.resultByPair[pair] = true
	c.resultByPair[pair] = c.equalValues(a.Elem(), b.Elem())
	return c.resultByPair[pair]
}

func (c comparison) equalStructs(a, b reflect.Value) bool {
	if a.Type() == spanType || a.Type() == textLocationType {
		return true
	}
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if strings.HasSuffix(name, "Line") || name == "line" || strings.EqualFold(name, "column") {
			continue
		}
		x, y := a.Field(i), b.Field(i)
		if names := c.newNamesInField(a.Type(), name); names != nil && x.Kind() == reflect.String {
			if old := x.String(); names[old] != "" && names[old] == y.String() {
				continue
			}
		}
		if !c.equalValues(x, y) {
			return false
		}
	}
	return true
}

// The types of a Plan that have a field with the ID of a step.
var (
	targetType         = reflect.TypeFor[plan.Target]()
	pieceType          = reflect.TypeFor[plan.TextPiece]()
	failureMessageType = reflect.TypeFor[plan.FailureMessage]()
)

func (c comparison) newNamesInField(t reflect.Type, field string) map[string]string {
	switch {
	case t == targetType && field == "Step", t == pieceType && field == "TemplateStep", t == failureMessageType && field == "Label":
		return c.newIDByOld
	}
	return nil
}

func (c comparison) equalLists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.equalValues(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func (c comparison) equalMaps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for each := a.MapRange(); each.Next(); {
		if !c.equalValues(each.Value(), b.MapIndex(each.Key())) {
			return false
		}
	}
	return true
}
