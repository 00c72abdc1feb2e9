package tui

import (
	"regexp"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
)

// jsonParts are what JSON is made of: a text, with a colon behind it if it is a key,
// or a word or number.
var jsonParts = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(:?)|[-+.\w]+`)

// jsonLines sets a text that may be JSON: indented and in colours if it is, else as it
// is. No line is wider than w, and nothing is cut.
func jsonLines(l *look, text string, w int) []string {
	pretty := tools.Pretty(text)
	isJSON := pretty != text || strings.HasPrefix(strings.TrimSpace(text), "{")
	var out []string
	for _, line := range strings.Split(strings.TrimRight(sanitize.Text(pretty), "\n"), "\n") {
		for _, part := range l.hard(line, w) {
			if isJSON {
				part = jsonPart(l, part)
			}
			out = append(out, part)
		}
	}
	return out
}

// jsonPart paints a line.
func jsonPart(l *look, line string) string {
	return jsonParts.ReplaceAllStringFunc(line, func(s string) string {
		switch {
		case strings.HasSuffix(s, `":`):
			return l.Tool.Paint(s[:len(s)-1]) + ":"
		case s[0] == '"':
			return l.Pass.Paint(s)
		}
		return l.Model.Paint(s)
	})
}
