package tui

import (
	"encoding/json"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/themes"
	"playhead/tui/markdown"
)

// jsonLines sets a text that may be JSON: indented and in colours if it is, else as it
// is. No line is wider than w, and nothing is cut.
func jsonLines(s *themes.Styles, text string, w int) []string {
	shown := strings.TrimRight(sanitize.Text(tools.Pretty(text)), "\n")
	if !json.Valid([]byte(text)) {
		return wrapped(shown, w)
	}
	return markdown.WrapCode(shown, "json", w, s)
}
