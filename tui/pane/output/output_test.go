package output

import (
	"testing"
	"time"

	"playhead/engine/track"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// TestCallsOfAStepThatWasLeft: if the selected row has no output, the pane shows nothing of the row that was selected
// before.
func TestCallsOfAStepThatWasLeft(t *testing.T) {
	p := New()
	p.actionList.actions = []*track.Action{{Kind: "model"}, {Kind: "tool"}}
	p.Sync(&runview.Run{}, nil)
	if !p.IsEmpty() {
		t.Error("the calls of the previous row are still listed")
	}
}

// TestPaneGrows: a pane that becomes taller shows more lines of its log at once, before the log is read again. The end
// of a followed log stays at the bottom.
func TestPaneGrows(t *testing.T) {
	p := New()
	p.Resize(layout.Rect{W: 20, H: 3})
	p.ShowWindow(LogWindow{lines: []string{"1", "2", "3", "4", "5", "6", "7"}, totalLines: 7}, time.Time{})
	for _, tt := range []struct{ height, from, shown int }{{3, 4, 3}, {5, 2, 5}, {9, 0, 7}, {2, 5, 2}} {
		p.Resize(layout.Rect{W: 20, H: tt.height})
		if from, lines := p.viewport.visibleLines(); from != tt.from || len(lines) != tt.shown {
			t.Errorf("%d lines high: %d lines from %d on show, want %d from %d on", tt.height, len(lines), from, tt.shown, tt.from)
		}
	}
}
