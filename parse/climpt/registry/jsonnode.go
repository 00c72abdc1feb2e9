package registry

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"playhead/parse/plan"
)

// jsonNode is a JSON value whose objects keep their key order: jsonMembers, []jsonNode, or what
// encoding/json uses for the rest.
type jsonNode any

// jsonMembers are the members of a JSON object, in order.
type jsonMembers []jsonMember

type jsonMember struct {
	key   string
	value jsonNode
}

func (m jsonMembers) get(key string) (jsonNode, bool) {
	i := slices.IndexFunc(m, func(x jsonMember) bool { return x.key == key })
	if i < 0 {
		return nil, false
	}
	return m[i].value, true
}

// with returns a copy with a key set, in its place or at the end.
func (m jsonMembers) with(key string, value jsonNode) jsonMembers {
	out := slices.Clone(m)
	i := slices.IndexFunc(m, func(x jsonMember) bool { return x.key == key })
	if i < 0 {
		return append(out, jsonMember{key, value})
	}
	out[i].value = value
	return out
}

// asMembers returns the members of an object, or nil for any other value.
func asMembers(n jsonNode) jsonMembers {
	o, _ := n.(jsonMembers)
	return o
}

// encodeNode returns a node as JSON without HTML escapes.
func encodeNode(n jsonNode) []byte { return appendNode(make([]byte, 0, 256), n) }

func jsonText(value any) string { return string(encodeNode(value)) }

// appendNode appends a node as JSON. It avoids encoding/json for containers, which would check every
// nested level again.
func appendNode(b []byte, n jsonNode) []byte {
	switch n := n.(type) {
	case jsonMembers:
		b = append(b, '{')
		for i, m := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, m.key)
			b = appendNode(append(b, ':'), m.value)
		}
		return append(b, '}')
	case []jsonNode:
		b = append(b, '[')
		for i, item := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNode(b, item)
		}
		return append(b, ']')
	case string:
		b, _ = jsontext.AppendQuote(b, n)
		return b
	case bool:
		return strconv.AppendBool(b, n)
	}
	text, err := plan.EncodeJSON(n)
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}
