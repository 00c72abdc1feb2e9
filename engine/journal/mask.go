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
	"playhead/parse/plan"
)

// SecretPlaceholder replaces a secret in the journal.
const SecretPlaceholder = logs.SecretPlaceholder

// masker removes secrets from encoded events. It works on decoded strings, so that an escape cannot
// hide a secret, and a secret like "n" cannot break an escape.
//
// Strings that the machine folds, its own terms and the names that documents give, stay unchanged,
// so that a run whose secret is "pass" can still be read. The keys of scopeByKey exempt these strings.
// The strings of all other keys are masked, including unknown keys.
type masker struct {
	secrets        []string
	replacer       *strings.Replacer // also matches secrets with hidden characters
	visibleSecrets *logs.Secrets     // the secrets as a person would read them
	secretNumbers  map[string]bool   // secrets as JSON numbers
	encodedForms   [][]byte          // what an event with a secret contains, encoded as JSON
}

func (m *masker) withSecrets(values []string) *masker {
	next := &masker{secretNumbers: map[string]bool{}}
	if m != nil {
		next.secrets = slices.Clone(m.secrets)
	}
	for _, v := range values {
		if v = jsonRoundTrip(v); strings.TrimSpace(v) != "" {
			next.secrets = append(next.secrets, v, strings.TrimSpace(v))
		}
	}
	// The longer of two secrets that begin alike is found first.
	slices.SortFunc(next.secrets, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	next.secrets = slices.Compact(next.secrets)
	if len(next.secrets) == 0 {
		return nil
	}
	next.visibleSecrets = logs.NewSecrets(next.secrets)
	var pairs []string
	for _, v := range next.secrets {
		pairs = append(pairs, v, SecretPlaceholder)
		next.addNumber(v)
	}
	next.replacer = strings.NewReplacer(pairs...)
	for _, v := range append(next.visibleSecrets.FormTexts(), next.secrets...) {
		text := encodeJSON(v)
		next.encodedForms = append(next.encodedForms, text[1:len(text)-1])
	}
	return next
}

// maskText returns a text without the secrets.
func (m *masker) maskText(text string) string {
	return m.replacer.Replace(m.visibleSecrets.MaskText(text))
}

// addNumber adds the forms in which an event may hold the secret as a number.
func (m *masker) addNumber(v string) {
	m.secretNumbers[v] = true
	n, err := strconv.ParseFloat(v, 64)
	if text := encodeJSON(n); err == nil && text != nil {
		m.secretNumbers[string(text)] = true
		m.encodedForms = append(m.encodedForms, text)
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
	return slices.ContainsFunc(m.encodedForms, func(needle []byte) bool { return bytes.Contains(line, needle) })
}

// jsonRoundTrip returns a value after a round trip through JSON.
func jsonRoundTrip(value string) (plain string) {
	_ = json.Unmarshal(encodeJSON(value), &plain) // encodeJSON wrote valid JSON
	return plain
}

// encodeJSON returns a value as it stands in a line of the journal, nil if JSON cannot hold it.
func encodeJSON(v any) []byte {
	text, _ := plan.EncodeJSON(v)
	return text
}

// MaskText returns a text without the secrets.
func (r *Run) MaskText(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.masker == nil {
		return text
	}
	return r.masker.maskText(text)
}

// MaskEvent returns the event as the journal has it, without the secrets. Only the machine sees
// unmasked events.
func (r *Run) MaskEvent(e machine.Event) machine.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.masker == nil {
		return e
	}
	line, err := e.MarshalJSON()
	if err == nil && !r.masker.mayHaveSecret(line) {
		return e
	}
	var out machine.Event
	if err == nil {
		plain := line
		if line, err = r.masker.maskJSON(plain); bytes.Equal(line, plain) {
			return e
		}
	}
	if err == nil {
		err = out.UnmarshalJSON(line)
	}
	if b, ok := out.Body.(*machine.DocumentReloaded); ok && err == nil {
		b.Load = e.Body.(*machine.DocumentReloaded).Load
	}
	if err != nil {
		return machine.Event{Seq: e.Seq, Time: e.Time, Step: e.Step, ExplicitStepID: e.ExplicitStepID, Body: &machine.UnknownBody{
			Kind: e.Body.Type(), Raw: []byte(`{"type":"warning","message":"an event could not be masked"}`),
		}}
	}
	return out
}

// maskScope says what is masked in a part of an event.
type maskScope int

const (
	maskStrings maskScope = iota // strings, except under the keys of scopeByKey
	maskNothing                  // nothing
	maskValues                   // the values of an object whose keys are names from the document
	maskAll                      // everything, including keys and numbers: data from outside
)

// scopeByKey says what is masked under the keys of an event whose values are not free text. It does not
// apply inside data from outside, where a variable may be called id.
var scopeByKey = map[string]maskScope{
	"seq": maskNothing, "time": maskNothing, "type": maskNothing, "run": maskNothing, "step": maskNothing, "id": maskNothing, "by": maskNothing,
	"kind": maskNothing, "result": maskNothing, "results": maskNothing, "intent": maskNothing, "code": maskNothing, "signal": maskNothing, "options": maskNothing,
	"format": maskNothing, "path": maskNothing, "language": maskNothing, "document": maskNothing, "documents": maskNothing, "label": maskNothing, "file": maskNothing,
	"variable": maskNothing, "to": maskNothing, "frame": maskNothing, "caller": maskNothing, "spent": maskNothing, "spent_in": maskNothing,
	"inputs": maskValues, "variables": maskValues, "value": maskAll, "data": maskAll,
}

// loadOptionsKey is the key of a run's options that holds the values of flags, which may be secrets.
const loadOptionsKey = "load"

func (m *masker) maskLine(in []byte) ([]byte, error) {
	if !m.mayHaveSecret(in) {
		return in, nil
	}
	return m.maskJSON(in)
}

// maskJSON copies an encoded event without its secrets.
func (m *masker) maskJSON(in []byte) ([]byte, error) {
	w := maskWriter{masker: m, in: json.NewDecoder(bytes.NewReader(in))}
	w.in.UseNumber()
	w.out.Grow(len(in) + 1)
	if err := w.copyValue(maskStrings); err != nil {
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

func (w *maskWriter) copyValue(s maskScope) error {
	tok, err := w.in.Token()
	if err != nil {
		return err
	}
	switch t := tok.(type) {
	case json.Delim:
		return w.copyContainer(t, s)
	case string:
		w.writeString(t, s != maskNothing)
	case json.Number:
		if s == maskAll && w.secretNumbers[t.String()] {
			w.writeString(SecretPlaceholder, false)
		} else {
			w.out.WriteString(t.String())
		}
	default:
		w.out.Write(encodeJSON(t))
	}
	return nil
}

func (w *maskWriter) copyContainer(open json.Delim, s maskScope) error {
	w.out.WriteByte(byte(open))
	for first := true; w.in.More(); first = false {
		if !first {
			w.out.WriteByte(',')
		}
		inner := s
		if open == '{' {
			var err error
			if inner, err = w.copyKey(s); err != nil {
				return err
			}
		}
		if err := w.copyValue(inner); err != nil {
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

// copyKey copies a key, and returns what is masked in its value.
func (w *maskWriter) copyKey(s maskScope) (maskScope, error) {
	tok, err := w.in.Token()
	if err != nil {
		return s, err
	}
	key := tok.(string)
	w.writeString(key, s == maskAll)
	w.out.WriteByte(':')
	switch s {
	case maskStrings:
		return scopeByKey[key], nil
	case maskValues:
		return maskAll, nil
	case maskNothing:
		if key == loadOptionsKey {
			return maskValues, nil
		}
	}
	return s, nil
}

func (w *maskWriter) writeString(s string, mask bool) {
	if mask {
		s = w.masker.maskText(s)
	}
	w.out.Write(encodeJSON(s))
}
