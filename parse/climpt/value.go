package climpt

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// Kind is a kind of JSON value.
type Kind byte

// The kinds of JSON values.
const (
	Broken Kind = iota // could not be read
	Object
	Array
	String
	Number
	Boolean
	Null
)

// String returns the name for messages.
func (k Kind) String() string {
	return [...]string{"broken value", "object", "array", "string", "number", "boolean", "null"}[k]
}

// Value is a JSON value with its place. All methods accept a nil Value, which stands for a missing
// one.
type Value struct {
	Kind  Kind
	truth bool
	nth   int32             // in an array
	key   string            // in an object
	text  string            // of a string; of a number, as it is written
	below []*Value          // the members of an object, the items of an array
	index map[string]*Value // of an object that is not small
	up    *Value            // the object or array it is in
	at    position
	keyAt position
	doc   *Document // of the root
}

// position is a line and a column, in runes, from 1.
type position struct{ line, column int32 }

// Place is a place in a file. Lines and columns count from 1, columns in runes.
type Place struct {
	File         string
	Line, Column int
	of           *Value // that it is the place of; nil: of none
}

// Pointer returns the JSON pointer of the value at the place, or "".
func (p Place) Pointer() string { return p.of.Pointer() }

// small is the number of members up to which a search is faster than a map.
const small = 16

// Get returns the value of a key, or nil.
func (v *Value) Get(key string) *Value {
	if !v.Is(Object) {
		return nil
	}
	if v.index != nil {
		return v.index[key]
	}
	for _, m := range v.below {
		if m.key == key {
			return m
		}
	}
	return nil
}

// Has reports whether the object has one of the keys.
func (v *Value) Has(keys ...string) bool {
	for _, k := range keys {
		if v.Get(k) != nil {
			return true
		}
	}
	return false
}

// Is reports whether v exists and has the kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Members returns the values of an object in file order, each key once.
func (v *Value) Members() []*Value {
	if !v.Is(Object) {
		return nil
	}
	return v.below
}

// Items returns the items of an array.
func (v *Value) Items() []*Value {
	if !v.Is(Array) {
		return nil
	}
	return v.below
}

// Text returns a string, or a number as written, or "".
func (v *Value) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// True reports whether v is the boolean true.
func (v *Value) True() bool { return v != nil && v.truth }

// Int returns a whole number; ok is false for anything else.
func (v *Value) Int() (n int, ok bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// Float returns a number; ok is false for anything else.
func (v *Value) Float() (f float64, ok bool) {
	if !v.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Key returns the key of the value in its object, or "".
func (v *Value) Key() string {
	if v == nil {
		return ""
	}
	return v.key
}

// Place returns where the value begins.
func (v *Value) Place() Place {
	if v == nil {
		return Place{Line: 1, Column: 1}
	}
	return v.place(v.at)
}

// KeyPlace returns where the key of a member begins.
func (v *Value) KeyPlace() Place { return v.place(v.keyAt) }

func (v *Value) place(at position) Place {
	return Place{File: v.document().File, Line: int(at.line), Column: int(at.column), of: v}
}

func (v *Value) document() *Document {
	for v.up != nil {
		v = v.up
	}
	return v.doc
}

// escapeToken encodes a key for a JSON pointer (RFC 6901).
var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the JSON pointer of the value.
func (v *Value) Pointer() string {
	if v == nil || v.up == nil {
		return ""
	}
	token := escapeToken.Replace(v.key)
	if v.up.Kind == Array {
		token = strconv.Itoa(int(v.nth))
	}
	return v.up.Pointer() + "/" + token
}

// MarshalJSON implements json.Marshaler. Keys are sorted.
func (v *Value) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the caller's encoder decides
	err := enc.Encode(v.Any())
	return b.Bytes(), err
}

// Any returns the value in the types of encoding/json.
func (v *Value) Any() any {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case Object:
		out := make(map[string]any, len(v.below))
		for _, m := range v.below {
			out[m.key] = m.Any()
		}
		return out
	case Array:
		out := make([]any, len(v.below))
		for i, item := range v.below {
			out[i] = item.Any()
		}
		return out
	case String:
		return v.text
	case Number:
		return json.Number(v.text)
	case Boolean:
		return v.truth
	}
	return nil
}

// MemberAt returns the excerpt of the member of an object whose key or value begins at a place.
func MemberAt(at Place) plan.Excerpt {
	return plan.Excerpt{File: at.File, Span: plan.Span{Line: at.Line, Column: at.Column, End: at.Line}, Member: true}
}
