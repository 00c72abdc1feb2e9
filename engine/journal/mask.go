package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Masked replaces a secret in the journal.
const Masked = logs.SecretPlaceholder

// masker removes secrets from encoded events. It works on decoded strings, so that an escape cannot
// hide a secret, and a secret like "n" cannot break an escape.
//
// Strings that the machine folds, its own terms and the names that documents give, stay unchanged,
// so that a run whose secret is "pass" can still be read. The keys of scopes exempt these strings.
// The strings of all other keys are masked, including unknown keys.
type masker struct {
	values   []string
	replacer *strings.Replacer // also matches secrets with hidden characters
	visible  *logs.Secrets     // the secrets as a person would read them
	numbers  map[string]bool   // secrets as JSON numbers
	needles  [][]byte          // what an event with a secret contains, encoded as JSON
}

func (m *masker) with(values []string) *masker {
	next := &masker{numbers: map[string]bool{}}
	if m != nil {
		next.values = slices.Clone(m.values)
	}
	for _, v := range values {
		if v = roundTrip(v); strings.TrimSpace(v) != "" {
			next.values = append(next.values, v, strings.TrimSpace(v))
		}
	}
	// The longer of two secrets that begin alike is found first.
	slices.SortFunc(next.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	next.values = slices.Compact(next.values)
	if len(next.values) == 0 {
		return nil
	}
	next.visible = logs.NewSecrets(next.values)
	var pairs []string
	for _, v := range next.values {
		pairs = append(pairs, v, Masked)
		next.number(v)
	}
	next.replacer = strings.NewReplacer(pairs...)
	for _, v := range append(next.visible.Forms(), next.values...) {
		text := encode(v)
		next.needles = append(next.needles, text[1:len(text)-1])
	}
	return next
}

// text returns a text without the secrets.
func (m *masker) text(text string) string { return m.replacer.Replace(m.visible.Text(text)) }

// number adds the forms in which an event may hold the secret as a number.
func (m *masker) number(v string) {
	m.numbers[v] = true
	n, err := strconv.ParseFloat(v, 64)
	if text := encode(n); err == nil && text != nil {
		m.numbers[string(text)] = true
		m.needles = append(m.needles, text)
	}
}

// mayHaveSecret reports whether an encoded event may contain a secret: literally, or with hidden
// characters in it. A line of printable ASCII has no hidden characters.
func (m *masker) mayHaveSecret(line []byte) bool {
	for i, b := range line {
		if b >= utf8.RuneSelf || b == '\\' && i+1 < len(line) && bytes.IndexByte([]byte("ubfnrt/"), line[i+1]) >= 0 {
			return true
		}
	}
	return slices.ContainsFunc(m.needles, func(needle []byte) bool { return bytes.Contains(line, needle) })
}

// roundTrip returns a value after a round trip through JSON.
func roundTrip(value string) (plain string) {
	_ = json.Unmarshal(encode(value), &plain) // encode wrote valid JSON
	return plain
}

// encode returns JSON in which <, > and & are not escaped, as in events. It returns nil for a value
// that JSON cannot hold, such as NaN.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// MaskText returns a text without the secrets.
func (r *Run) MaskText(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return text
	}
	return r.mask.text(text)
}

// MaskEvent returns the event as the journal has it, without the secrets. Only the machine sees
// unmasked events.
func (r *Run) MaskEvent(e machine.Event) machine.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return e
	}
	line, err := e.MarshalJSON()
	if err == nil && !r.mask.mayHaveSecret(line) {
		return e
	}
	var out machine.Event
	if err == nil {
		plain := line
		if line, err = r.mask.rewrite(plain); bytes.Equal(line, plain) {
			return e
		}
	}
	if err == nil {
		err = out.UnmarshalJSON(line)
	}
	if b, ok := out.Body.(*machine.Reloaded); ok && err == nil {
		b.Load = e.Body.(*machine.Reloaded).Load
	}
	if err != nil {
		return machine.Event{Seq: e.Seq, Time: e.Time, Step: e.Step, ID: e.ID, Body: &machine.Other{
			Kind: e.Body.Type(), Raw: []byte(`{"type":"warning","message":"an event could not be masked"}`),
		}}
	}
	return out
}

// scope says what is masked in a part of an event.
type scope int

const (
	maskStrings scope = iota // strings, except under the keys of scopes
	maskNothing              // nothing
	maskValues               // the values of an object whose keys are names from the document
	maskAll                  // everything, including keys and numbers: data from outside
)

// scopes are the keys of an event whose values are not free text. They do not apply inside data
// from outside: a variable may be called id.
var scopes = map[string]scope{
	"seq": maskNothing, "time": maskNothing, "type": maskNothing, "run": maskNothing, "step": maskNothing, "id": maskNothing, "by": maskNothing,
	"kind": maskNothing, "result": maskNothing, "results": maskNothing, "intent": maskNothing, "code": maskNothing, "signal": maskNothing, "options": maskNothing,
	"format": maskNothing, "path": maskNothing, "language": maskNothing, "document": maskNothing, "documents": maskNothing, "label": maskNothing, "file": maskNothing,
	"variable": maskNothing, "to": maskNothing, "frame": maskNothing, "caller": maskNothing, "spent": maskNothing, "spent_in": maskNothing,
	"inputs": maskValues, "variables": maskValues, "value": maskAll, "data": maskAll,
}

// loadKey is the key of a run's options that holds the values of flags, which may be secrets.
const loadKey = "load"

func (m *masker) line(in []byte) ([]byte, error) {
	if !m.mayHaveSecret(in) {
		return in, nil
	}
	return m.rewrite(in)
}

// rewrite copies an encoded event without its secrets.
func (m *masker) rewrite(in []byte) ([]byte, error) {
	w := maskWriter{masker: m, in: json.NewDecoder(bytes.NewReader(in))}
	w.in.UseNumber()
	w.out.Grow(len(in) + 1)
	if err := w.value(maskStrings); err != nil {
		return nil, err
	}
	return w.out.Bytes(), nil
}

// maskWriter copies one JSON value token by token, so that the order of keys stays.
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
		w.text(t, s != maskNothing)
	case json.Number:
		if s == maskAll && w.numbers[t.String()] {
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

// key copies a key, and returns what is masked in its value.
func (w *maskWriter) key(s scope) (scope, error) {
	tok, err := w.in.Token()
	if err != nil {
		return s, err
	}
	key := tok.(string)
	w.text(key, s == maskAll)
	w.out.WriteByte(':')
	switch s {
	case maskStrings:
		return scopes[key], nil
	case maskValues:
		return maskAll, nil
	case maskNothing:
		if key == loadKey {
			return maskValues, nil
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
