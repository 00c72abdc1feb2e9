package rewrite

import (
	"reflect"
	"strings"
	"unsafe"

	"playhead/parse/plan"
)

// equal reports whether two values are the same wherever they stand: lines and columns
// do not count.
func equal(a, b any) bool { return comparing{}.same(reflect.ValueOf(a), reflect.ValueOf(b)) }

// comparing are the pairs of pointers that are looked at, since values may refer to
// each other.
type comparing map[[2]unsafe.Pointer]bool

var (
	spanType    = reflect.TypeFor[plan.Span]()
	passageType = reflect.TypeFor[plan.Passage]()
)

func (c comparing) same(a, b reflect.Value) bool {
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
	}
	return a.Equal(b)
}

func (c comparing) pointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
	if c[pair] {
		return true
	}
	c[pair] = true
	return c.same(a.Elem(), b.Elem())
}

func (c comparing) structs(a, b reflect.Value) bool {
	if a.Type() == spanType || a.Type() == passageType {
		return true
	}
	for i := range a.NumField() {
		switch strings.ToLower(a.Type().Field(i).Name) {
		case "line", "column":
			continue
		}
		if !c.same(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

func (c comparing) lists(a, b reflect.Value) bool {
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

func (c comparing) maps(a, b reflect.Value) bool {
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
