package track

import (
	"testing"

	"playhead/parse/playbook"
	"playhead/parse/rundown"
)

// TestNext: a step leads into the next group, past steps that only a jump enters and past the other
// branches, and to its group if that decides.
func TestNext(t *testing.T) {
	runbook := New(rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. Group\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n\n### 1.1 A\nA.\n\n### 1.2 B\nB.\n\n"+
		"## 2. Plain\n\n### 2.1 C\nC.\n\n## Aside\nD.\n\n## 3. Last\nE.\n"), rundown.Options{}))
	choice := New(playbook.Parse("triage.playbook.md", []byte(branching+"\n## STEP 3: End\nEnd.\n"), playbook.Options{}))
	for _, c := range []struct {
		track    *Track
		step, to string
	}{
		{runbook, "1.1", "1.2"}, {runbook, "1.2", "1"}, {runbook, "1", "2.1"}, {runbook, "2.1", "3"}, {runbook, "3", ""},
		{choice, "1", "2"}, {choice, "2a", "3"}, {choice, "2b", "3"}, {choice, "2", "3"},
	} {
		got := ""
		if r := c.track.Row(c.step).Next(); r != nil {
			got = r.Label
		}
		if got != c.to {
			t.Errorf("%s leads to %q, not %q", c.step, got, c.to)
		}
	}
}
