package machine_test

import (
	"slices"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestWhatIfLeavesGroups: the preview of an answer includes the decisions of the groups that end with it. So does a
// preview without a change once the answer is given.
func TestWhatIfLeavesGroups(t *testing.T) {
	const doc = "## 1 Count\n- PASS ALL: CONTINUE\n- FAIL ANY: GOTO 3\n### 1.1 Look\nReady?\n- YES: CONTINUE\n- NO: CONTINUE\n## 2 Tell\nTell it.\n## 3 Undo\nUndo it.\n"
	r := start(t, parse(t, doc), machine.Options{})
	r.settle()
	wantDestinations(t, r, machine.WhatIfChange{Answer: "yes"}, "1", "2")
	answer, err := r.m.ChangeEvents(machine.WhatIfChange{Answer: "yes"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.m.Apply(answer[0]); err != nil {
		t.Fatal(err)
	}
	wantDestinations(t, r, machine.WhatIfChange{}, "1", "2")
}

// TestWhatIfLeavesIncludedDocuments: the preview of an answer that ends an included document includes the decision of
// the step that includes it.
func TestWhatIfLeavesIncludedDocuments(t *testing.T) {
	p := parse(t, "## 1 Prepare\n- list.runbook.md\n- PASS ALL: GOTO 3\n- FAIL ANY: STOP\n## 2 Tell\nTell it.\n## 3 Undo\nUndo it.\n")
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "list.runbook.md", Name: "list", Plan: parse(t, "## 1 Look\nReady?\n- YES: COMPLETE\n- NO: STOP\n")}}
	r := start(t, p, machine.Options{})
	r.settle()
	wantDestinations(t, r, machine.WhatIfChange{Answer: "yes"}, "end", "3")
}

// TestWhatIfAmongIncludedDocuments: the end of the first of two included documents does not end the step.
func TestWhatIfAmongIncludedDocuments(t *testing.T) {
	p := parse(t, "## 1 Prepare\n- a.runbook.md\n- b.runbook.md\n\n- PASS: GOTO 3\n- FAIL: GOTO 2\n## 2 Tell\nTell it.\n## 3 Undo\nUndo it.\n")
	p.IncludedDocuments = nil // parse could not load them
	for _, name := range []string{"a", "b"} {
		p.IncludedDocuments = append(p.IncludedDocuments, plan.IncludedDocument{WrittenPath: name + ".runbook.md", Name: name, Plan: parse(t, "## 1 Look\nReady?\n- YES: COMPLETE\n- NO: STOP\n")})
	}
	r := start(t, p, machine.Options{})
	r.settle()
	wantDestinations(t, r, machine.WhatIfChange{Answer: "yes"}, "end", "enters 1/b/1")
	wantDestinations(t, r, machine.WhatIfChange{Answer: "no"}, "end", "2")
}

// TestWhatIfAtEntryLimit: when the entry limit ends the run, no change leads to another step.
func TestWhatIfAtEntryLimit(t *testing.T) {
	p := parse(t, "## 1 Group\n### 1.1 Look\nReady?\n- YES: CONTINUE\n- NO: GOTO 2\n## 2 Tell\nTell it.\n")
	r := start(t, p, machine.Options{})
	r.settle()
	p.EntryLimit.Max = 1
	wantDestinations(t, r, machine.WhatIfChange{Answer: "no"}, "2", "fails: more than 1,000 transitions")
	wantDestinations(t, r, machine.WhatIfChange{Answer: "yes"}, "1", "2", "fails: more than 1,000 transitions")
}

// TestWhatIfRefusesValues: an impossible outcome, answer or input value is refused, and the error lists the possible
// ones.
func TestWhatIfRefusesValues(t *testing.T) {
	p := parse(t, "## 1 Look\nReady?\n- YES: CONTINUE\n- NO: CONTINUE\n")
	p.Inputs = []plan.Input{{Name: "level", Type: "enum", Options: []string{"low", "high"}}}
	r := start(t, p, machine.Options{})
	r.settle()
	for want, c := range map[string]machine.WhatIfChange{
		`"banana" is not an outcome here: use pass, fail or skipped`: {Result: "banana"},
		`level: "low " is not one of low, high`:                      {Variable: "level", Value: "low "},
		`"banana" is not an answer here: use yes or no`:              {Answer: "banana"},
	} {
		if _, err := r.m.ChangeEvents(c); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}

// wantDestinations checks the destinations of the decisions that follow a change.
func wantDestinations(t *testing.T, r *run, c machine.WhatIfChange, want ...string) {
	t.Helper()
	decisions, err := r.m.WhatIfDecisions(c)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range decisions {
		switch b := e.Body.(type) {
		case *machine.Decision:
			got = append(got, b.To)
		case *machine.RunFinished:
			got = append(got, "fails: "+b.Message)
		default:
			got = append(got, "enters "+e.Step)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v leads to %q, want %q", c, got, want)
	}
}
