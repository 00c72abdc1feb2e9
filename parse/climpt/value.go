package climpt

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

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

// String returns the name of the kind for messages.
func (k Kind) String() string {
	return [...]string{"broken value", "object", "array", "string", "number", "boolean", "null"}[k]
}

// Value is a JSON value with its place. A nil Value stands for a missing one: all methods accept it, except
// LastLine and KeyPlace.
type Value struct {
	Kind        Kind
	boolValue   bool
	arrayIndex  int32             // the index in its array
	key         string            // the key in its object
	text        string            // of a string; of a number, as it is written
	children    []*Value          // the members of an object, the items of an array
	memberByKey map[string]*Value // the members by key, of a large object
	parent      *Value            // the object or array it is in
	start       position
	keyStart    position
	doc         *Document // of the root value only
}

// position is a line and a column, in runes, from 1.
type position struct{ line, column int32 }

// Place is a place in a file. Lines and columns count from 1, columns in runes.
type Place struct {
	File         string
	Line, Column int
	value        *Value // the value that begins here; nil: none
}

// Pointer returns the JSON pointer of the value at the place, or "".
func (p Place) Pointer() string { return p.value.Pointer() }

// Span returns the place as a span of one line. A place without a line becomes the beginning of the file.
func (p Place) Span() plan.Span {
	return plan.Span{Line: max(p.Line, 1), Column: max(p.Column, 1), LastLine: max(p.Line, 1)}
}

// maxMembersWithoutIndex is the number of members up to which a search is faster than a map.
const maxMembersWithoutIndex = 16

// Get returns the value of a key, or nil.
func (v *Value) Get(key string) *Value {
	if !v.Is(Object) {
		return nil
	}
	if v.memberByKey != nil {
		return v.memberByKey[key]
	}
	for _, m := range v.children {
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

// Is reports whether v is not nil and has the kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Members returns the values of an object in file order, each key once, or nil.
func (v *Value) Members() []*Value {
	if !v.Is(Object) {
		return nil
	}
	return v.children
}

// Items returns the items of an array, or nil.
func (v *Value) Items() []*Value {
	if !v.Is(Array) {
		return nil
	}
	return v.children
}

// Text returns a string, or a number as written, or "".
func (v *Value) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// Int returns a whole number; ok is false for anything else. A number outside the range of int becomes
// the smallest or largest int.
func (v *Value) Int() (n int, ok bool) {
	if !v.Is(Number) {
		return 0, false
	}
	n, err := strconv.Atoi(v.text)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return n, true
	}
	switch f, _ := strconv.ParseFloat(v.text, 64); {
	case f != math.Trunc(f):
		return 0, false
	case f >= math.MaxInt:
		return math.MaxInt, true
	case f <= math.MinInt:
		return math.MinInt, true
	default:
		return int(f), true
	}
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

// Place returns where the value begins. A nil Value has a place without a file.
func (v *Value) Place() Place {
	if v == nil {
		return Place{Line: 1, Column: 1}
	}
	return v.placeAt(v.start)
}

// LastLine returns the line on which the last value in it begins.
func (v *Value) LastLine() int {
	for len(v.children) > 0 {
		v = v.children[len(v.children)-1]
	}
	return int(v.start.line)
}

// KeyPlace returns where the key of a member begins.
func (v *Value) KeyPlace() Place { return v.placeAt(v.keyStart) }

func (v *Value) placeAt(at position) Place {
	return Place{File: v.document().File, Line: int(at.line), Column: int(at.column), value: v}
}

func (v *Value) document() *Document {
	for v.parent != nil {
		v = v.parent
	}
	return v.doc
}

// Pointer returns the JSON pointer of the value (RFC 6901), "" for the root.
func (v *Value) Pointer() string {
	if v == nil || v.parent == nil {
		return ""
	}
	token := v.key
	if v.parent.Kind == Array {
		token = strconv.Itoa(int(v.arrayIndex))
	}
	return string(jsontext.Pointer(v.parent.Pointer()).AppendToken(token))
}

// MarshalJSON implements json.Marshaler. It sorts keys.
func (v *Value) MarshalJSON() ([]byte, error) {
	return plan.EncodeJSON(v.GoValue()) // the caller's encoder decides what to escape
}

// GoValue returns the value in the types of encoding/json, with numbers as json.Number.
func (v *Value) GoValue() any {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case Object:
		out := make(map[string]any, len(v.children))
		for _, m := range v.children {
			out[m.key] = m.GoValue()
		}
		return out
	case Array:
		out := make([]any, len(v.children))
		for i, item := range v.children {
			out[i] = item.GoValue()
		}
		return out
	case String:
		return v.text
	case Number:
		return json.Number(v.text)
	case Boolean:
		return v.boolValue
	}
	return nil
}

// MemberLocation returns the location of the member of an object whose key or value begins at a place.
func MemberLocation(at Place) plan.TextLocation {
	return plan.TextLocation{File: at.File, Span: at.Span(), IsJSONMember: true}
}
