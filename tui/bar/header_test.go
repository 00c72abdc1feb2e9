package bar

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestHeaderKeepsTitle: the first line leaves out the name of the format before it cuts the title.
func TestHeaderKeepsTitle(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Plan.FormatTitle, run.Plan.Title = "Playbook", "Triage an incident report"
	header := func(w int) string {
		line, _ := Header(run, w, false, true, "")
		return ansi.Strip(line)
	}
	if wide := header(120); !strings.Contains(wide, "Playbook") {
		t.Errorf("the first line leaves out the format although there is room: %s", wide)
	}
	for w := 40; w < 120; w++ {
		if line := header(w); strings.Contains(line, "Triage") && strings.Contains(line, "…") && strings.Contains(line, "Playbook") {
			t.Errorf("the title is cut beside the name of the format: %s", line)
		}
	}
}
