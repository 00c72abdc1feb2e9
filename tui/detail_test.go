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

// TestAGroupWithoutText says where there is more to read.
func TestAGroupWithoutText(t *testing.T) {
	sc := open(t, load(t, "group.runbook.md", "# G\n## 1. Group\n### 1.1 One\nDo it.\n- PASS: COMPLETE\n"), 80, 24)
	sc.press("esc", "k")
	sc.want("│ It has no text of its own: its steps are below")
}
