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
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}
