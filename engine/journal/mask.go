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

// with adds values.
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
