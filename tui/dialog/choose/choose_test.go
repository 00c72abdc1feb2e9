package choose_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/model"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

func newRun() *runview.Run {
	return &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{}), UnavailableReason: func(string) string { return "" }}
}

// TestReplySource: if the person would write the next reply, choosing the current reply source lets the source reply
// again.
func TestReplySource(t *testing.T) {
	for own, want := range map[bool]request.Do{
		false: {Action: "source", Args: control.Args{Text: "a"}},
		true:  {Action: "manual-reply"},
	} {
		run := newRun()
		run.ReplySources = []model.ReplySourceOption{{Name: "a"}, {Name: "b"}}
		run.Status = engine.Status{ReplySourceName: "a", NextReplyManual: own}
		got, _ := choose.NewReplySourceDialog(run).Update(run, terminal.KeyPress("enter"))
		if len(got) != 3 || !reflect.DeepEqual(got[2], tea.Msg(want)) {
			t.Errorf("own %v: %v", own, got)
		}
	}
}

// TestThemePreview: the screen shows the selected theme, and esc restores the previous one.
func TestThemePreview(t *testing.T) {
	all := []themes.Palette{{Name: "day"}, {Name: "night"}}
	d := choose.NewThemeDialog(all, all[0])
	got, _ := d.Update(newRun(), terminal.KeyPress("down"))
	if want := []tea.Msg{request.ChangeTheme{Palette: all[1]}}; !reflect.DeepEqual(got, want) {
		t.Errorf("selected: %v", got)
	}
	got, _ = d.Update(newRun(), terminal.KeyPress("esc"))
	if want := []tea.Msg{request.ChangeTheme{Palette: all[0]}, dialog.Close{}}; !reflect.DeepEqual(got, want) {
		t.Errorf("esc: %v", got)
	}
}

// TestActionMenuColumns: the column of names gets narrower if a long text needs the room. A selected text that is still
// cut shows in full below the list.
func TestActionMenuColumns(t *testing.T) {
	run := newRun()
	d := choose.NewActionMenu(run)
	d.Finder.Query = "the selected"
	d.Finder.Filter()
	for w, want := range map[int][]string{
		53: {"jump            jump to the selected step         J", "rewind          rewind to the selected event  enter"},
		49: {"jump        jump to the selected step         J", "rewind      rewind to the selected event  enter"},
		43: {"jump   jump to the selected step        J", "rewind rewind to the selected event enter"},
		30: {"run-to run to the selecte… .", "    run to the selected step"},
	} {
		text := ansi.Strip(strings.Join(d.View(run, w, 20), "\n"))
		for _, line := range want {
			if !strings.Contains(text, line) {
				t.Errorf("%d cells: no %q in\n%s", w, line, text)
			}
		}
	}
}

// TestActionMenu: an action that is unavailable says why, and the menu stays open.
func TestActionMenu(t *testing.T) {
	run := newRun()
	d := choose.NewActionMenu(run)
	for _, k := range "rewind" {
		d.Update(run, terminal.KeyPress(string(k)))
	}
	if got, _ := d.Update(run, terminal.KeyPress("enter")); !reflect.DeepEqual(got, []tea.Msg{dialog.Close{}, request.PressKeyOf{Action: "rewind"}}) {
		t.Errorf("got %v", got)
	}
	run.UnavailableReason = func(string) string { return "Not now." }
	if got, _ := d.Update(run, terminal.KeyPress("enter")); !reflect.DeepEqual(got, []tea.Msg{request.Say{Text: "Not now."}}) {
		t.Errorf("got %v", got)
	}
}
