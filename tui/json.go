package tui

import (
	"encoding/json"
	"regexp"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/themes"
)

// jsonParts are what JSON is made of: a text, with a colon behind it if it is a key,
// or a word or number.
var jsonParts = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(:?)|[-+.\w]+`)

// jsonLines sets a text that may be JSON: indented and in colours if it is, else as it
// is. No line is wider than w, and nothing is cut.
func jsonLines(s *themes.Styles, text string, w int) []string {
	lines := wrapped(strings.TrimRight(sanitize.Text(tools.Pretty(text)), "\n"), w)
	if !json.Valid([]byte(text)) {
		return lines
	}
	for i, line := range lines {
		lines[i] = jsonPart(s, line)
	}
	return lines
}

// jsonPart paints a line.
func jsonPart(l *themes.Styles, line string) string {
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
