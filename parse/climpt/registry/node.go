package registry

import (
	"bytes"
	"encoding/json"
	"slices"

	"playhead/parse/climpt"
)

// node is a JSON value whose objects keep the order of their keys: a members, a []node,
// or what encoding/json has for the rest.
type node any

// members are an object's.
type members []member

type member struct {
	key   string
	value node
}

// nodeOf is a value as it is written.
func nodeOf(v *climpt.Value) node {
	switch v.Kind {
	case climpt.Object:
		out := make(members, 0, len(v.Members()))
		for _, m := range v.Members() {
			out = append(out, member{m.Key, nodeOf(m.Value)})
		}
		return out
	case climpt.Array:
		out := make([]node, 0, len(v.Items()))
		for _, item := range v.Items() {
			out = append(out, nodeOf(item))
		}
		return out
	}
	return v.Any()
}

// get is the value of a key.
func (m members) get(key string) (node, bool) {
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return nil, false
	}
	return m[i].value, true
}

// with sets a key, in its place or at the end.
func (m members) with(key string, value node) members {
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return append(m, member{key, value})
	}
	m[i].value = value
	return m
}

// MarshalJSON keeps the order.
func (m members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(x.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(x.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is a node as JSON.
func encode(n node) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(n) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}
