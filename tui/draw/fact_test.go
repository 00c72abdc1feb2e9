package draw_test

import (
	"testing"

	"playhead/tui/draw"
)

// TestFitFacts: if a title has too little room, its facts of the lowest priority are dropped first.
func TestFitFacts(t *testing.T) {
	facts := []draw.TitleFact{{Text: "prompt as sent", Priority: 0}, {Text: "attempt 2", Priority: 3}, {Text: "passed", Priority: 4}, {Text: "0.1s", Priority: 2}, {Text: "from file", Priority: 1}}
	for room, want := range map[int]string{
		80: "prompt as sent · attempt 2 · passed · 0.1s · from file", 40: "attempt 2 · passed · 0.1s · from file",
		30: "attempt 2 · passed · 0.1s", 20: "attempt 2 · passed", 10: "passed", 0: "passed",
	} {
		if got := (&draw.Context{}).FitFacts(facts, room); got != want {
			t.Errorf("%d cells: %q", room, got)
		}
	}
}
