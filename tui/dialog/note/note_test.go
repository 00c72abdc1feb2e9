package note_test

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// TestEveryKeyIsText: in a note, keys that are bound to actions type their characters.
func TestEveryKeyIsText(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	d := note.New("Why?", "", "keep", func(_ *runview.Run, text string) []tea.Msg {
		return []tea.Msg{request.Say{Text: text}}
	})
	for _, k := range []string{"q", "?", "y", "space", "n"} {
		if got, handled := d.Update(run, terminal.KeyPress(k)); got != nil || !handled {
			t.Errorf("%s: %v, %v", k, got, handled)
		}
	}
	d.Update(run, tea.PasteMsg{Content: "ow"})
	got, _ := d.Update(run, terminal.KeyPress("enter"))
	if want := []tea.Msg{dialog.Close{}, request.Say{Text: "q?y now"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
