package workflow

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"playhead/parse/source"
)

// place is a line, counted from 0, and a byte in it.
type place struct{ Line, Offset int }

// decodedFile is a file as text (§1).
type decodedFile struct {
	text         string
	problem      string // why it is not text, and where
	problemPlace place
	hasBOM       bool
	hasCR        bool // lines end in CRLF or CR, from some line on
	firstCRLine  int
}

// decodeFile checks and normalizes a file.
func decodeFile(file []byte) decodedFile {
	s := decodedFile{text: source.Normalize(file), hasBOM: bytes.HasPrefix(file, []byte("\xef\xbb\xbf"))}
	if i := bytes.IndexByte(file, '\r'); i >= 0 {
		s.hasCR, s.firstCRLine = true, bytes.Count(file[:i], []byte("\n"))
	}
	if n := garbledBOMLength(s.text); n > 0 {
		s.hasBOM, s.text = true, s.text[n:]
	}
	at, problem := source.NotTextReason(s.text)
	if s.problem = problem; problem != "" {
		s.problemPlace = place(source.PlaceOf(s.text, at))
	}
	return s
}

// garbledBOMLength returns the length of a byte order mark that was decoded with the wrong encoding (§9),
// 0 if there is none.
func garbledBOMLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return r < utf8.RuneSelf })
	if n <= 0 || n > maxGarbledBOM {
		return 0
	}
	for passes := range maxRepairPasses {
		if repairEncoding(text[:n], passes+1) == "\ufeff" {
			return n
		}
	}
	return 0
}

// maxGarbledBOM limits the length of a garbled byte order mark, in bytes.
const maxGarbledBOM = 64

// listIndent is like source.Indent, but any Unicode blank counts, as in lists.
func listIndent(text string) (columns, bytes int) {
	columns, bytes = source.IndentOf(text)
	rest := strings.TrimLeftFunc(text[bytes:], unicode.IsSpace)
	blanks := text[bytes : len(text)-len(rest)]
	return columns + utf8.RuneCountInString(blanks), bytes + len(blanks)
}

// firstBlankOffset returns the offset of the first blank, or the length of the text.
func firstBlankOffset(text string) int {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(text)
}

// isThematicBreak reports whether a line is a thematic break, such as ---.
func isThematicBreak(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= 3 && strings.Contains("-*_", text[:1]) && strings.Trim(text, text[:1]) == ""
}
