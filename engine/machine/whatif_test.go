package machine_test

import (
	"testing"

	"playhead/engine/machine"
)

// TestWhatIfLeavesGroups: where an answer leads can be asked behind the groups that end with it, and so can,
// once it is given, where the run goes as things are.
func TestWhatIfLeavesGroups(t *testing.T) {
	const doc = "## 1 Count\n- PASS ALL: CONTINUE\n- FAIL ANY: GOTO 3\n### 1.1 Look\nReady?\n- YES: CONTINUE\n- NO: CONTINUE\n## 2 Tell\nTell it.\n## 3 Undo\nUndo it.\n"
	r := start(t, parse(t, doc), machine.Options{})
	r.settle()
	for _, c := range []struct {
		change machine.Change
		want   string
	}{
		{machine.Change{Answer: "yes"}, "1"},
		{machine.Change{Answer: "yes", ForLastGroup: true}, "2"},
	} {
		e, err := r.m.WhatIfDecision(c.change)
		if err != nil {
			t.Fatal(err)
		}
		if d := e.Body.(*machine.Decision); d.To != c.want {
			t.Errorf("%+v leads to %s, want %s", c.change, d.To, c.want)
		}
	}
	answer, err := r.m.ChangeEvent(machine.Change{Answer: "yes"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.m.Apply(answer); err != nil {
		t.Fatal(err)
	}
	if e, err := r.m.WhatIfDecision(machine.Change{ForLastGroup: true}); err != nil || e.Body.(*machine.Decision).To != "2" {
		t.Errorf("as things are, the run goes to %+v, %v", e, err)
	}
}
