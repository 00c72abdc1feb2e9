package climpt

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxSize is the largest JSON file that is read (spec §1).
const MaxSize = 4 << 20

// maxDepth is how deep values may lie in each other.
const maxDepth = 100

// Document is a JSON file, as far as it could be read.
type Document struct {
	File     string   // as a person sees it
	Root     *Value   // nil: there is none
	Repeated []Member // members whose key their object has already
	Problem  *Problem // what ended the reading early
}

// Problem is why a file is no JSON.
type Problem struct {
	Place
	Pointer             string
	Message, Suggestion string
}

// ReadJSON reads strict JSON: no comments, no byte that is not UTF-8. What comes
// before an error is kept.
func ReadJSON(file string, data []byte) *Document {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	d := &Document{File: file}
	r := &jsonReader{doc: d, data: data, line: 1, column: 1,
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	if err := r.document(); err != nil {
		d.Problem = r.problem(err)
	}
	return d
}

// jsonReader makes values of tokens, and knows where they stand.
type jsonReader struct {
	doc          *Document
	data         []byte
	dec          *jsontext.Decoder
	at           int // a byte, and its line and column
	line, column int
}

var (
	errDepth = errors.New("the values lie too deep in each other")
	errMore  = errors.New("there is more behind the end of the value")
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

// value reads the next value into v, which has its place in the tree already: what
// is read before an error is there.
func (r *jsonReader) value(v *Value) error {
	v.line, v.column = r.next()
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
		v.text = t.String()
	case Boolean:
		v.truth = t.Bool()
	}
	return nil
}

func (r *jsonReader) object(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errDepth
	}
	for {
		line, column := r.next()
		t, err := r.dec.ReadToken()
		if err != nil || t.Kind() == '}' {
			return err
		}
		m := Member{Key: t.String(), line: line, column: column}
		m.Value = &Value{up: v, key: m.Key}
		if v.Get(m.Key) != nil {
			r.doc.Repeated = append(r.doc.Repeated, m)
		} else {
			v.add(m)
		}
		if err := r.value(m.Value); err != nil {
			return err
		}
	}
}

func (r *jsonReader) array(v *Value) error {
	if r.dec.StackDepth() > maxDepth {
		return errDepth
	}
	for r.dec.PeekKind() != ']' {
		item := &Value{up: v, nth: len(v.items)}
		v.items = append(v.items, item)
		if err := r.value(item); err != nil {
			v.items = v.items[:item.nth]
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

// next is where the next token begins.
func (r *jsonReader) next() (line, column int) {
	at := int(r.dec.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return r.position(at)
}

// position is the line and the column, in runes, of a byte. It is asked for from
// left to right.
func (r *jsonReader) position(at int) (line, column int) {
	between := r.data[r.at:max(r.at, at)]
	if n := bytes.Count(between, []byte("\n")); n > 0 {
		r.line, r.column = r.line+n, 1
		between = between[bytes.LastIndexByte(between, '\n')+1:]
	}
	r.column += utf8.RuneCount(between)
	r.at = max(r.at, at)
	return r.line, r.column
}

// problem says where and why the reading ended.
func (r *jsonReader) problem(err error) *Problem {
	at := int(r.dec.InputOffset())
	p := &Problem{Message: "the file ends in the middle", Suggestion: "close what is open"}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errDepth), errors.Is(err, errMore):
		p.Message, p.Suggestion = errDepth.Error(), "nest less"
		if errors.Is(err, errMore) {
			at = r.at
			p.Message, p.Suggestion = errMore.Error(), "a file holds one object: remove the rest"
		}
	case errors.As(err, &syntax):
		at = max(at, int(syntax.ByteOffset))
		p.Pointer = string(syntax.JSONPointer)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			p.Message, p.Suggestion = "this is no JSON: "+syntax.Err.Error(), "correct what stands here"
		}
	}
	for at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[at]) >= 0 {
		at++
	}
	r.usual(p, at)
	p.File = r.doc.File
	p.Line, p.Column = r.position(min(at, len(r.data)))
	return p
}

// usual says more of mistakes that many make.
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
		p.Message, p.Suggestion = "a comma stands behind the last value", "remove the comma"
	}
}

var kinds = map[jsontext.Kind]Kind{'{': Object, '[': Array, '"': String, '0': Number, 't': Boolean, 'f': Boolean, 'n': Null}
