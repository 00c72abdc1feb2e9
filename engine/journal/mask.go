package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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
	replacer *strings.Replacer
	numbers  map[string]bool // secrets as JSON writes them when they are numbers
	needles  [][]byte        // what an event with a secret has in it, as JSON writes it
}

// with adds values. A value of several lines may be printed line by line, with
// something before and behind, so its lines are masked too.
func (m *masker) with(values []string) *masker {
	next := &masker{numbers: map[string]bool{}}
	if m != nil {
		next.values = slices.Clone(m.values)
	}
	for _, v := range values {
		next.values = append(next.values, forms(v)...)
	}
	// Of two secrets that begin alike the longer is found first.
	slices.SortFunc(next.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	next.values = slices.Compact(next.values)
	if len(next.values) == 0 {
		return nil
	}
	var pairs []string
	for _, v := range next.values {
		pairs = append(pairs, v, Masked)
		text := encode(v)
		next.needles = append(next.needles, text[1:len(text)-1])
		next.number(v)
	}
	next.replacer = strings.NewReplacer(pairs...)
	return next
}

// number adds the ways in which an event may hold the secret as a number.
func (m *masker) number(v string) {
	m.numbers[v] = true
	n, err := strconv.ParseFloat(v, 64)
	if text := encode(n); err == nil && text != nil {
		m.numbers[string(text)] = true
		m.needles = append(m.needles, text)
	}
}

// suspects reports whether an encoded event may have a secret in it. Without \u
// and \/ there is only one way to write each string.
func (m *masker) suspects(line []byte) bool {
	if bytes.Contains(line, []byte(`\u`)) || bytes.Contains(line, []byte(`\/`)) {
		return true
	}
	return slices.ContainsFunc(m.needles, func(needle []byte) bool { return bytes.Contains(line, needle) })
}

// shortLine is the length below which a line of a longer secret is no secret by
// itself: a brace, END.
const shortLine = 4

// forms are the texts to look for: the value as JSON would give it back, without
// blanks around it, and its lines.
func forms(value string) []string {
	var plain string
	_ = json.Unmarshal(encode(value), &plain) // what encode wrote
	trimmed := strings.TrimSpace(plain)
	if trimmed == "" {
		return nil
	}
	out := []string{plain, trimmed}
	for line := range strings.Lines(trimmed) {
		if line = strings.TrimSpace(line); len(line) >= shortLine {
			out = append(out, line)
		}
	}
	return out
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
