package climpt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fields reads the members of a JSON object and reports wrong types. Without an object, Value is nil.
// Getters return the zero value for a missing key or another type.
type Fields struct {
	*Value
	collector *DiagnosticCollector
	codes     *DiagnosticCodes
}

// DiagnosticCodes are the diagnostic codes for a member that is missing or empty, has the wrong type, or is
// none of the allowed values.
type DiagnosticCodes struct{ Missing, Type, Enum string }

// The diagnostic codes for members of a registry, and for those of agent.json.
var (
	RegistryDiagnosticCodes = &DiagnosticCodes{"missing-field", "bad-type", "bad-enum"}
	AgentDiagnosticCodes    = &DiagnosticCodes{"agent-field", "agent-field", "agent-field"}
)

// Fields returns the fields of v. If v is not an object, it reports that, and there are none. A nil v is not
// reported.
func (dc *DiagnosticCollector) Fields(v *Value, c *DiagnosticCodes) Fields {
	f := Fields{collector: dc, codes: c}
	if f.checkValueKind(v, Object) {
		f.Value = v
	}
	return f
}

// WithCodes returns the same object with other codes.
func (f Fields) WithCodes(c *DiagnosticCodes) Fields {
	f.codes = c
	return f
}

// checkValueKind reports whether v exists and has a kind. It adds a diagnostic for another kind, except for
// a value that could not be read.
func (f Fields) checkValueKind(v *Value, kind Kind) bool {
	if v == nil {
		return false
	}
	if v.Kind != kind && v.Kind != Broken {
		f.collector.Error(v.Place(), f.codes.Type, fmt.Sprintf("%s is %s, but must be %s", keyForMessage(v), kindWithArticle(v.Kind), kindWithArticle(kind)), "")
	}
	return v.Kind == kind
}

func keyForMessage(v *Value) string {
	if v.key != "" {
		return v.key
	}
	return "this"
}

func kindWithArticle(k Kind) string {
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
			f.collector.Error(f.Place(), f.codes.Missing, k+" is missing", fmt.Sprintf("add %q", k))
		case v.Kind == String && v.text == "":
			f.collector.Error(v.Place(), f.codes.Missing, k+" is empty", "give it a value")
		}
	}
}

// String returns a string member.
func (f Fields) String(key string) string {
	if v := f.Get(key); f.checkValueKind(v, String) {
		return v.text
	}
	return ""
}

// Enum returns a string member that must be one of the allowed values.
func (f Fields) Enum(key string, allowed ...string) string {
	v := f.Get(key)
	if !f.checkValueKind(v, String) {
		return ""
	}
	if !slices.Contains(allowed, v.text) {
		f.collector.Error(v.Place(), f.codes.Enum, fmt.Sprintf("%s cannot be %q", key, v.text), "use one of "+strings.Join(allowed, ", "))
		return ""
	}
	return v.text
}

// Bool returns a boolean member, or otherwise if it is missing or has another type.
func (f Fields) Bool(key string, otherwise bool) bool {
	if v := f.Get(key); f.checkValueKind(v, Boolean) {
		return v.boolValue
	}
	return otherwise
}

// Strings returns the strings of an array member. It reports and skips other items.
func (f Fields) Strings(key string) []string {
	v := f.Get(key)
	if !f.checkValueKind(v, Array) {
		return nil
	}
	var out []string
	for _, item := range v.children {
		if f.checkValueKind(item, String) {
			out = append(out, item.text)
		}
	}
	return out
}

// Object returns a member that is an object.
func (f Fields) Object(key string) Fields { return f.collector.Fields(f.Get(key), f.codes) }

// Objects returns the members of an object that maps keys to objects, in file order. It reports and skips
// members of other types.
func (f Fields) Objects(key string) []Fields {
	members := f.Object(key).Members()
	out := make([]Fields, 0, len(members))
	for _, m := range members {
		if o := f.collector.Fields(m, f.codes); o.Value != nil {
			out = append(out, o)
		}
	}
	return out
}

// maxSteps limits the steps of a registry. Real registries have dozens.
const maxSteps = 20_000

// Steps returns the steps of a registry in file order. It reports if there are none, or too many, of which
// it returns none.
func (f Fields) Steps() []Fields {
	steps := f.Object("steps")
	n := len(steps.Members())
	if steps.Value != nil && n == 0 {
		f.collector.Error(steps.Place(), f.codes.Missing, "there are no steps", "add one")
	}
	if n > maxSteps {
		f.collector.Error(steps.Place(), "too-many-steps", fmt.Sprintf("there are %d steps; a registry may have at most %d", n, maxSteps), "split it into several agents")
		return nil
	}
	return f.Objects("steps")
}

// StepName returns the name of a step, or its ID if it has none, which it reports.
func (f Fields) StepName() string {
	if !f.Has("name") {
		f.collector.Warn(f.Place(), "defaulted", f.Key()+" has no name: its id is shown", `add "name"`)
	}
	return cmp.Or(f.String("name"), f.Key())
}

// MembersForDisplay returns the values of the given keys as written, for display.
func (f Fields) MembersForDisplay(keys ...string) map[string]any {
	out := make(map[string]any, len(keys))
	for _, k := range keys {
		if v := f.Get(k); v != nil {
			out[k] = v
		}
	}
	return out
}

// PlaceOf returns the place of a value, or of the object if the key is missing.
func (f Fields) PlaceOf(key string) Place {
	if v := f.Get(key); v != nil {
		return v.Place()
	}
	return f.Place()
}

// CheckKinds reports those of the keys whose values have another kind. It is for keys that are not read.
func (f Fields) CheckKinds(kind Kind, keys ...string) {
	for _, k := range keys {
		f.checkValueKind(f.Get(k), kind)
	}
}
