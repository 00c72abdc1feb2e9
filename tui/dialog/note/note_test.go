package note_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// TestSubjectIsAboveTheInput: a note shows what it is about, of which a part gives way to the input where room is scarce.
func TestSubjectIsAboveTheInput(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	d := note.New("Why?", "seen", "keep", nil)
	d.Subject = "Shall the report be sent to everybody?"
	for h, want := range map[int][]string{3: {"Shall the report be sent", "to everybody?", "› seen"}, 2: {"Shall the report be sent", "› seen"}, 1: {"› seen"}} {
		var got []string
		for _, line := range d.View(run, 24, h) {
			got = append(got, strings.TrimSpace(ansi.Strip(line)))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d lines: %q", h, got)
		}
	}
	if h := d.WantedHeight(run, 24); h != 3 {
		t.Errorf("wants %d lines", h)
	}
}

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
