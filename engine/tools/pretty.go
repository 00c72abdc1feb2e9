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

// IsJSONContainer reports whether a text is a JSON object or list.
func IsJSONContainer(text string) bool {
	trimmed := strings.TrimSpace(text)
	return (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) && json.Valid([]byte(trimmed))
}

// PrettyJSON formats a JSON object or list with one line for each part. Any other text stays as it is.
func PrettyJSON(text string) string {
	var b bytes.Buffer
	if !IsJSONContainer(text) || json.Indent(&b, []byte(strings.TrimSpace(text)), "", "  ") != nil {
		return text
	}
	return UnescapeNonASCII(b.String())
}

// escapePattern matches a sequence of JSON escapes of characters by number. It also matches any other escape, so that
// \\u is not taken for one of those.
var escapePattern = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\.`)

// UnescapeNonASCII replaces escapes of characters outside ASCII in JSON by the characters, unless they do
// not show. The meaning stays the same.
func UnescapeNonASCII(text string) string {
	return escapePattern.ReplaceAllStringFunc(text, func(escaped string) string {
		var decoded string
		if escaped[1] != 'u' || json.Unmarshal([]byte(`"`+escaped+`"`), &decoded) != nil {
			return escaped
		}
		if strings.ContainsFunc(decoded, func(r rune) bool { return r <= unicode.MaxASCII || r == utf8.RuneError }) {
			return escaped
		}
		return string(sanitize.EscapeJSON([]byte(decoded)))
	})
}

// CallWarning returns a warning about hidden characters in a call for the person who approves it: in
// its names, and in its arguments as the tool gets them. It returns "" if there are none.
func CallWarning(server, name, args string) string {
	texts := []string{server, name, args}
	for d := json.NewDecoder(strings.NewReader(args)); ; {
		token, err := d.Token()
		if err != nil {
			return sanitize.HiddenCharacterWarning(texts...)
		}
		if text, is := token.(string); is {
			texts = append(texts, text)
		}
	}
}

// Title returns the name of a tool for people, with its server unless the tool is Playhead's own. The server may
// be "", because a recording does not always contain it.
func Title(server, name string) string {
	if server == "" || plan.IsLocalServer(server) {
		return name
	}
	return server + " · " + name
}
