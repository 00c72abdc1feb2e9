package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrorSentence returns the text of an error as a sentence.
func ErrorSentence(err error) string {
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(text[size:], ".") + "."
}
