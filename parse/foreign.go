package parse

import (
	"bytes"
	"unicode/utf8"

	"playhead/parse/plan"
)

// unreadable says why a file is no text, "" if it is.
func unreadable(file []byte) string {
	switch {
	case plan.UTF16(file):
		return "it is UTF-16"
	case bytes.IndexByte(file, 0) >= 0:
		return "it holds a NUL byte: this is no text file"
	case !utf8.Valid(file):
		return "it is not valid UTF-8"
	}
	return ""
}
