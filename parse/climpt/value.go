package climpt

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Kind is a kind of JSON value, as messages name it.
type Kind string

// The kinds of JSON values.
const (
	Object  Kind = "object"
	Array   Kind = "array"
	String  Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Null    Kind = "null"
)

// Value is a JSON value that knows where it stands. A nil Value is one that is not
// there: all methods take it.
type Value struct {
	Kind         Kind
	text         string // of a string; of a number, as it is written
	truth        bool
	items        []*Value
	members      []Member
	index        map[string]*Value // of an object that is not small
	up           *Value            // the object or array it is in
	key          string            // in an object
	nth          int               // in an array
	line, column int
	doc          *Document // of the root
}

// Member is a key of an object, and its value.
type Member struct {
	Key          string
	Value        *Value
	line, column int
}

// Place is a place in a file. Lines and columns count from 1, columns in runes.
type Place struct {
	File         string
	Line, Column int
	of           *Value // that it is the place of; nil: of none
}

// Pointer is the JSON pointer of the value at a place, "" where there is none.
func (p Place) Pointer() string { return p.of.Pointer() }

// small is the number of members that are looked through faster than hashed.
const small = 8

func (v *Value) add(m Member) {
	v.members = append(v.members, m)
	switch {
	case v.index != nil:
		v.index[m.Key] = m.Value
	case len(v.members) > small:
		v.index = make(map[string]*Value, 2*len(v.members))
		for _, m := range v.members {
			v.index[m.Key] = m.Value
		}
	}
}

// Get is the value of a key; nil if there is none, or v is no object.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	if v.index != nil {
		return v.index[key]
	}
	for _, m := range v.members {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// Has reports whether there is one of the keys.
func (v *Value) Has(keys ...string) bool {
	for _, k := range keys {
		if v.Get(k) != nil {
			return true
		}
	}
	return false
}

// Is reports whether v is there and of the kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Members are those of an object, in the file's order, each key once.
func (v *Value) Members() []Member {
	if v == nil {
		return nil
	}
	return v.members
}

// Items are those of an array.
func (v *Value) Items() []*Value {
	if v == nil {
		return nil
	}
	return v.items
}

// Text is a string, or a number as it is written; "" for anything else.
func (v *Value) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// True reports whether v is the boolean true.
func (v *Value) True() bool { return v != nil && v.truth }

// Int is the number as a whole one; ok is false for anything else.
func (v *Value) Int() (n int, ok bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// Float is the number; ok is false for anything else.
func (v *Value) Float() (f float64, ok bool) {
	if !v.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Key is the key of the value in its object, "" for what is in none.
func (v *Value) Key() string {
	if v == nil {
		return ""
	}
	return v.key
}

// Place is where the value begins.
func (v *Value) Place() Place {
	if v == nil {
		return Place{Line: 1, Column: 1}
	}
	return Place{File: v.document().File, Line: v.line, Column: v.column, of: v}
}

// Place is where the key of a member begins.
func (m Member) Place() Place {
	p := m.Value.Place()
	p.Line, p.Column = m.line, m.column
	return p
}

func (v *Value) document() *Document {
	for v.up != nil {
		v = v.up
	}
	return v.doc
}

// escapeToken writes a key as part of a JSON pointer (RFC 6901).
var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer is the JSON pointer of the value.
func (v *Value) Pointer() string {
	if v == nil || v.up == nil {
		return ""
	}
	token := escapeToken.Replace(v.key)
	if v.up.Kind == Array {
		token = strconv.Itoa(v.nth)
	}
	return v.up.Pointer() + "/" + token
}

// Any is the value as encoding/json would have it.
func (v *Value) Any() any {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case Object:
		out := make(map[string]any, len(v.members))
		for _, m := range v.members {
			out[m.Key] = m.Value.Any()
		}
		return out
	case Array:
		out := make([]any, len(v.items))
		for i, item := range v.items {
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
