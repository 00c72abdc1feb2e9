package sanitize

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/hidden"
)

// Plain returns a text that somebody wrote as one line in which every character shows: hidden
// ones are written as escapes, tabs and line ends become spaces.
func Plain[T string | []byte](text T) string {
	s := string(text)
	if isClean(s, ' ') {
		return s
	}
	for strings.HasSuffix(s, "\n") {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	}
	return visible(s, " ")
}

// Text is Plain for several lines: its line ends are LF alone.
func Text[T string | []byte](text T) string {
	s := string(text)
	if isClean(s, '\n') {
		return s
	}
	return visible(s, "\n")
}

// visible writes hidden characters as escapes, and each line end as end.
func visible(s, end string) string {
	var scan hidden.Scanner
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	start, col := 0, 0 // of what was written since the last tab or line end; its column
	for len(s) > 0 {
		size, isHidden := scan.Next(s)
		switch char := s[:size]; {
		case isHidden:
			out.WriteString(hidden.Escape(char))
		case char == "\r": // of a line end
		case char == "\n":
			out.WriteString(end)
			start, col = out.Len(), 0
		case char == "\t":
			col += ansi.StringWidth(out.String()[start:])
			n := tabWidth - col%tabWidth
			out.WriteString(strings.Repeat(" ", n))
			start, col = out.Len(), col+n
		default:
			out.WriteString(char)
		}
		s = s[size:]
	}
	return out.String()
}
