package preview_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/themes"
	"playhead/tui/dialog/preview"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// TestEnter: enter confirms only if the dialog says so, and closes a dialog that has nothing to confirm.
func TestEnter(t *testing.T) {
	run := &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}
	yes := []tea.Msg{"yes"}
	for _, c := range []struct {
		dialog       preview.Dialog
		requestCount int // including the one that closes the dialog
	}{
		{preview.Dialog{YesVerb: "use it", YesRequests: yes, EnterAnswersYes: true}, 2},
		{preview.Dialog{YesVerb: "write it", YesRequests: yes}, 0},
		{preview.Dialog{}, 1},
	} {
		if got, _ := c.dialog.Update(run, terminal.KeyPress("enter")); len(got) != c.requestCount {
			t.Errorf("%q: %v", c.dialog.YesVerb, got)
		}
	}
}
