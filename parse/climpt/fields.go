package climpt

import (
	"fmt"
	"slices"
	"strings"
)

// Fields reads the members of an object and reports those that are not as they
// should be. The zero Fields has no members. Each getter gives the zero value for
// a key that is absent or of another type.
type Fields struct {
	*Value
	report *Report
	codes  *Codes
}

// Codes are the codes of what can be wrong with a member.
type Codes struct{ Missing, Type, Enum string }

// OfRegistry are the codes of members of a registry, OfAgent those of agent.json.
var (
	OfRegistry = &Codes{"missing-field", "bad-type", "bad-enum"}
	OfAgent    = &Codes{"agent-field", "agent-field", "agent-field"}
)

// Fields is v as an object; what is there and is none is reported.
func (r *Report) Fields(v *Value, c *Codes) Fields {
	f := Fields{report: r, codes: c}
	if f.typed(v, Object) {
		f.Value = v
	}
	return f
}

// With is the same object with other codes.
func (f Fields) With(c *Codes) Fields {
	f.codes = c
	return f
}

// typed reports whether v is there and of a kind; what is of another is reported. What
// could not be read is reported as that alone.
func (f Fields) typed(v *Value, kind Kind) bool {
	if v == nil {
		return false
	}
	if v.Kind != kind && v.Kind != Broken {
		f.report.Error(v.Place(), f.codes.Type, fmt.Sprintf("%s is %s, but has to be %s", nameOf(v), article(v.Kind), article(kind)), "")
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

// Require reports the keys that are absent, or empty strings.
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

// String is a string.
func (f Fields) String(key string) string {
	if v := f.Get(key); f.typed(v, String) {
		return v.text
	}
	return ""
}

// Enum is a string that is one of a few.
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

// Bool is a boolean, otherwise if the key is absent.
func (f Fields) Bool(key string, otherwise bool) bool {
	if v := f.Get(key); f.typed(v, Boolean) {
		return v.truth
	}
	return otherwise
}

// Strings are those of an array of strings.
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

// Object is a member that is an object.
func (f Fields) Object(key string) Fields { return f.report.Fields(f.Get(key), f.codes) }

// Objects are the members of a map of objects, in the file's order: Key names
// each. Those of another type are reported and left out.
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

// maxSteps is how many steps a registry may have. Real ones have dozens.
const maxSteps = 20_000

// Steps are the steps of a registry, in the file's order. Too many are an error.
func (f Fields) Steps() []Fields {
	steps := f.Object("steps")
	if n := len(steps.Members()); n > maxSteps {
		f.report.Error(steps.Place(), "too-many-steps", fmt.Sprintf("there are %d steps; a registry has at most %d", n, maxSteps), "split it into several agents")
		return nil
	}
	return f.Objects("steps")
}

// Shown are the members of some keys as they are written, for show.
func (f Fields) Shown(keys ...string) map[string]any {
	out := make(map[string]any, len(keys))
	for _, k := range keys {
		if v := f.Get(k); v != nil {
			out[k] = v
		}
	}
	return out
}

// At is where the value of a key is, or the object if it has none.
func (f Fields) At(key string) Place {
	if v := f.Get(key); v != nil {
		return v.Place()
	}
	return f.Place()
}

// Check reports members that are there and of another kind than the one wanted:
// for those that are shown only.
func (f Fields) Check(kind Kind, keys ...string) {
	for _, k := range keys {
		f.typed(f.Get(k), kind)
	}
}
