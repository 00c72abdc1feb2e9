// Package source is what the text formats share: a file's bytes as text, places in it, fences, and
// the diagnostics of one document.
package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Place is where something stands: a line, counted from 0, and a byte of it.
type Place struct{ Line, At int }

// Normalize returns a file's text without a byte order mark, its lines ended by LF. That moves
// neither lines nor columns: places in the text are places in the file.
func Normalize(file []byte) string {
	text := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return string(text)
}

// Invalid returns why a file is no text, with the offset of the first byte that is none. The problem
// is empty for a text.
func Invalid(text string) (at int, problem string) {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return len(text), ""
	}
	for i, r := range text {
		if r == 0 {
			return i, "there is a NUL byte: this is not a text file"
		}
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i, fmt.Sprintf("this is not valid UTF-8 (byte 0x%02x)", text[i])
		}
	}
	return len(text), ""
}

// PlaceOf returns the place of an offset.
func PlaceOf(text string, at int) Place {
	before := text[:at]
	return Place{strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n') - 1}
}

// IsBlank reports whether a line holds nothing to see.
func IsBlank(line string) bool { return strings.TrimSpace(line) == "" }

// Indent returns the blanks that a line begins with: in columns, a tab going to the next fourth one,
// and in bytes.
func Indent(line string) (columns, bytes int) {
	for ; bytes < len(line); bytes++ {
		switch line[bytes] {
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

// Fence is a line that begins with a run of at least three backticks or tildes.
type Fence struct {
	Columns, Bytes int    // its indentation
	Char           byte   // ` or ~
	Run            int    // how many there are
	Info           string // what stands behind
}

// MaxFenceIndent is how many columns a fence may be indented in CommonMark.
const MaxFenceIndent = 3

// ReadFence reads a line as a fence, however far it is indented.
func ReadFence(line string) (Fence, bool) {
	columns, bytes := Indent(line)
	rest := line[bytes:]
	if rest == "" || rest[0] != '`' && rest[0] != '~' {
		return Fence{}, false
	}
	f := Fence{Columns: columns, Bytes: bytes, Char: rest[0]}
	f.Info = strings.TrimLeft(rest, rest[:1])
	f.Run = len(rest) - len(f.Info)
	return f, f.Run >= 3
}

// CanOpen reports whether a fence may open a block: what stands behind backticks holds none.
func (f Fence) CanOpen() bool { return f.Char == '~' || strings.IndexByte(f.Info, '`') < 0 }

// Closes reports whether a fence closes a block that another one opened.
func (f Fence) Closes(opener Fence) bool {
	return f.Char == opener.Char && f.Run >= opener.Run && IsBlank(f.Info)
}
