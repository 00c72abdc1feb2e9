package tools

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// Pretty is a JSON object or list with a line for each part, readable, and any other text
// as it is.
func Pretty(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(trimmed), "", "  ") != nil {
		return text
	}
	return Readable(b.String())
}

// escapes finds characters of JSON that are written as numbers, and what only begins like that.
var escapes = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\.`)

// Readable is JSON of the same meaning in which characters beyond ASCII that are written as
// numbers stand for themselves, but for those that do not show.
func Readable(text string) string {
	return escapes.ReplaceAllStringFunc(text, func(escaped string) string {
		var as string
		if escaped[1] != 'u' || json.Unmarshal([]byte(`"`+escaped+`"`), &as) != nil {
			return escaped
		}
		if strings.ContainsFunc(as, func(r rune) bool { return r <= unicode.MaxASCII || r == utf8.RuneError }) {
			return escaped
		}
		return string(sanitize.JSON([]byte(as)))
	})
}

// Careful warns a person who is to allow a call of what is hidden in it, "" if nothing is: in its
// names, and in its arguments as the tool gets them.
func Careful(server, name, args string) string {
	texts := []string{server, name, args}
	for d := json.NewDecoder(strings.NewReader(args)); ; {
		token, err := d.Token()
		if err != nil {
			return sanitize.Careful(texts...)
		}
		if text, is := token.(string); is {
			texts = append(texts, text)
		}
	}
}

// Title names a tool for people. A recording does not always know whose it is.
func Title(server, name string) string {
	if server == "" || plan.IsLocal(server) {
		return name
	}
	return server + " · " + name
}
