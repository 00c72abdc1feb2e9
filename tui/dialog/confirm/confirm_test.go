package confirm_test

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

func newRun(keys keymap.Map) *runview.Run {
	return &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keys)}
}

func TestAnswers(t *testing.T) {
	bound := keymap.New("", []keymap.Binding{{Action: "yes", Keys: []string{"f5"}}}, nil)
	for _, c := range []struct {
		keys    keymap.Map
		key     string
		want    []tea.Msg
		handled bool
	}{
		{keymap.Map{}, "y", []tea.Msg{dialog.Close{}, request.PressKeyOf{Action: "quit"}}, true},
		{keymap.Map{}, "n", []tea.Msg{dialog.Close{}}, true},
		{keymap.Map{}, "esc", []tea.Msg{dialog.Close{}}, true},
		{keymap.Map{}, "enter", nil, false},
		{keymap.Map{}, "ctrl+c", nil, false},
		{bound, "f5", []tea.Msg{dialog.Close{}, request.PressKeyOf{Action: "quit"}}, true},
		{bound, "y", nil, false},
	} {
		d := &confirm.Dialog{YesRequests: []tea.Msg{request.PressKeyOf{Action: "quit"}}}
		got, handled := d.Update(newRun(c.keys), terminal.KeyPress(c.key))
		if !reflect.DeepEqual(got, c.want) || handled != c.handled {
			t.Errorf("%s: %v, %v", c.key, got, handled)
		}
	}
}

// TestConfirmationFollowsTheRun: a confirmation updates its text, but not between two commands. When it has nothing
// left to ask, it closes, and keys typed for it are ignored.
func TestConfirmationFollowsTheRun(t *testing.T) {
	d := &confirm.Dialog{
		Text:        "old",
		UpdatedText: func(*runview.Run) string { return "new" },
		ObsoleteReason: func(run *runview.Run) string {
			if run.Status.State == engine.Over {
				return "It has ended."
			}
			return ""
		},
	}
	run := newRun(keymap.Map{})
	run.RunView = control.RunView{Status: engine.Status{State: engine.Running}}
	if _, changed := d.Update(run, dialog.RunChanged{}); changed || d.Text != "old" {
		t.Error("the text changes between two commands")
	}
	run.Status.RunningStep = "1"
	if _, changed := d.Update(run, dialog.RunChanged{}); !changed || d.Text != "new" {
		t.Error("the text stays")
	}
	run.Status.State = engine.Over
	got, _ := d.Update(run, dialog.RunChanged{})
	if want := []tea.Msg{dialog.Close{}, request.IgnoreKeys{Text: "It has ended."}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
