package comparisonview

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/compare"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestRunThatWaitsIsNoFailure: beside another run, one that waits for a person has not failed.
func TestRunThatWaitsIsNoFailure(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	if got := ansi.Strip(runHeaderLine(dc, compare.Run{ID: "07b3", Result: plan.Awaiting}, "today", 40)); got != "07b3 today ? waiting" {
		t.Errorf("%q", got)
	}
}
