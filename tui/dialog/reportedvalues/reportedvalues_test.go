package reportedvalues_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/reportedvalues"
	"playhead/tui/keymap"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestReportedValues: the person edits the reported values and stores them all at once. Only the changed values replace
// reported ones.
func TestReportedValues(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	run.Status.PendingValues = []plan.Assignment{{Name: "count", Value: 3.0}, {Name: "path", Value: "a.md"}}
	var taken []plan.Assignment
	d := reportedvalues.New(run, "Pass 1 with these values", func(_ *runview.Run, changedValues []plan.Assignment) []tea.Msg {
		taken = changedValues
		return nil
	})
	if text := runviewtest.PlainText(d.View(run, 60, 10)); !strings.Contains(text, "count") || !strings.Contains(text, "a.md") {
		t.Errorf("shows\n%s", text)
	}
	for _, key := range []string{"tab", "x", "enter"} {
		d.Update(run, terminal.KeyPress(key))
	}
	if len(taken) != 1 || taken[0].Name != "path" || taken[0].Value != "a.mdx" {
		t.Errorf("took %v", taken)
	}
	if got, _ := d.Update(run, terminal.KeyPress("esc")); !reflect.DeepEqual(got, []tea.Msg{dialog.Close{}}) {
		t.Errorf("esc: %v", got)
	}
}
