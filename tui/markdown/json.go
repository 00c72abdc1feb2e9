package markdown

import (
	"encoding/json"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/themes"
)

// JSON returns a text that may be JSON as lines of at most width cells: indented and in colours if
// it is, else as it is. Nothing is cut.
func JSON(text string, width int, s *themes.Styles) []string {
	shown := strings.TrimRight(sanitize.Text(tools.Pretty(text)), "\n")
	if !json.Valid([]byte(text)) {
		return Wrap(shown, width)
	}
	return WrapCode(shown, "json", width, s)
}

// Wrap returns a text, free of controls, as lines of at most width cells.
func Wrap(text string, width int) []string {
	if text == "" {
		return nil
	}
	return strings.Split(ansi.Hardwrap(strings.TrimSuffix(text, "\n"), width, true), "\n")
}
