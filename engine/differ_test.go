package engine_test

import (
	"fmt"
	"reflect"
	"time"

	"playhead/parse/plan"
)

// differ returns the first place where two values differ, empty if they do not. It reads unexported
// fields and follows cycles. Steps are the same if their IDs are, since two folds may have compiled the
// same text twice. Absent and empty are the same, as in a journal. Functions and times are not compared.
func differ(a, b any) string {
	return comparison{}.values(reflect.ValueOf(a), reflect.ValueOf(b))
}

// comparison holds the pairs of pointers that are being compared.
type comparison map[[2]uintptr]bool

var (
	planType = reflect.TypeFor[*plan.Plan]()
	stepType = reflect.TypeFor[plan.Step]()
	timeType = reflect.TypeFor[time.Time]()
)

// values returns the path to the first difference, and both values there. It formats text only for a difference.
func (c comparison) values(a, b reflect.Value) string {
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() == b.IsValid() {
			return ""
		}
		return fmt.Sprintf(": %v, %v", a, b)
	}
	if a.Type() != b.Type() {
		return fmt.Sprintf(": %s, %s", a.Type(), b.Type())
	}
	switch name := a.Type().String(); {
	case name == "*machine.stepGraph", name == "map[*plan.Plan]*machine.stepGraph", a.Type() == timeType, a.Kind() == reflect.Func:
		return ""
	case a.Type() == planType && !a.IsNil() && !b.IsNil():
		return c.values(a.Elem().FieldByName("Source"), b.Elem().FieldByName("Source"))
	case name == "machine.node":
		return c.values(a.FieldByName("step"), b.FieldByName("step"))
	case a.Type() == stepType:
		return c.values(a.FieldByName("ID"), b.FieldByName("ID"))
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() == b.IsNil() || !a.IsNil() && a.Elem().IsZero() || !b.IsNil() && b.Elem().IsZero() {
				return ""
			}
			return fmt.Sprintf(": %v, %v", a, b)
		}
		pair := [2]uintptr{a.Pointer(), b.Pointer()}
		if pair[0] == pair[1] || c[pair] {
			return ""
		}
		c[pair] = true
		return c.values(a.Elem(), b.Elem())
	case reflect.Interface:
		return c.values(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if d := c.values(a.Field(i), b.Field(i)); d != "" {
				return "." + a.Type().Field(i).Name + d
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return fmt.Sprintf(": %v, %v", a, b)
		}
		for i := range a.Len() {
			if d := c.values(a.Index(i), b.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Sprintf(": %v, %v", a, b)
		}
		for _, k := range a.MapKeys() {
			if d := c.values(a.MapIndex(k), b.MapIndex(k)); d != "" {
				return fmt.Sprintf("[%v]%s", k, d)
			}
		}
		return ""
	}
	if !a.Equal(b) {
		return fmt.Sprintf(": %v, %v", a, b)
	}
	return ""
}
