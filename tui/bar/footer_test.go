package bar

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestNarrowHintLine: a narrow hint line drops the hint to quit before the most useful hints, and never drops the hint
// to close the dialog.
func TestNarrowHintLine(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	hints := []draw.Hint{
		dc.ActionHint("toggle", "on/off"), dc.ActionHint("remove", "remove"), dc.ActionHint("adjust", "condition"),
		dc.ActionHint("accept", "go there"), dc.ActionHint("close", "back"), dc.ActionHint("copy", "copy"),
	}
	end := []draw.Hint{dc.ActionHint("quit", "quit"), dc.ActionHint("help", "help")}
	for room, want := range map[int]string{
		100: "space on/off  x remove  e condition  enter go there  esc back  y copy  q quit  ? help",
		80:  "space on/off  x remove  e condition  enter go there  esc back  q quit  ? help",
		76:  "space on/off  x remove  e condition  enter go there  esc back  ? help",
		56:  "space on/off  x remove  e condition  esc back  ? help",
	} {
		line, _ := HintLine(dc, hints, end, room, 0)
		if got := strings.TrimSpace(ansi.Strip(line)); got != want {
			t.Errorf("in %d cells: %q", room, got)
		}
	}
}
