package track

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
)

// TestNext: a step leads into the next group, past steps that only a jump enters and past the other
// branches, and to its group if that decides.
func TestNext(t *testing.T) {
	runbook := New(rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. Group\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n\n### 1.1 A\nA.\n\n### 1.2 B\nB.\n\n"+
		"## 2. Plain\n\n### 2.1 C\nC.\n\n## Aside\nD.\n\n## 3. Last\nE.\n"), rundown.Options{}))
	dynamic := "# T\n\n## 1. First\nDo.\n\n## 2. Tenants\n\n### 2.{n} Tenant\nDo.\n- PASS: GOTO NEXT\n- FAIL: STOP\n\n## 3. Last\nE.\n"
	instances, _ := drive(t, rundown.Parse("a.runbook.md", []byte(dynamic), rundown.Options{}), "ppp")
	if instances.RowByLabel("2.2") == nil {
		t.Fatal("the second instance was not entered")
	}
	choice := New(playbook.Parse("triage.playbook.md", []byte(branching+"\n## STEP 3: End\nEnd.\n"), playbook.Options{}))
	for _, c := range []struct {
		track    *Track
		step, to string
	}{
		{runbook, "1.1", "1.2"}, {runbook, "1.2", "1"}, {runbook, "1", "2.1"}, {runbook, "2.1", "3"}, {runbook, "3", ""},
		{instances, "1", "2.{n}"},
		{choice, "1", "2"}, {choice, "2a", "3"}, {choice, "2b", "3"}, {choice, "2", "3"},
	} {
		got := ""
		if r, _ := c.track.RowByLabel(c.step).NextRow(); r != nil {
			got = r.Label
		}
		if got != c.to {
			t.Errorf("%s leads to %q, not %q", c.step, got, c.to)
		}
	}
}

// TestNextOfUnknownRow: where a step leads that the document does not have is unknown.
func TestNextOfUnknownRow(t *testing.T) {
	tr := New(rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. A\nA.\n"), rundown.Options{}))
	for _, r := range []*Row{{}, tr.unknownRow(machine.Event{Step: "7"})} {
		if to, known := r.NextRow(); to != nil || known {
			t.Errorf("%q leads to %v", r.Label, to)
		}
	}
}
