package tui

import "testing"

// TestFittingFacts: of what a title says, that which matters least gives way to the name.
func TestFittingFacts(t *testing.T) {
	facts := []fact{{"prompt as sent", 0}, {"attempt 2", 3}, {"passed", 4}, {"0.1s", 2}, {"from file", 1}}
	for room, want := range map[int]string{
		80: "prompt as sent · attempt 2 · passed · 0.1s · from file", 40: "attempt 2 · passed · 0.1s · from file",
		30: "attempt 2 · passed · 0.1s", 20: "attempt 2 · passed", 10: "passed", 0: "passed",
	} {
		if got := fitting(&look{}, facts, room); got != want {
			t.Errorf("%d cells: %q", room, got)
		}
	}
}
