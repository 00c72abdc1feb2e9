package climpt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxSize is the largest JSON file that is read (spec §1).
const MaxSize = 4 << 20

// maxDepth limits how deep values nest.
const maxDepth = 100

// Document is a JSON file, as far as it can be read.
type Document struct {
	File     string   // as a person sees it
	Root     *Value   // nil: there is none
	Repeated []*Value // members whose key occurs earlier in their object
	Problem  *Problem // what ended the reading early
}

// Problem says why a file is not JSON.
type Problem struct {
	Place
	Pointer             string
	Message, Suggestion string
}

// ReadJSON parses strict JSON, without comments and in valid UTF-8. It keeps what comes before an
// error.
func ReadJSON(file string, data []byte) *Document {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := &Document{File: file}
	r := &jsonReader{doc: d, data: data, source: string(data), ascii: isASCII(data), line: 1,
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	if err := r.document(); err != nil {
		d.Problem = r.problem(err)
	}
	return d
}

// jsonReader builds values with places from tokens.
type jsonReader struct {
	doc    *Document
	data   []byte
	source string // data
	dec    *jsontext.Decoder
	at     int  // a byte
	ascii  bool // every character is one byte
	line   int32
	start  int      // of the line
	longer int      // how many more bytes than characters the line has so far
	open   []*Value // the values read so far in open objects and arrays
	values block[Value]
	lists  block[*Value]
}

var (
	errDepth = errors.New("the values are nested too deeply")
	errMore  = errors.New("there is more after the end of the value")
)

func (r *jsonReader) document() error {
	r.doc.Root = &Value{doc: r.doc}
	if err := r.value(r.doc.Root); err != nil {
		return err
	}
	r.next()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.Join(errMore, err)
	}
	return nil
}

// value reads the next value into v, which already has a parent. After an error v has what was read
// before.
func (r *jsonReader) value(v *Value) error {
	v.at = r.next()
	t, err := r.dec.ReadToken()
	if err != nil {
		return err
	}
	v.Kind = kinds[t.Kind()]
	switch v.Kind {
	case Object:
		return r.object(v)
	case Array:
		return r.array(v)
	case String, Number:
		v.text = r.text(t)
	case Boolean:
		v.truth = t.Bool()
	}
	return nil
}

// text returns the text of a string or number, without copying where nothing is escaped.
func (r *jsonReader) text(t jsontext.Token) string {
	s := r.source[r.at:r.dec.InputOffset()]
	switch {
	case s[0] != '"':
		return s
	case strings.IndexByte(s, '\\') >= 0:
		return t.String()
	}
	return s[1 : len(s)-1]
}

func (r *jsonReader) object(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errDepth
	}
	first := len(r.open)
	defer func() { r.members(v, first) }()
	for {
		at := r.next()
		t, err := r.dec.ReadToken()
		if err != nil || t.Kind() == '}' {
			return err
		}
		m := r.below(v)
		m.key, m.keyAt = r.text(t), at
		if err := r.value(m); err != nil {
			return err
		}
	}
}

// below adds a value to an object or array.
func (r *jsonReader) below(v *Value) *Value {
	out := &r.values.take(1)[0]
	out.up = v
	r.open = append(r.open, out)
	return out
}

// members sets the members of an object, each key once.
func (r *jsonReader) members(v *Value, first int) {
	all := r.open[first:]
	v.below = r.lists.take(len(all))[:0]
	if len(all) > small {
		v.index = make(map[string]*Value, len(all))
	}
	for _, m := range all {
		if v.Get(m.key) != nil {
			r.doc.Repeated = append(r.doc.Repeated, m)
			continue
		}
		v.below = append(v.below, m)
		if v.index != nil {
			v.index[m.key] = m
		}
	}
	r.open = r.open[:first]
}

func (r *jsonReader) array(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errDepth
	}
	first := len(r.open)
	defer func() {
		v.below = append(r.lists.take(len(r.open) - first)[:0], r.open[first:]...)
		r.open = r.open[:first]
	}()
	for r.dec.PeekKind() != ']' {
		nth := len(r.open) - first
		item := r.below(v)
		item.nth = int32(nth)
		if err := r.value(item); err != nil {
			r.open = r.open[:first+nth]
			return err
		}
	}
	r.next() // the bracket may be on a line of its own
	_, err := r.dec.ReadToken()
	return err
}

// next returns where the next token begins. Tokens contain no line breaks.
func (r *jsonReader) next() position {
	at := int(r.dec.InputOffset())
	if !r.ascii {
		r.longer += at - r.at - utf8.RuneCount(r.data[r.at:at])
	}
	for ; at < len(r.data) && between[r.data[at]]; at++ {
		if r.data[at] == '\n' {
			r.line, r.start, r.longer = r.line+1, at+1, 0
		}
	}
	r.at = at
	return position{r.line, int32(1 + at - r.start - r.longer)}
}

// isASCII checks eight bytes at a time.
func isASCII(data []byte) bool {
	for ; len(data) >= 8; data = data[8:] {
		if binary.NativeEndian.Uint64(data)&0x8080808080808080 != 0 {
			return false
		}
	}
	return utf8.RuneCount(data) == len(data)
}

// between are the bytes that can separate tokens.
var between = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true}

// block allocates many small slices at once, which is faster.
type block[T any] struct{ free []T }

const blockSize = 256

func (b *block[T]) take(n int) []T {
	if n > len(b.free) {
		b.free = make([]T, max(n, blockSize))
	}
	out := b.free[:n:n]
	b.free = b.free[n:]
	return out
}

// problem returns where and why reading ended.
func (r *jsonReader) problem(err error) *Problem {
	at := int(r.dec.InputOffset())
	p := &Problem{Message: "the file ends in the middle", Suggestion: "close what is open"}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errDepth), errors.Is(err, errMore):
		p.Message, p.Suggestion = errDepth.Error(), "use fewer levels"
		if errors.Is(err, errMore) {
			at = r.at
			p.Message, p.Suggestion = errMore.Error(), "a file holds one object: remove the rest"
		}
	case errors.As(err, &syntax):
		at = max(at, int(syntax.ByteOffset))
		p.Pointer = string(syntax.JSONPointer)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			p.Message, p.Suggestion = "this is not JSON: "+syntax.Err.Error(), "correct this place"
		}
	}
	for at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[at]) >= 0 {
		at++
	}
	r.usual(p, at)
	p.File = r.doc.File
	before := r.data[:max(r.at, min(at, len(r.data)))]
	p.Line = 1 + bytes.Count(before, []byte("\n"))
	p.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return p
}

// usual explains common mistakes.
func (r *jsonReader) usual(p *Problem, at int) {
	rest := r.data[min(at, len(r.data)):]
	before := bytes.TrimRight(r.data[:min(at, len(r.data))], " \t\r\n")
	comma := bytes.HasSuffix(before, []byte(",")) || bytes.HasPrefix(rest, []byte(","))
	rest = bytes.TrimLeft(rest, " \t\r\n,")
	switch {
	case len(bytes.TrimSpace(r.data)) == 0:
		p.Message, p.Suggestion = "the file is empty", "write a JSON object"
	case !utf8.Valid(r.data):
		p.Message, p.Suggestion = "it is not valid UTF-8", "save it as UTF-8 text"
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), bytes.HasPrefix(rest, []byte("#")):
		p.Message, p.Suggestion = "JSON has no comments", "remove the comment"
	case bytes.HasPrefix(rest, []byte("'")):
		p.Message, p.Suggestion = "JSON has double quotes only", `write "…"`
	case comma && len(rest) > 0 && (rest[0] == '}' || rest[0] == ']'):
		p.Message, p.Suggestion = "there is a comma after the last value", "remove the comma"
	}
}

var kinds = [256]Kind{'{': Object, '[': Array, '"': String, '0': Number, 't': Boolean, 'f': Boolean, 'n': Null}
