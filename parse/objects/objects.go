// Package objects finds JSON objects in text such as a model's reply, in linear time
// whatever the text is.
//
// A scan begins at a brace and follows strict JSON until it is complete or broken.
// If it breaks, the braces it opened are known: those that were closed are objects,
// the others are not. Only braces that it took for text, in strings, can begin
// another; there, quotes that opened close, so two scans at most see a character.
package objects

import (
	"encoding/json"
	"strings"
)

// LastWith is the last object of a text, seen from the end, that has a field, and
// the field's value; both as they are written.
func LastWith(text, field string) (object, value string, found bool) {
	s := find(text, field)
	return text[s.rawFrom:s.rawEnd], s.raw, s.rawEnd > 0
}

// Last is the last object of a text that is in no other, "" if there is none.
func Last(text string) string {
	s := find(text, "")
	return text[s.from:s.to]
}

// scanner looks for objects.
type scanner struct {
	text, field string
	raw         string // the field's value in the object that ends last
	rawFrom     int    // where that object begins
	rawEnd      int    // and ends
	from, to    int    // the last object that is in no other

	known  map[int]int // braces of broken objects, and where what they open ends; 0: it does not
	stack  []container // what is open
	closed []extent    // the objects that were closed in this scan
}

// container is an open object or array.
type container struct {
	at        int
	object    bool
	matches   bool // the key at hand is the field
	valueFrom int  // of the value at hand
	from, to  int  // the field's value; to 0: there is none
}

// deepest is how many containers may be open at once: deeper ones are no reply.
const deepest = 1000

type extent struct{ from, to int }

func find(text, field string) *scanner {
	s := &scanner{text: text, field: field, known: map[int]int{}}
	for at := 0; at < len(text); at++ {
		if text[at] != '{' {
			continue
		}
		end, known := s.known[at]
		if !known {
			end = s.scan(at)
		}
		if end > 0 {
			s.from, s.to = at, end
			at = end - 1
		}
	}
	return s
}

// what the grammar expects next.
type expected int

const (
	key expected = iota
	keyOrEnd
	colon
	value
	valueOrEnd
	commaOrEnd
)

// scan follows the object that begins at an offset, and says where it ends; 0 if
// there is none.
func (s *scanner) scan(at int) int {
	s.stack, s.closed = s.stack[:0], s.closed[:0]
	want := value
	for at >= 0 && at < len(s.text) {
		switch c := s.text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		default:
			if at, want = s.token(c, at, want); at >= 0 && len(s.stack) == 0 {
				return at
			}
		}
	}
	for i, c := range s.stack {
		if c.object && i > 0 {
			s.known[c.at] = 0
		}
	}
	for _, c := range s.closed {
		s.known[c.from] = c.to
	}
	return 0
}

// token takes in what begins with a character; -1 is the end of a broken object.
func (s *scanner) token(c byte, at int, want expected) (next int, then expected) {
	switch {
	case c == '"' && (want == key || want == keyOrEnd):
		end := stringEnd(s.text, at)
		if end > 0 {
			s.top().matches = s.field != "" && sameKey(s.text[at:end], s.field)
		}
		return orBroken(end), colon
	case c == ':' && want == colon:
		return at + 1, value
	case c == ',' && want == commaOrEnd:
		if s.top().object {
			return at + 1, key
		}
		return at + 1, value
	case c == '}' && (want == keyOrEnd || want == commaOrEnd) && s.top().object,
		c == ']' && (want == valueOrEnd || want == commaOrEnd) && !s.top().object:
		s.close(at + 1)
		return at + 1, commaOrEnd
	case want == value || want == valueOrEnd:
		return s.value(c, at)
	}
	return -1, want
}

func (s *scanner) top() *container { return &s.stack[len(s.stack)-1] }

// value takes in a value, or opens a container.
func (s *scanner) value(c byte, at int) (next int, then expected) {
	if len(s.stack) > 0 {
		s.top().valueFrom = at
	}
	if c == '{' || c == '[' {
		if len(s.stack) == deepest {
			return -1, value
		}
		s.stack = append(s.stack, container{at: at, object: c == '{'})
		if c == '{' {
			return at + 1, keyOrEnd
		}
		return at + 1, valueOrEnd
	}
	end := scalarEnd(s.text, at)
	if end > 0 {
		s.top().ended(end)
	}
	return orBroken(end), commaOrEnd
}

// close ends the innermost container: a complete one.
func (s *scanner) close(end int) {
	c := *s.top()
	s.stack = s.stack[:len(s.stack)-1]
	if c.object {
		s.closed = append(s.closed, extent{c.at, end})
		if c.to > 0 && end > s.rawEnd {
			s.raw, s.rawFrom, s.rawEnd = s.text[c.from:c.to], c.at, end
		}
	}
	if len(s.stack) > 0 {
		s.top().ended(end)
	}
}

// ended takes note of a value, if it is the field's.
func (c *container) ended(end int) {
	if c.matches {
		c.from, c.to, c.matches = c.valueFrom, end, false
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func orBroken(end int) int {
	if end == 0 {
		return -1
	}
	return end
}

// stringEnd is where the string that begins at an offset ends; 0 if it is none.
func stringEnd(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			if !json.Valid([]byte(text[at : i+1])) {
				return 0
			}
			return i + 1
		case c < ' ':
			return 0
		}
	}
	return 0
}

// scalarEnd is where the string, number or word at an offset ends; 0 if it is none.
func scalarEnd(text string, at int) int {
	if text[at] == '"' {
		return stringEnd(text, at)
	}
	end := at
	for end < len(text) && (isWord(text[end]) || text[end] == '-' || text[end] == '+' || text[end] == '.') {
		end++
	}
	if end == at || !json.Valid([]byte(text[at:end])) {
		return 0
	}
	return end
}

// sameKey reports whether a key, in quotes, is the field.
func sameKey(raw, field string) bool {
	if raw[1:len(raw)-1] == field {
		return true
	}
	var k string
	return len(raw) > len(field)+2 && json.Unmarshal([]byte(raw), &k) == nil && k == field
}

// Block is a fenced block of code in a text.
type Block struct{ Tag, Text string } // Tag is the first word behind the fence

// Fenced are the fenced blocks of a text that are closed, in their order.
func Fenced(text string) []Block {
	var out []Block
	fence, tag := "", ""
	from, at := 0, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		run := fenceRun(bare)
		switch {
		case fence == "" && run != "":
			fence, tag, from = run, firstWord(bare[len(run):]), at+len(line)
		case fence != "" && run == bare && strings.HasPrefix(run, fence):
			out, fence = append(out, Block{tag, text[from:at]}), ""
		}
		at += len(line)
	}
	return out
}

// JSON is the JSON of a text that is JSON, or holds it: its last fenced block, or else its
// last object.
func JSON(text string) (raw string, ok bool) {
	if json.Valid([]byte(text)) {
		return text, true
	}
	if blocks := Fenced(text); len(blocks) > 0 {
		if raw = strings.TrimSpace(blocks[len(blocks)-1].Text); json.Valid([]byte(raw)) {
			return raw, true
		}
	}
	raw = Last(text)
	return raw, raw != ""
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}

// fenceRun is the fence that a line begins with, "" if it has none.
func fenceRun(line string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && !strings.Contains(line[n:], "`") {
			return line[:n]
		}
	}
	return ""
}
