package longtext_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/longtext"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestReasoning: the reasoning scrolls and shows control characters as escapes. Esc and the key that opened it close
// it.
func TestReasoning(t *testing.T) {
	bound := keymap.New("", []keymap.Binding{{Action: "reasoning", Keys: []string{"f5"}}}, nil)
	run, d := runviewtest.New(t, bound), longtext.NewReasoning("one\x1b[2K\ntwo\nthree\nfour")
	if got := runviewtest.PlainText(d.View(run, 20, 3)); !strings.Contains(got, `one\x1b[2K`) || !strings.Contains(got, "more lines") {
		t.Errorf("shows\n%s", got)
	}
	if _, handled := d.Update(run, terminal.KeyPress("down")); !handled || !strings.HasPrefix(runviewtest.PlainText(d.View(run, 20, 3)), "two") {
		t.Error("does not scroll")
	}
	for _, key := range []string{"esc", "f5"} {
		if got, _ := d.Update(run, terminal.KeyPress(key)); !reflect.DeepEqual(got, []tea.Msg{dialog.Close{}}) {
			t.Errorf("%s: %v", key, got)
		}
	}
}
