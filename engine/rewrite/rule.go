package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"playhead/parse/plan"
)

// A RuleRef refers to one of the rules that decide at a step.
type RuleRef struct {
	Document  string // the file of an included document, as in plan.IncludedDocument; empty: the root document
	StepID    string // the ID of the step
	RuleIndex int    // the index among the rules of the step, from 0
}

// findDocument returns the root document p, or the included one with a file, and the path of the file that its
// excerpts mean if they name none. path is that of the root document.
func findDocument(p *plan.Plan, file, path string) (*plan.Plan, string) {
	if file == "" {
		return p, path
	}
	for _, c := range p.IncludedDocuments {
		if c.Plan == nil {
			continue
		}
		if c.File == file {
			return c.Plan, c.Plan.Path
		}
		if found, at := findDocument(c.Plan, file, c.Plan.Path); found != nil {
			return found, at
		}
	}
	return nil, ""
}

// findRule returns a rule with its file and the file's contents. p.Path is the document's own file.
func (r RuleRef) findRule(p *plan.Plan) (c plan.Rule, file string, data []byte, err error) {
	d, path := findDocument(p, r.Document, p.Path)
	if d == nil {
		return c, "", nil, fmt.Errorf("the document %s is no longer included", r.Document)
	}
	s := d.FindStep(r.StepID)
	if s == nil {
		return c, "", nil, fmt.Errorf("the document no longer has step %s", r.StepID)
	}
	all := d.RulesOf(s)
	if r.RuleIndex < 0 || r.RuleIndex >= len(all) {
		return c, "", nil, errors.New("this rule is not written in the document: there is nothing to edit")
	}
	c = all[r.RuleIndex]
	if c.Location.File != "" {
		path = c.Location.File
	}
	for _, f := range d.Files {
		if !f.IsFolder && sameFile(f.Path, path) {
			return c, f.Path, f.Source, nil
		}
	}
	if len(d.Files) == 0 || c.Location.File == "" {
		return c, path, d.Source, nil
	}
	return c, "", nil, fmt.Errorf("%s is not one of the document's files", path)
}

func sameFile(a, b string) bool {
	x, err := filepath.Abs(a)
	y, other := filepath.Abs(b)
	return err == nil && other == nil && x == y
}

// Text returns a rule of a document, and the rule's text as it stands in the file.
func (r RuleRef) Text(p *plan.Plan) (c plan.Rule, text string, err error) {
	c, _, data, err := r.findRule(p)
	if err != nil {
		return c, "", err
	}
	from, to, err := excerptBounds(data, c.Location)
	if err != nil {
		return c, "", err
	}
	return c, strings.ReplaceAll(string(data[from:to]), "\r\n", "\n"), nil
}

// Replace returns the file of a rule, by its path, with a new text for the rule.
func (r RuleRef) Replace(p *plan.Plan, text string) (map[string][]byte, error) {
	c, file, data, err := r.findRule(p)
	if err != nil {
		return nil, err
	}
	from, to, err := excerptBounds(data, c.Location)
	if err != nil {
		return nil, err
	}
	text = strings.TrimRight(text, "\n")
	if bytes.Contains(data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return map[string][]byte{file: bytes.Join([][]byte{data[:from], []byte(text), data[to:]}, nil)}, nil
}

// excerptBounds returns the offsets at which the text of an excerpt begins and ends in a file.
func excerptBounds(data []byte, at plan.TextLocation) (from, to int, err error) {
	line, bomBytes := 1, len(data)-len(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	from = bomBytes
	for ; line < at.Span.Line; line++ {
		i := bytes.IndexByte(data[from:], '\n')
		if i < 0 {
			return 0, 0, errTextDiffers
		}
		from += i + 1
	}
	end := from
	for ; line <= max(at.Span.LastLine, at.Span.Line); line++ {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			end = len(data) + 1
			break
		}
		end += i + 1
	}
	to = end - 1
	if to > from && data[to-1] == '\r' {
		to--
	}
	if from > to {
		return 0, 0, errTextDiffers
	}
	from += columnOffset(string(data[from:to]), at.Span.Column)
	if !at.IsJSONMember {
		return from, to, nil
	}
	s := memberScanner{dec: jsontext.NewDecoder(bytes.NewBuffer(data[bomBytes:]), jsontext.AllowDuplicateNames(true)), data: data[bomBytes:], offset: from - bomBytes}
	if err := s.scanValue(); err != nil || !s.isFound {
		return 0, 0, errTextDiffers
	}
	return s.memberStart + bomBytes, s.memberEnd + bomBytes, nil
}

// memberScanner finds the innermost object member at an offset.
type memberScanner struct {
	dec                    *jsontext.Decoder
	data                   []byte
	offset                 int
	memberStart, memberEnd int
	isFound                bool
}

// nextTokenOffset returns where the next token begins.
func (s *memberScanner) nextTokenOffset() int {
	at := int(s.dec.InputOffset())
	for at < len(s.data) && strings.IndexByte(" \t\r\n,:", s.data[at]) >= 0 {
		at++
	}
	return at
}

// scanValue reads the next value, and sets the bounds of the innermost member in it that contains the offset.
func (s *memberScanner) scanValue() error {
	t, err := s.dec.ReadToken()
	if err != nil {
		return err
	}
	switch t.Kind() {
	case '{':
		for s.dec.PeekKind() != '}' {
			from := s.nextTokenOffset()
			if _, err := s.dec.ReadToken(); err != nil {
				return err
			}
			if err := s.scanValue(); err != nil {
				return err
			}
			if to := int(s.dec.InputOffset()); !s.isFound && from <= s.offset && s.offset < to {
				s.memberStart, s.memberEnd, s.isFound = from, to, true
			}
		}
	case '[':
		for s.dec.PeekKind() != ']' {
			if err := s.scanValue(); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = s.dec.ReadToken()
	return err
}
