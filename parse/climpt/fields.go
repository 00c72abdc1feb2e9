package climpt

import (
	"fmt"
	"slices"
	"strings"
)

// Fields reads the members of an object and reports wrong types. The zero Fields has no members.
// Getters return the zero value for a missing key or another type.
type Fields struct {
	*Value
	report *Report
	codes  *Codes
}

// Codes are the diagnostic codes for problems of a member.
type Codes struct{ Missing, Type, Enum string }

// OfRegistry are the codes for members of a registry, OfAgent those for agent.json.
var (
	OfRegistry = &Codes{"missing-field", "bad-type", "bad-enum"}
	OfAgent    = &Codes{"agent-field", "agent-field", "agent-field"}
)

// Fields returns v as an object. It reports any other type.
func (r *Report) Fields(v *Value, c *Codes) Fields {
	f := Fields{report: r, codes: c}
	if f.typed(v, Object) {
		f.Value = v
	}
	return f
}

// With returns the same object with other codes.
func (f Fields) With(c *Codes) Fields {
	f.codes = c
	return f
}

// typed reports whether v exists and has a kind. It adds a diagnostic for another kind, except for
// a value that could not be read.
func (f Fields) typed(v *Value, kind Kind) bool {
	if v == nil {
		return false
	}
	if v.Kind != kind && v.Kind != Broken {
		f.report.Error(v.Place(), f.codes.Type, fmt.Sprintf("%s is %s, but must be %s", nameOf(v), article(v.Kind), article(kind)), "")
	}
	return v.Kind == kind
}

func nameOf(v *Value) string {
	if v.key != "" {
		return v.key
	}
	return "this"
}

func article(k Kind) string {
	switch k {
	case Object, Array:
		return "an " + k.String()
	case Null:
		return "null"
	}
	return "a " + k.String()
}

// Require reports keys that are missing or empty strings.
func (f Fields) Require(keys ...string) {
	if f.Value == nil {
		return
	}
	for _, k := range keys {
		switch v := f.Get(k); {
		case v == nil:
			f.report.Error(f.Place(), f.codes.Missing, k+" is missing", fmt.Sprintf("add %q", k))
		case v.Kind == String && v.text == "":
			f.report.Error(v.Place(), f.codes.Missing, k+" is empty", "give it a value")
		}
	}
}

// String returns a string member.
func (f Fields) String(key string) string {
	if v := f.Get(key); f.typed(v, String) {
		return v.text
	}
	return ""
}

// Enum returns a string member that must be one of the allowed values.
func (f Fields) Enum(key string, allowed ...string) string {
	v := f.Get(key)
	if !f.typed(v, String) {
		return ""
	}
	if !slices.Contains(allowed, v.text) {
		f.report.Error(v.Place(), f.codes.Enum, fmt.Sprintf("%s is %q", key, v.text), "use one of "+strings.Join(allowed, ", "))
		return ""
	}
	return v.text
}

// Bool returns a boolean member, or otherwise if it is missing.
func (f Fields) Bool(key string, otherwise bool) bool {
	if v := f.Get(key); f.typed(v, Boolean) {
		return v.truth
	}
	return otherwise
}

// Strings returns the strings of an array.
func (f Fields) Strings(key string) []string {
	v := f.Get(key)
	if !f.typed(v, Array) {
		return nil
	}
	var out []string
	for _, item := range v.below {
		if f.typed(item, String) {
			out = append(out, item.text)
		}
	}
	return out
}

// Object returns a member that is an object.
func (f Fields) Object(key string) Fields { return f.report.Fields(f.Get(key), f.codes) }

// Objects returns the members of a map of objects in file order. It reports and skips other types.
func (f Fields) Objects(key string) []Fields {
	members := f.Object(key).Members()
	out := make([]Fields, 0, len(members))
	for _, m := range members {
		if o := f.report.Fields(m, f.codes); o.Value != nil {
			out = append(out, o)
		}
	}
	return out
}

// maxSteps is the most steps that a registry may have. Real ones have dozens.
const maxSteps = 20_000

// Steps returns the steps of a registry in file order, or reports too many.
func (f Fields) Steps() []Fields {
	steps := f.Object("steps")
	if n := len(steps.Members()); n > maxSteps {
		f.report.Error(steps.Place(), "too-many-steps", fmt.Sprintf("there are %d steps; a registry has at most %d", n, maxSteps), "split it into several agents")
		return nil
	}
	return f.Objects("steps")
}

// Shown returns the members of some keys as written, for display.
func (f Fields) Shown(keys ...string) map[string]any {
	out := make(map[string]any, len(keys))
	for _, k := range keys {
		if v := f.Get(k); v != nil {
			out[k] = v
		}
	}
	return out
}

// At returns the place of a value, or of the object if the key is missing.
func (f Fields) At(key string) Place {
	if v := f.Get(key); v != nil {
		return v.Place()
	}
	return f.Place()
}

// Check reports members of another kind, for keys that are only displayed.
func (f Fields) Check(kind Kind, keys ...string) {
	for _, k := range keys {
		f.typed(f.Get(k), kind)
	}
}
