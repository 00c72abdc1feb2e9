package journal

import (
	"bytes"
	"encoding/json"
)

// scope says what is masked in a part of an event.
type scope int

const (
	free  scope = iota // strings, but for the keys that are fixed
	fixed              // nothing
	named              // the values of an object whose keys the document names
	given              // everything, keys and numbers too: data from elsewhere
)

// scopes are the keys of an event whose values are not free text. Data from
// elsewhere has none of these: a variable may well be called id.
var scopes = map[string]scope{
	"seq": fixed, "time": fixed, "type": fixed, "run": fixed, "step": fixed, "id": fixed, "by": fixed,
	"kind": fixed, "result": fixed, "results": fixed, "intent": fixed, "code": fixed, "signal": fixed, "options": fixed,
	"format": fixed, "path": fixed, "language": fixed, "document": fixed, "documents": fixed, "label": fixed, "file": fixed,
	"variable": fixed, "to": fixed, "frame": fixed, "caller": fixed, "spent": fixed, "spent_in": fixed,
	"inputs": named, "variables": named, "value": given, "data": given,
}

// loadKey is the part of a run's options that holds what flags said: a secret too.
const loadKey = "load"

// line masks an encoded event.
func (m *masker) line(in []byte) ([]byte, error) {
	if !m.suspects(in) {
		return in, nil
	}
	return m.rewrite(in)
}

// rewrite copies an encoded event without its secrets.
func (m *masker) rewrite(in []byte) ([]byte, error) {
	w := maskWriter{masker: m, in: json.NewDecoder(bytes.NewReader(in))}
	w.in.UseNumber()
	w.out.Grow(len(in) + 1)
	if err := w.value(free); err != nil {
		return nil, err
	}
	return w.out.Bytes(), nil
}

// maskWriter copies one JSON value, token by token and so in its order.
type maskWriter struct {
	*masker
	in  *json.Decoder
	out bytes.Buffer
}

func (w *maskWriter) value(s scope) error {
	tok, err := w.in.Token()
	if err != nil {
		return err
	}
	switch t := tok.(type) {
	case json.Delim:
		return w.container(t, s)
	case string:
		w.text(t, s != fixed)
	case json.Number:
		if s == given && w.numbers[t.String()] {
			w.text(Masked, false)
		} else {
			w.out.WriteString(t.String())
		}
	default:
		w.out.Write(encode(t))
	}
	return nil
}

func (w *maskWriter) container(open json.Delim, s scope) error {
	w.out.WriteByte(byte(open))
	for first := true; w.in.More(); first = false {
		if !first {
			w.out.WriteByte(',')
		}
		inner := s
		if open == '{' {
			var err error
			if inner, err = w.key(s); err != nil {
				return err
			}
		}
		if err := w.value(inner); err != nil {
			return err
		}
	}
	end, err := w.in.Token()
	if err != nil {
		return err
	}
	w.out.WriteByte(byte(end.(json.Delim)))
	return nil
}

// key copies a key, and says what is masked in its value.
func (w *maskWriter) key(s scope) (scope, error) {
	tok, err := w.in.Token()
	if err != nil {
		return s, err
	}
	key := tok.(string)
	w.text(key, s == given)
	w.out.WriteByte(':')
	switch s {
	case free:
		return scopes[key], nil
	case named:
		return given, nil
	case fixed:
		if key == loadKey {
			return named, nil
		}
	}
	return s, nil
}

func (w *maskWriter) text(s string, mask bool) {
	if mask {
		s = w.masker.text(s)
	}
	w.out.Write(encode(s))
}
