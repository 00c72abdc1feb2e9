package climpt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"playhead/parse/source"
)

// MaxJSONSize is the largest JSON file that is read, in bytes (spec §1).
const MaxJSONSize = 4 << 20

// maxDepth limits how deep values nest.
const maxDepth = 100

// Document is a JSON file, as far as it can be read.
type Document struct {
	File             string         // as a person sees it
	Root             *Value         // nil: there is none
	DuplicateMembers []*Value       // members whose key occurs earlier in their object
	Problem          *SyntaxProblem // what ended the reading early
}

// SyntaxProblem says why a file is not JSON.
type SyntaxProblem struct {
	Place
	Pointer             string
	Message, Suggestion string
}

// ReadJSON parses strict JSON, without comments and in valid UTF-8. file is its name. Of a text with an
// error it returns the values before the error.
func ReadJSON(file string, data []byte) *Document {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := &Document{File: file}
	r := &jsonReader{doc: d, data: data, dataString: string(data), asciiOnly: isASCII(data), line: 1,
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	if err := r.readDocument(); err != nil {
		d.Problem = r.newProblem(err)
	}
	return d
}

// jsonReader builds values with places from tokens.
type jsonReader struct {
	doc             *Document
	data            []byte
	dataString      string // data as a string
	dec             *jsontext.Decoder
	nextTokenOffset int  // the byte offset of the next token
	asciiOnly       bool // every character is one byte
	line            int32
	lineStart       int      // the byte offset at which the current line begins
	lineExtraBytes  int      // how many more bytes than characters the line has so far
	openValues      []*Value // the values read so far in open objects and arrays
	valueAllocator  sliceAllocator[Value]
	listAllocator   sliceAllocator[*Value]
}

var (
	errTooDeep      = errors.New("the values are nested too deeply")
	errTrailingData = errors.New("there is more text after the JSON value")
)

func (r *jsonReader) readDocument() error {
	r.doc.Root = &Value{doc: r.doc}
	if err := r.readValue(r.doc.Root); err != nil {
		return err
	}
	r.skipToToken()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.Join(errTrailingData, err)
	}
	return nil
}

// readValue reads the next value into v, which already has a parent. After an error, v has what was read
// before it.
func (r *jsonReader) readValue(v *Value) error {
	v.start = r.skipToToken()
	t, err := r.dec.ReadToken()
	if err != nil {
		return err
	}
	v.Kind = kindByToken[t.Kind()]
	switch v.Kind {
	case Object:
		return r.readObject(v)
	case Array:
		return r.readArray(v)
	case String, Number:
		v.text = r.tokenText(t)
	case Boolean:
		v.boolValue = t.Bool()
	}
	return nil
}

// tokenText returns the text of a string or number, without copying where nothing is escaped.
func (r *jsonReader) tokenText(t jsontext.Token) string {
	s := r.dataString[r.nextTokenOffset:r.dec.InputOffset()]
	switch {
	case s[0] != '"':
		return s
	case strings.IndexByte(s, '\\') >= 0:
		return t.String()
	}
	return s[1 : len(s)-1]
}

func (r *jsonReader) readObject(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errTooDeep
	}
	first := len(r.openValues)
	defer func() { r.setMembers(v, first) }()
	for {
		at := r.skipToToken()
		t, err := r.dec.ReadToken()
		if err != nil || t.Kind() == '}' {
			return err
		}
		m := r.addChild(v)
		m.key, m.keyStart = r.tokenText(t), at
		if err := r.readValue(m); err != nil {
			return err
		}
	}
}

// addChild returns a new value in an object or array, which it adds to the open values.
func (r *jsonReader) addChild(v *Value) *Value {
	out := &r.valueAllocator.allocate(1)[0]
	out.parent = v
	r.openValues = append(r.openValues, out)
	return out
}

// setMembers moves the open values from an index on into their object, each key once.
func (r *jsonReader) setMembers(v *Value, first int) {
	all := r.openValues[first:]
	v.children = r.listAllocator.allocate(len(all))[:0]
	if len(all) > maxMembersWithoutIndex {
		v.memberByKey = make(map[string]*Value, len(all))
	}
	for _, m := range all {
		if v.Get(m.key) != nil {
			r.doc.DuplicateMembers = append(r.doc.DuplicateMembers, m)
			continue
		}
		v.children = append(v.children, m)
		if v.memberByKey != nil {
			v.memberByKey[m.key] = m
		}
	}
	r.openValues = r.openValues[:first]
}

func (r *jsonReader) readArray(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errTooDeep
	}
	first := len(r.openValues)
	defer func() {
		v.children = append(r.listAllocator.allocate(len(r.openValues) - first)[:0], r.openValues[first:]...)
		r.openValues = r.openValues[:first]
	}()
	for r.dec.PeekKind() != ']' {
		nth := len(r.openValues) - first
		item := r.addChild(v)
		item.arrayIndex = int32(nth)
		if err := r.readValue(item); err != nil {
			r.openValues = r.openValues[:first+nth]
			return err
		}
	}
	r.skipToToken() // the bracket may be on a line of its own
	_, err := r.dec.ReadToken()
	return err
}

// skipToToken moves to the next token and returns where it begins. Tokens contain no line breaks.
func (r *jsonReader) skipToToken() position {
	at := int(r.dec.InputOffset())
	if !r.asciiOnly {
		r.lineExtraBytes += at - r.nextTokenOffset - utf8.RuneCount(r.data[r.nextTokenOffset:at])
	}
	for ; at < len(r.data) && isSeparator[r.data[at]]; at++ {
		if r.data[at] == '\n' {
			r.line, r.lineStart, r.lineExtraBytes = r.line+1, at+1, 0
		}
	}
	r.nextTokenOffset = at
	return position{r.line, int32(1 + at - r.lineStart - r.lineExtraBytes)}
}

// isASCII reports whether all characters are ASCII. It checks eight bytes at a time.
func isASCII(data []byte) bool {
	for ; len(data) >= 8; data = data[8:] {
		if binary.NativeEndian.Uint64(data)&0x8080808080808080 != 0 {
			return false
		}
	}
	return utf8.RuneCount(data) == len(data)
}

// isSeparator are the bytes that can separate tokens.
var isSeparator = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true}

// sliceAllocator allocates the memory of many small slices at once, which is faster.
type sliceAllocator[T any] struct{ free []T }

const allocationSize = 256

func (s *sliceAllocator[T]) allocate(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, allocationSize))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// newProblem returns where and why reading ended with an error.
func (r *jsonReader) newProblem(err error) *SyntaxProblem {
	at := int(r.dec.InputOffset())
	p := &SyntaxProblem{Message: "the JSON ends in the middle of a value", Suggestion: "close every brace, bracket and quotation mark"}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTooDeep):
		p.Message, p.Suggestion = errTooDeep.Error(), "use fewer levels"
	case errors.Is(err, errTrailingData):
		at = r.nextTokenOffset
		p.Message, p.Suggestion = errTrailingData.Error(), "remove everything after it"
	case errors.As(err, &syntax):
		at = max(at, int(syntax.ByteOffset))
		p.Pointer = string(syntax.JSONPointer)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			p.Message, p.Suggestion = "this is not JSON: "+syntax.Err.Error(), "correct the JSON here"
		}
	}
	for at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[at]) >= 0 {
		at++
	}
	r.explainCommonMistake(p, at)
	p.File = r.doc.File
	before := r.data[:max(r.nextTokenOffset, min(at, len(r.data)))]
	p.Line = 1 + bytes.Count(before, []byte("\n"))
	p.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return p
}

// explainCommonMistake replaces the message if the text at an offset shows a common mistake.
func (r *jsonReader) explainCommonMistake(p *SyntaxProblem, at int) {
	rest := r.data[min(at, len(r.data)):]
	before := bytes.TrimRight(r.data[:min(at, len(r.data))], " \t\r\n")
	comma := bytes.HasSuffix(before, []byte(",")) || bytes.HasPrefix(rest, []byte(","))
	rest = bytes.TrimLeft(rest, " \t\r\n,")
	switch {
	case len(bytes.TrimSpace(r.data)) == 0:
		p.Message, p.Suggestion = "the file is empty", "write a JSON object"
	case !utf8.Valid(r.data):
		p.Message, p.Suggestion = source.NotUTF8, source.SaveAsUTF8
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), bytes.HasPrefix(rest, []byte("#")):
		p.Message, p.Suggestion = "JSON has no comments", "remove the comment"
	case bytes.HasPrefix(rest, []byte("'")):
		p.Message, p.Suggestion = "JSON strings use double quotes", `write "…"`
	case comma && len(rest) > 0 && (rest[0] == '}' || rest[0] == ']'):
		p.Message, p.Suggestion = "there is a comma after the last value", "remove the comma"
	}
}

var kindByToken = [256]Kind{'{': Object, '[': Array, '"': String, '0': Number, 't': Boolean, 'f': Boolean, 'n': Null}
