// Package objects finds JSON objects in text such as a model's reply, in linear time for any text.
//
// A scan begins at a brace and follows strict JSON until the object is complete or broken. After a
// broken scan, the braces that it opened are known: closed ones are objects, the others are not.
// Only braces inside strings can begin another scan, and there quotes have the opposite meaning, so
// each character is scanned at most twice.
package objects

import (
	"encoding/json"
	"iter"
	"strings"

	"playhead/parse/source"
)

// LastObjectWithField returns the last object of a text that has a field, and the field's value, both as
// written. "Last" means the one that ends last. The object may be inside another one.
func LastObjectWithField(text, field string) (object, value string, found bool) {
	s := newObjectScanner(text, field)
	for range s.topLevelObjects {
	}
	return text[s.fieldObjectStart:s.fieldObjectEnd], s.fieldValue, s.fieldObjectEnd > 0
}

// LastObject returns the last object of a text that is not inside another one, as written, or "".
func LastObject(text string) string {
	last := ""
	for o := range TopLevelObjects(text) {
		last = o
	}
	return last
}

// TopLevelObjects yields the objects of a text that are not inside another one, as written and in order.
func TopLevelObjects(text string) iter.Seq[string] {
	return newObjectScanner(text, "").topLevelObjects
}

// Parse decodes a text that is exactly one object. Numbers are json.Number, so that any size keeps its text.
func Parse(text string) (map[string]any, bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !json.Valid([]byte(text)) {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var o map[string]any
	err := dec.Decode(&o)
	return o, err == nil
}

// objectScanner finds the objects of a text, and those with a field, whose name may be "" for none.
type objectScanner struct {
	text, field      string
	fieldValue       string // the field's value in the object that ends last
	fieldObjectStart int    // where that object begins
	fieldObjectEnd   int    // where it ends

	objectEndByStart map[int]int // where the object of each brace in a broken object ends; 0: the brace begins none
	openContainers   []container // the containers that are open in this scan, outermost first
	closedObjects    []textRange // the objects that were closed in this scan
}

// container is an open object or array.
type container struct {
	start                          int
	isObject                       bool
	keyMatches                     bool // the current key is the field
	valueStart                     int  // where the current value begins
	fieldValueStart, fieldValueEnd int  // the range of the field's value; the end is 0 if there is none
}

// maxOpenContainers limits how many containers can be open. A reply does not nest deeper.
const maxOpenContainers = 1000

type textRange struct{ from, to int }

func newObjectScanner(text, field string) *objectScanner {
	return &objectScanner{text: text, field: field, objectEndByStart: map[int]int{}}
}

// topLevelObjects scans the text, and yields each object when it ends.
func (s *objectScanner) topLevelObjects(yield func(string) bool) {
	for at := 0; at < len(s.text); at++ {
		if s.text[at] != '{' {
			continue
		}
		end, known := s.objectEndByStart[at]
		if !known {
			end = s.scanObject(at)
		}
		if end > 0 {
			if !yield(s.text[at:end]) {
				return
			}
			at = end - 1
		}
	}
}

// expectedToken is what the grammar allows next.
type expectedToken int

const (
	expectKey expectedToken = iota
	expectKeyOrEnd
	expectColon
	expectValue
	expectValueOrEnd
	expectCommaOrEnd
)

// scanObject follows the object at an offset and returns where it ends, or 0 if it is not an object.
func (s *objectScanner) scanObject(at int) int {
	s.openContainers, s.closedObjects = s.openContainers[:0], s.closedObjects[:0]
	want := expectValue
	for at >= 0 && at < len(s.text) {
		switch c := s.text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		default:
			if at, want = s.readToken(c, at, want); at >= 0 && len(s.openContainers) == 0 {
				return at
			}
		}
	}
	for i, c := range s.openContainers {
		if c.isObject && i > 0 {
			s.objectEndByStart[c.start] = 0
		}
	}
	for _, c := range s.closedObjects {
		s.objectEndByStart[c.from] = c.to
	}
	return 0
}

// readToken consumes the token that begins with c, and returns where the next one may begin and what is
// expected there. next is -1 if the object is broken.
func (s *objectScanner) readToken(c byte, at int, want expectedToken) (next int, then expectedToken) {
	switch {
	case c == '"' && (want == expectKey || want == expectKeyOrEnd):
		end := stringEnd(s.text, at)
		if end > 0 {
			s.innermost().keyMatches = s.field != "" && isKeyOfField(s.text[at:end], s.field)
		}
		return endOrBroken(end), expectColon
	case c == ':' && want == expectColon:
		return at + 1, expectValue
	case c == ',' && want == expectCommaOrEnd:
		if s.innermost().isObject {
			return at + 1, expectKey
		}
		return at + 1, expectValue
	case c == '}' && (want == expectKeyOrEnd || want == expectCommaOrEnd) && s.innermost().isObject,
		c == ']' && (want == expectValueOrEnd || want == expectCommaOrEnd) && !s.innermost().isObject:
		s.closeContainer(at + 1)
		return at + 1, expectCommaOrEnd
	case want == expectValue || want == expectValueOrEnd:
		return s.readValue(c, at)
	}
	return -1, want
}

func (s *objectScanner) innermost() *container { return &s.openContainers[len(s.openContainers)-1] }

// readValue consumes a scalar or opens a container.
func (s *objectScanner) readValue(c byte, at int) (next int, then expectedToken) {
	if len(s.openContainers) > 0 {
		s.innermost().valueStart = at
	}
	if c == '{' || c == '[' {
		if len(s.openContainers) == maxOpenContainers {
			return -1, expectValue
		}
		s.openContainers = append(s.openContainers, container{start: at, isObject: c == '{'})
		if c == '{' {
			return at + 1, expectKeyOrEnd
		}
		return at + 1, expectValueOrEnd
	}
	end := scalarEnd(s.text, at)
	if end > 0 {
		s.innermost().endValue(end)
	}
	return endOrBroken(end), expectCommaOrEnd
}

// closeContainer ends the innermost container.
func (s *objectScanner) closeContainer(end int) {
	c := *s.innermost()
	s.openContainers = s.openContainers[:len(s.openContainers)-1]
	if c.isObject {
		s.closedObjects = append(s.closedObjects, textRange{c.start, end})
		if c.fieldValueEnd > 0 && end > s.fieldObjectEnd {
			s.fieldValue, s.fieldObjectStart, s.fieldObjectEnd = s.text[c.fieldValueStart:c.fieldValueEnd], c.start, end
		}
	}
	if len(s.openContainers) > 0 {
		s.innermost().endValue(end)
	}
}

// endValue records where a value ends, if it is the value of the wanted field.
func (c *container) endValue(end int) {
	if c.keyMatches {
		c.fieldValueStart, c.fieldValueEnd, c.keyMatches = c.valueStart, end, false
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// endOrBroken returns an end, or -1 instead of 0.
func endOrBroken(end int) int {
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
	for end < len(text) && (isWordByte(text[end]) || text[end] == '-' || text[end] == '+' || text[end] == '.') {
		end++
	}
	if end == at || !json.Valid([]byte(text[at:end])) {
		return 0
	}
	return end
}

// isKeyOfField reports whether a quoted key equals the field.
func isKeyOfField(raw, field string) bool {
	if raw[1:len(raw)-1] == field {
		return true
	}
	var k string
	return len(raw) > len(field)+2 && json.Unmarshal([]byte(raw), &k) == nil && k == field
}

// FencedBlock is a fenced code block. Language is the first word after the opening fence, or "".
type FencedBlock struct{ Language, Text string }

// FencedBlocks returns the closed fenced blocks of a text.
func FencedBlocks(text string) []FencedBlock {
	var out []FencedBlock
	var opener source.Fence // its Length is 0 outside of a block
	from, at := 0, 0
	for line := range strings.Lines(text) {
		fence, isFence := source.ReadFence(strings.TrimSpace(line))
		switch {
		case isFence && opener.Length == 0 && fence.CanOpen():
			opener, from = fence, at+len(line)
		case isFence && opener.Length > 0 && fence.Closes(opener):
			out, opener = append(out, FencedBlock{firstWord(opener.Info), text[from:at]}), source.Fence{}
		}
		at += len(line)
	}
	return out
}

// FindJSON returns the JSON value in a text: the whole text, else its last fenced block if that is JSON, else
// its last object. ok is false if there is none.
func FindJSON(text string) (raw string, ok bool) {
	if json.Valid([]byte(text)) {
		return text, true
	}
	if blocks := FencedBlocks(text); len(blocks) > 0 {
		if raw = strings.TrimSpace(blocks[len(blocks)-1].Text); json.Valid([]byte(raw)) {
			return raw, true
		}
	}
	raw = LastObject(text)
	return raw, raw != ""
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}
