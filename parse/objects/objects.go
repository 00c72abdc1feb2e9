// Package objects finds JSON objects in text such as a model's reply, in linear time for any text.
//
// A scan begins at a brace and follows strict JSON until the object is complete or broken. After a
// broken scan, the braces that it opened are known: closed ones are objects, the others are not.
// Only braces inside strings can begin another scan, and there quotes have the opposite meaning, so
// each character is scanned at most twice.
package objects

import (
	"encoding/json"
	"strings"
)

// LastWith returns the last object of a text that has a field, and the field's value, both as
// written. "Last" means the one that ends last.
func LastWith(text, field string) (object, value string, found bool) {
	s := find(text, field)
	return text[s.rawFrom:s.rawEnd], s.raw, s.rawEnd > 0
}

// Last returns the last top-level object of a text, or "".
func Last(text string) string {
	s := find(text, "")
	return text[s.from:s.to]
}

// scanner finds objects.
type scanner struct {
	text, field string
	raw         string // the field's value in the object that ends last
	rawFrom     int    // where that object begins
	rawEnd      int    // where it ends
	from, to    int    // the last top-level object

	known  map[int]int // braces of broken objects, with where their object ends; 0: it is none
	stack  []container // open containers
	closed []extent    // objects that were closed in this scan
}

// container is an open object or array.
type container struct {
	at         int
	object     bool
	keyMatches bool // the current key is the field
	valueFrom  int  // where the current value begins
	from, to   int  // the field's value; to is 0 if there is none
}

// deepest limits how many containers can be open; deeper text is not a reply.
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

// expected is what the grammar allows next.
type expected int

const (
	key expected = iota
	keyOrEnd
	colon
	value
	valueOrEnd
	commaOrEnd
)

// scan follows the object at an offset and returns where it ends, or 0 if it is not an object.
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

// token consumes the token that begins with a character. next is -1 for a broken object.
func (s *scanner) token(c byte, at int, want expected) (next int, then expected) {
	switch {
	case c == '"' && (want == key || want == keyOrEnd):
		end := stringEnd(s.text, at)
		if end > 0 {
			s.top().keyMatches = s.field != "" && sameKey(s.text[at:end], s.field)
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

// value consumes a scalar or opens a container.
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

// close ends the innermost container.
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

// ended records a value if it is the field's.
func (c *container) ended(end int) {
	if c.keyMatches {
		c.from, c.to, c.keyMatches = c.valueFrom, end, false
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

// stringEnd returns where the string at an offset ends, or 0 if it is not a string.
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

// scalarEnd returns where the string, number or word at an offset ends, or 0.
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

// sameKey reports whether a quoted key equals the field.
func sameKey(raw, field string) bool {
	if raw[1:len(raw)-1] == field {
		return true
	}
	var k string
	return len(raw) > len(field)+2 && json.Unmarshal([]byte(raw), &k) == nil && k == field
}

// Block is a fenced code block. Tag is the first word after the fence.
type Block struct{ Tag, Text string } // Tag is the first word behind the fence

// Fenced returns the closed fenced blocks of a text.
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

// JSON returns the JSON in a text: the whole text, else its last fenced block, else its last
// object.
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

// fenceRun returns the fence that a line begins with, or "".
func fenceRun(line string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && !strings.Contains(line[n:], "`") {
			return line[:n]
		}
	}
	return ""
}
