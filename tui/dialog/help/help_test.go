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

// TestHelp: help lists the keys of the dialog below it and the keys as they are bound. Esc, enter, ? and the key to
// quit close it.
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

// TestHelpListsNoKeyTwice: help lists what a key does in the dialog, and leaves out what the same key does on the
// screen.
func TestHelpListsNoKeyTwice(t *testing.T) {
	keys := keymap.New("", nil, nil)
	run := runviewtest.New(t, keys)
	d := &help.Dialog{Pane: layout.DialogPlace, Actions: keymap.KeyActions(), UsefulKeys: []draw.Hint{
		{Key: "y", Text: "yes", Action: "yes"}, {Key: "Y N", Text: "with a note", Action: "no-note"}, {Key: "1–3", Text: "go to a step"},
	}}
	text := runviewtest.PlainText(d.View(run, 118, 400))
	for _, want := range []string{" ctrl+y ", "show the decision"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, not := range []string{"y ctrl+y", "need your approval", "retry the call now", "show the steps"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in:\n%s", not, text)
		}
	}
	d.Pane = layout.StepsPane
	if text := runviewtest.PlainText(d.View(run, 118, 400)); !strings.Contains(text, "y ctrl+y") {
		t.Errorf("the screen's y is missing in:\n%s", text)
	}
}
