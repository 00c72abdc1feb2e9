package registry

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
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

// get is the value of a key.
func (m members) get(key string) (node, bool) {
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return nil, false
	}
	return m[i].value, true
}

// with is a copy in which a key is set, in its place or at the end.
func (m members) with(key string, value node) members {
	out := slices.Clone(m)
	i := slices.IndexFunc(m, func(x member) bool { return x.key == key })
	if i < 0 {
		return append(out, member{key, value})
	}
	out[i].value = value
	return out
}

// encode is a node as JSON, with <, > and & readable.
func encode(n node) []byte { return appendNode(make([]byte, 0, 256), n) }

// appendNode writes nodes itself: encoding/json would check each level anew.
func appendNode(b []byte, n node) []byte {
	switch n := n.(type) {
	case members:
		b = append(b, '{')
		for i, m := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, m.key)
			b = appendNode(append(b, ':'), m.value)
		}
		return append(b, '}')
	case []node:
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
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(n) != nil {
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSpace(out.Bytes())...)
}
