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

// TestChangedValueIsNotLost: the first esc does not discard a changed value, and enter sets the variable.
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

// TestChangeWithError: if an edit cannot be written back, the dialog says why.
func TestChangeWithError(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	opened := edit.WriteBackMsg{FileChange: rewrite.FileChange{Err: errors.New("the file has changed")}}.Requests(run)
	if got := strings.Join(opened[0].(dialog.Open).Dialog.View(run, 60, 10), "\n"); !strings.Contains(got, "The file has changed.") {
		t.Error(got)
	}
}

// TestChangeSaysWhatAndWhere: the text of the dialog, which is wrapped, names the line and the edit. The title names
// only the file.
func TestChangeSaysWhatAndWhere(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	change := rewrite.FileChange{File: "/d/release.runbook.md", Line: 229}
	change.Label = "edit of the route of step Rollback"
	d := edit.WriteBackMsg{FileChange: change}.Requests(run)[0].(dialog.Open).Dialog
	if got := d.Title(run).Left; got != "Change release.runbook.md?" {
		t.Errorf("title %q", got)
	}
	text := strings.Join(strings.Fields(strings.Join(d.View(run, 40, 10), " ")), " ")
	if want := "At line 229: the edit of the route of step Rollback."; !strings.HasPrefix(text, want) {
		t.Errorf("%q does not begin with %q", text, want)
	}
}

// TestNextEditToWrite: the edits of the document itself and of the selected step are offered first, then those of other
// steps. Those that the document has are left out.
func TestNextEditToWrite(t *testing.T) {
	change := func(label string, isInDocument bool) rewrite.FileChange {
		return rewrite.FileChange{Edit: rewrite.Edit{StepID: label, Label: label}, IsInDocument: isInDocument}
	}
	for _, c := range []struct {
		selected, want string
		all            []rewrite.FileChange
	}{
		{"2", "2", []rewrite.FileChange{change("1", false), change("2", false)}},
		{"2", "1", []rewrite.FileChange{change("2", true), change("1", false)}},
		{"3", "1", []rewrite.FileChange{change("1", false), change("2", false)}},
		{"1", "", []rewrite.FileChange{change("1", true)}},
	} {
		msg := edit.PrepareWriteBack(c.selected, func() ([]rewrite.FileChange, error) { return c.all, nil })().(edit.WriteBackMsg)
		if msg.Label != c.want || msg.IsInDocument != (c.want == "") {
			t.Errorf("%+v: the edit of step %q", c, msg.Label)
		}
	}
}

// TestEditOfAnotherStepCanBeWritten: there is something to write if any step has an edit.
func TestEditOfAnotherStepCanBeWritten(t *testing.T) {
	steps := track.New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}, {ID: "2"}}})
	run := &runview.Run{RunView: control.RunView{Track: steps, IsBegun: true}, SelectedRow: steps.RowByLabel("2")}
	if why := edit.WriteBackUnavailableReason(run); why != "This run has no edits. {edit} to edit the step." {
		t.Errorf("without an edit: %q", why)
	}
	steps.RowByLabel("1").EditedTexts = map[int]string{0: "true"}
	if why := edit.WriteBackUnavailableReason(run); why != "" {
		t.Errorf("with an edit of step 1: %q", why)
	}
}
