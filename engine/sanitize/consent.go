package sanitize

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"playhead/parse/hidden"
)

// Careful is what a person is told first who is asked to agree to one of these texts; empty
// where nothing in them is hidden.
func Careful(texts ...string) string {
	if hidden.In(texts...) {
		return `Careful: there are hidden characters here. They show as escapes, like \x1b or \u202e.`
	}
	return ""
}

// padding is blanks, or empty lines, that could push what is behind them out of sight.
var padding = regexp.MustCompile(`[\pZ\x{2800}\t]{61,}|(?:\r?\n[\pZ\x{2800}\t]*){11,}`)

// Unpadded is a text that a person is asked to agree to without its long paddings: what stands
// in their place says how many blanks or empty lines there are.
func Unpadded(text string) string {
	if len(text) < 11 {
		return text
	}
	return padding.ReplaceAllStringFunc(text, func(pad string) string {
		if n := strings.Count(pad, "\n"); n > 0 {
			indent := pad[strings.LastIndexByte(pad, '\n')+1:]
			return "\n⟨" + strconv.Itoa(n-1) + " empty lines⟩\n" + Unpadded(indent)
		}
		return " ⟨" + strconv.Itoa(utf8.RuneCountInString(pad)) + " blanks⟩ "
	})
}
