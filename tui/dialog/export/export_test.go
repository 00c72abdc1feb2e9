package export_test

import (
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/runs"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/export"
	"playhead/tui/dialog/note"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestExport: the person chooses an export, then names the file. An export that needs the end of the run says so.
func TestExport(t *testing.T) {
	wrote := ""
	all := []runs.Export{
		{Name: "report", SuggestName: func() string { return "run.md" }, Write: func(path string, _ bool) (string, error) { wrote = path; return path, nil }},
		{Name: "scenario", NeedsEndedRun: true},
	}
	run := runviewtest.New(t, keymap.Map{})
	got, _ := export.New(all).Update(run, terminal.KeyPress("2"))
	if !reflect.DeepEqual(got[len(got)-1], request.Say{Text: "The scenario can be saved only when the run is over."}) {
		t.Errorf("before the end of the run: %v", got)
	}
	got, _ = export.New(all).Update(run, terminal.KeyPress("1"))
	file := got[len(got)-1].(dialog.Open).Dialog.(*note.Dialog)
	got, _ = file.Update(run, terminal.KeyPress("enter"))
	for _, r := range got {
		if b, is := r.(request.Background); is {
			b.Cmd()
		}
	}
	if wrote != "run.md" {
		t.Errorf("wrote %q, requested %v", wrote, got)
	}
}

// TestExistingFile: an existing file is replaced only after a confirmation. After an error, the person can correct the
// name.
func TestExistingFile(t *testing.T) {
	e := runs.Export{Name: "report"}
	for name, c := range map[string]struct {
		err  error
		want func([]tea.Msg) bool
	}{
		"exists": {fs.ErrExist, func(got []tea.Msg) bool {
			d, is := got[0].(dialog.Open).Dialog.(*confirm.Dialog)
			return is && strings.Contains(d.Text, "a.md exists")
		}},
		"fails": {errors.New("no room"), func(got []tea.Msg) bool { return got[1] == request.Say{Text: "No room."} }},
		"done":  {nil, func(got []tea.Msg) bool { return got[0] == request.Say{Text: "Saved as a.md."} }},
	} {
		if got := (export.WriteResult{Export: e, File: "a.md", Err: c.err}).Requests(); !c.want(got) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
