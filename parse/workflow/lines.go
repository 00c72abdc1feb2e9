package workflow

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"playhead/parse/plan"
)

// place is where something stands: a line, counted from 0, and a byte of its text.
type place struct{ line, at int }

// source is a file as text (§1).
type source struct {
	text        string
	problem     string // why it is none, and where
	at          place
	bom         bool
	returns     bool // lines end in CRLF or CR, from one on
	firstReturn int
}

// decode checks and normalizes a file. Removing a BOM and turning CRLF and CR into
// LF moves neither lines nor columns.
func decode(file []byte) source {
	var s source
	b := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	s.bom = len(b) < len(file)
	if i := bytes.IndexByte(b, '\r'); i >= 0 {
		s.returns, s.firstReturn = true, bytes.Count(b[:i], []byte("\n"))
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	}
	s.text = string(b)
	if n := damagedMark(s.text); n > 0 {
		s.bom, s.text = true, s.text[n:]
	}
	i := firstInvalid(s.text)
	switch {
	case plan.UTF16(file):
		s.problem = "this is UTF-16"
		return s
	case i == len(s.text):
		return s
	case s.text[i] == 0:
		s.problem = "there is a NUL byte: this is not a text file"
	default:
		s.problem = fmt.Sprintf("this is not valid UTF-8 (byte 0x%02x)", s.text[i])
	}
	head := s.text[:i]
	s.at = place{strings.Count(head, "\n"), i - strings.LastIndexByte(head, '\n') - 1}
	return s
}

// damagedMark is the length of a byte order mark that was read in another encoding (§9)
// and begins a text, 0 if there is none.
func damagedMark(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return r < utf8.RuneSelf })
	if n <= 0 || n > maxMark {
		return 0
	}
	for passes := range maxPasses {
		if repaired(text[:n], passes+1) == "\ufeff" {
			return n
		}
	}
	return 0
}

// maxMark is how long such a mark is at most, in bytes.
const maxMark = 64

// firstInvalid is the offset of the first NUL or byte that is not UTF-8, or the
// length of the text.
func firstInvalid(text string) int {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return len(text)
	}
	for i, r := range text {
		if r == 0 || r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return len(text)
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// indentOf is the blanks that a line begins with: in columns, a tab going to the
// next fourth one, and in bytes.
func indentOf(text string) (columns, bytes int) {
	for ; bytes < len(text); bytes++ {
		switch text[bytes] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, bytes
		}
	}
	return columns, bytes
}

// leading is indentOf for lines of a list, which any blanks can indent.
func leading(text string) (columns, bytes int) {
	columns, bytes = indentOf(text)
	rest := strings.TrimLeftFunc(text[bytes:], unicode.IsSpace)
	blanks := text[bytes : len(text)-len(rest)]
	return columns + utf8.RuneCountInString(blanks), bytes + len(blanks)
}

// firstBlank is the offset of the first blank, or the length of the text.
func firstBlank(text string) int {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(text)
}

// rule reports whether a line is --- or the like.
func rule(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= 3 && strings.Contains("-*_", text[:1]) && strings.Trim(text, text[:1]) == ""
}
