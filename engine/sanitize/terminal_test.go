package sanitize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vito/midterm"
	"pgregory.net/rapid"

	"playhead/engine/sanitize"
)

// TestOutputShowsWhatATerminalShows: a line in which the cursor moves reads as on midterm, an independent terminal
// emulator. Tabs are left out, because midterm erases what they pass.
func TestOutputShowsWhatATerminalShows(t *testing.T) {
	const cols = 300
	rapid.Check(t, func(t *rapid.T) {
		n := func() int { return rapid.IntRange(1, 12).Draw(t, "n") }
		var line strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "parts") {
			switch rapid.IntRange(0, 6).Draw(t, "part") {
			case 0:
				line.WriteString("\r")
			case 1:
				line.WriteString(strings.Repeat("\b", n()))
			case 2:
				fmt.Fprintf(&line, "\x1b[%d%s", n(), rapid.SampledFrom([]string{"C", "D", "G"}).Draw(t, "move"))
			case 3:
				fmt.Fprintf(&line, "\x1b[%dK", rapid.IntRange(0, 2).Draw(t, "erase"))
			case 4:
				fmt.Fprintf(&line, "\x1b[%dm", n())
			default:
				line.WriteString(rapid.StringMatching(`[a-z ]{1,8}`).Draw(t, "text"))
			}
		}
		terminal := midterm.NewTerminal(2, cols)
		if _, err := terminal.Write([]byte(line.String())); err != nil {
			t.Fatal(err)
		}
		want := strings.TrimRight(string(terminal.Content[0]), " \x00")
		if got := strings.TrimRight(sanitize.OutputPlain(line.String()), " "); got != want {
			t.Fatalf("%q\nreads %q\non a terminal %q", line.String(), got, want)
		}
	})
}
