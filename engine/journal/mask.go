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

// Masked stands where a secret was.
const Masked = logs.Hidden

// masker takes secrets out of encoded events. It works on the decoded strings, so
// a secret cannot hide in an escape, and a secret like "n" cannot break one.
//
// What the machine folds, its own words and the names that documents give, stays
// as it is: a run whose secret is "pass" must still be readable. So the keys below
// are left alone, and the strings of every other key, unknown ones included, are
// masked.
type masker struct {
	values   []string
	replacer *strings.Replacer // of what does not show too
	seen     *logs.Secrets     // as a person would read them
	numbers  map[string]bool   // secrets as JSON writes them when they are numbers
	needles  [][]byte          // what an event with a secret has in it, as JSON writes it
}

func (m *masker) with(values []string) *masker {
	next := &masker{numbers: map[string]bool{}}
	if m != nil {
		next.values = slices.Clone(m.values)
	}
	for _, v := range values {
		if v = decoded(v); strings.TrimSpace(v) != "" {
			next.values = append(next.values, v, strings.TrimSpace(v))
		}
	}
	// Of two secrets that begin alike the longer is found first.
	slices.SortFunc(next.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	next.values = slices.Compact(next.values)
	if len(next.values) == 0 {
		return nil
	}
	next.seen = logs.NewSecrets(next.values)
	var pairs []string
	for _, v := range next.values {
		pairs = append(pairs, v, Masked)
		next.number(v)
	}
	next.replacer = strings.NewReplacer(pairs...)
	for _, v := range append(next.seen.Forms(), next.values...) {
		text := encode(v)
		next.needles = append(next.needles, text[1:len(text)-1])
	}
	return next
}

// text is a text without the secrets.
func (m *masker) text(text string) string { return m.replacer.Replace(m.seen.Text(text)) }

// number adds the ways in which an event may hold the secret as a number.
func (m *masker) number(v string) {
	m.numbers[v] = true
	n, err := strconv.ParseFloat(v, 64)
	if text := encode(n); err == nil && text != nil {
		m.numbers[string(text)] = true
		m.needles = append(m.needles, text)
	}
}

// suspects reports whether an encoded event may have a secret in it: as it is, or with
// something between its letters that does not show. Printable ASCII shows.
func (m *masker) suspects(line []byte) bool {
	for i, b := range line {
		if b >= utf8.RuneSelf || b == '\\' && i+1 < len(line) && bytes.IndexByte([]byte("ubfnrt/"), line[i+1]) >= 0 {
			return true
		}
	}
	return slices.ContainsFunc(m.needles, func(needle []byte) bool { return bytes.Contains(line, needle) })
}

// decoded is a value as JSON would give it back.
func decoded(value string) (plain string) {
	_ = json.Unmarshal(encode(value), &plain) // what encode wrote
	return plain
}

// encode is JSON that leaves <, > and & readable, as the events' own. Values that
// JSON cannot hold, such as NaN, come out empty.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// MaskedText is a text without the secrets.
func (r *Run) MaskedText(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return text
	}
	return r.mask.text(text)
}

// Masked is the event as the journal has it, without the secrets: what anybody
// but the machine gets to see.
func (r *Run) Masked(e machine.Event) machine.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mask == nil {
		return e
	}
	line, err := e.MarshalJSON()
	if err == nil && !r.mask.suspects(line) {
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
