package tui

import "testing"

// TestAGroupWithoutText: the text pane of a group without text points to the substeps.
func TestAGroupWithoutText(t *testing.T) {
	sc := open(t, load(t, "group.runbook.md", "# G\n## 1. Group\n### 1.1 One\nDo it.\n- PASS: COMPLETE\n"), 80, 24)
	sc.press("esc", "k")
	sc.want("│ This group has no text. See its substeps")
}
