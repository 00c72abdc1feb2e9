package sanitize

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/hidden"
)

// Plain returns an untrusted text as one line in which every character is visible. Hidden characters
// become escapes; tabs and line ends become spaces.
func Plain[T string | []byte](text T) string {
	s := string(text)
	if isPrintableOr(s, ' ') {
		return s
	}
	for strings.HasSuffix(s, "\n") {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	}
	return escapeHidden(s, " ")
}

// PlainLines is like Plain for several lines: its line ends are LF alone.
func PlainLines[T string | []byte](text T) string {
	s := string(text)
	if isPrintableOr(s, '\n') {
		return s
	}
	return escapeHidden(s, "\n")
}

// textTabWidth is the distance of tab stops in text, in cells.
const textTabWidth = 4

// escapeHidden writes hidden characters as escapes, and each line end as end.
func escapeHidden(s, end string) string {
	var scan hidden.Scanner
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	start, col := 0, 0 // the start of the output since the last tab or line end, and its column
	for len(s) > 0 {
		size, isHidden := scan.Next(s)
		switch char := s[:size]; {
		case isHidden:
			out.WriteString(hidden.Escape(char))
		case char == "\r": // part of a line end
		case char == "\n":
			out.WriteString(end)
			start, col = out.Len(), 0
		case char == "\t":
			col += ansi.StringWidth(out.String()[start:])
			n := textTabWidth - col%textTabWidth
			out.WriteString(strings.Repeat(" ", n))
			start, col = out.Len(), col+n
		default:
			out.WriteString(char)
		}
		s = s[size:]
	}
	return out.String()
}

// HiddenCharacterWarning returns the warning to show before a person agrees to the texts, "" if none has hidden
// characters.
func HiddenCharacterWarning(texts ...string) string {
	if hidden.ContainsHidden(texts...) {
		return `Careful: there are hidden characters here. They show as escapes, like \x1b or \u202e.`
	}
	return ""
}

// paddingPattern is whitespace, or empty lines, that could push what is behind them out of sight.
var paddingPattern = regexp.MustCompile(`[\pZ\x{2800}\t]{61,}|(?:\r?\n[\pZ\x{2800}\t]*){11,}`)

// MarkPadding returns text, to which a person is asked to agree, with a note such as ⟨80 spaces⟩ or ⟨20 empty lines⟩
// in the place of each long padding.
func MarkPadding(text string) string {
	if len(text) < 11 {
		return text
	}
	return paddingPattern.ReplaceAllStringFunc(text, func(pad string) string {
		if n := strings.Count(pad, "\n"); n > 0 {
			indent := pad[strings.LastIndexByte(pad, '\n')+1:]
			return "\n⟨" + strconv.Itoa(n-1) + " empty lines⟩\n" + MarkPadding(indent)
		}
		return " ⟨" + strconv.Itoa(utf8.RuneCountInString(pad)) + " spaces⟩ "
	})
}

// JSONWriter writes JSON as EscapeJSON returns it. What each Write gets must be whole JSON values.
type JSONWriter struct{ io.Writer }

// Write writes p with EscapeJSON applied. p must consist of whole JSON values.
func (j JSONWriter) Write(p []byte) (int, error) {
	_, err := j.Writer.Write(EscapeJSON(p))
	return len(p), err
}

// EscapeJSON returns equivalent JSON that cannot control a terminal: every hidden character is an escape.
func EscapeJSON(p []byte) []byte {
	if isASCII(p) {
		return p
	}
	var scan hidden.Scanner
	out := make([]byte, 0, len(p)+len(p)/8)
	for text := string(p); len(text) > 0; {
		n, isHidden := scan.Next(text)
		switch r, _ := utf8.DecodeRuneInString(text); {
		case !isHidden:
			out = append(out, text[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out
}

func isASCII(p []byte) bool {
	for _, b := range p {
		if b >= 0x7f {
			return false
		}
	}
	return true
}
