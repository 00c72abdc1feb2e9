package edit_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/edit"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// TestChangedValueIsNotLost: a value that was changed is kept only when the person says so, and is not lost by
// one esc.
func TestChangedValueIsNotLost(t *testing.T) {
	run := &runview.Run{RunView: control.RunView{Plan: &plan.Plan{}}, DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	d := edit.NewVariableDialog(run, track.Variable{Name: "size", Value: "1"})
	press := func(key string) []tea.Msg {
		got, _ := d.Update(run, terminal.KeyPress(key))
		return got
	}
	press("2")
	if got := press("esc"); len(got) != 1 || got[0] == tea.Msg(dialog.Close{}) {
		t.Errorf("esc: %v", got)
	}
	got := press("enter")
	want := request.Do{Action: "set", Args: control.Args{Name: "size", Text: "12"}}
	if len(got) != 3 || !reflect.DeepEqual(got[2], tea.Msg(want)) {
		t.Errorf("enter: %v", got)
	}
	if got := press("esc"); len(got) != 1 {
		t.Errorf("esc: %v", got)
	}
}

// TestChangeWithError: an edit that cannot be written is shown with a sentence that says why.
func TestChangeWithError(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	opened := edit.WriteBackMsg{FileChange: rewrite.FileChange{Err: errors.New("the file has changed")}}.Requests(run)
	if got := strings.Join(opened[0].(dialog.Open).Dialog.View(run, 60, 10), "\n"); !strings.Contains(got, "The file has changed.") {
		t.Error(got)
	}
}
