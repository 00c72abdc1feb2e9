package help_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/help"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestHelp: help has the keys as they are bound, those of the dialog below it first, and is closed by
// the keys that one presses to leave.
func TestHelp(t *testing.T) {
	bound := keymap.New("", []keymap.Binding{{Action: "over", Keys: []string{"f7"}}, {Action: "quit", Keys: []string{"f9"}}}, nil)
	run := runviewtest.New(t, bound)
	d := &help.Dialog{Pane: layout.DialogPlace, Actions: keymap.KeyActions(), UsefulKeys: []draw.Hint{{Key: "1–3", Text: "answer"}}}
	text := ""
	for range 20 {
		text += runviewtest.PlainText(d.View(run, 118, 36))
		d.Update(run, terminal.KeyPress("pgdown"))
	}
	for _, want := range []string{"1–3", "f7", "f9"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in help", want)
		}
	}
	for _, key := range []string{"esc", "enter", "?", "f9"} {
		if got, _ := d.Update(run, terminal.KeyPress(key)); !reflect.DeepEqual(got, []tea.Msg{dialog.Close{}}) {
			t.Errorf("%s: %v", key, got)
		}
	}
}
