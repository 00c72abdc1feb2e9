package track

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
)

// TestNext: a step leads into the next group, past steps that only a jump enters and past the other branches. The last
// step of a group leads to the group if that decides.
func TestNext(t *testing.T) {
	runbook := New(rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. Group\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n\n### 1.1 A\nA.\n\n### 1.2 B\nB.\n\n"+
		"## 2. Plain\n\n### 2.1 C\nC.\n\n## Aside\nD.\n\n## 3. Last\nE.\n"), rundown.Options{}))
	dynamic := "# T\n\n## 1. First\nDo.\n\n## 2. Tenants\n\n### 2.{n} Tenant\nDo.\n- PASS: GOTO NEXT\n- FAIL: STOP\n\n## 3. Last\nE.\n"
	instances, _ := drive(t, rundown.Parse("a.runbook.md", []byte(dynamic), rundown.Options{}), "ppp")
	if instances.RowByLabel("2.2") == nil {
		t.Fatal("the second instance was not entered")
	}
	choice := New(playbook.Parse("triage.playbook.md", []byte(branching+"\n## STEP 3: End\nEnd.\n"), playbook.Options{}))
	choices := New(playbook.Parse("two.playbook.md", []byte("# T\n\n## STEP 1: Act\n```if a == \"x\"```\n\n### STEP 1a: A\nA.\n\n```endif```\n\n"+
		"```if b == \"x\"```\n\n### STEP 1b: B\nB.\n\n```endif```\n"), playbook.Options{}))
	for _, c := range []struct {
		track    *Track
		step, to string
	}{
		{runbook, "1.1", "1.2"}, {runbook, "1.2", "1"}, {runbook, "1", "2.1"}, {runbook, "2.1", "3"}, {runbook, "3", ""},
		{instances, "1", "2.{n}"},
		{choice, "1", "2"}, {choice, "2a", "3"}, {choice, "2b", "3"}, {choice, "2", "3"},
		{choices, "1a", "1.if~2"}, {choices, "1b", ""},
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

// TestNextOfUnknownRow: the next step is unknown for a step that the document does not have.
func TestNextOfUnknownRow(t *testing.T) {
	tr := New(rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. A\nA.\n"), rundown.Options{}))
	for _, r := range []*Row{{}, tr.ensureUnknownRow(machine.Event{Step: "7"})} {
		if to, known := r.NextRow(); to != nil || known {
			t.Errorf("%q leads to %v", r.Label, to)
		}
	}
}

// TestDecisionLeavesGroups: the groups that a decision leads out of are left when it is made, and not only when the
// run enters the step to which it leads. Groups that it stays in remain open.
func TestDecisionLeavesGroups(t *testing.T) {
	const checks = "## 1. Check\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n### 1.1 A\nA.\n- YES: CONTINUE\n- NO: GOTO 3\n### 1.2 B\nB.\n- YES: GOTO 1.1\n- NO: GOTO 1\n## 2. Next\nC.\n## 3. Last\nD.\n- YES: COMPLETE\n- NO: GOTO 1.2\n"
	for _, c := range []struct {
		name     string
		plan     *plan.Plan
		outcomes string
		left     string // the groups that decisions lead out of
	}{
		{"goto", rundown.Parse("a.runbook.md", []byte(checks), rundown.Options{}), "ppffffp", "1 1"},
		{"instances", batches(), "ppfpf", "1 2"},
		{"documents", including(), "pppp", ""},
	} {
		d := &driver{t: t, m: machine.New(c.plan, machine.Options{}), track: New(c.plan)}
		d.run(c.outcomes)
		tr, left := New(c.plan), []string{}
		for i, e := range d.events {
			around := groupsAround(tr.CurrentRow)
			tr.Fold(e)
			b, decides := e.Body.(*machine.Decision)
			if !decides || b.Destination.Kind != machine.ToStep || i+1 == len(d.events) {
				continue
			}
			entered := tr.Clone()
			entered.Fold(d.events[i+1])
			for _, r := range around {
				if now, later := r.Status, entered.RowByLabel(r.Label).Status; now != later {
					t.Errorf("%s, event %d: group %s is %s after the decision and %s in the next step", c.name, e.Seq, r.Label, now, later)
				}
				if r.Status == LeftUndecided {
					left = append(left, r.Label)
				}
			}
		}
		if got := strings.Join(left, " "); got != c.left {
			t.Errorf("%s: decisions led out of %q, want %q", c.name, got, c.left)
		}
	}
}

// groupsAround returns the rows around a row that are groups or included documents.
func groupsAround(r *Row) (out []*Row) {
	for ; r != nil; r = r.Parent {
		if r.Parent != nil && !r.Parent.IsPhase() {
			out = append(out, r.Parent)
		}
	}
	return out
}

// TestJumpBackIntoLeftGroup: a group is open again when a person jumps back into it before the run has entered the step
// after the group.
func TestJumpBackIntoLeftGroup(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("## 1. Check\n### 1.1 A\nA.\n- YES: GOTO 2\n- NO: STOP\n### 1.2 B\nB.\n## 2. Last\nC.\n"), rundown.Options{})
	d := &driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	e, err := d.m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	for d.track.DecidedRow == nil {
		d.apply(*d.m.Next().Event)
	}
	if got := d.track.RowByLabel("1").Status; got != LeftUndecided {
		t.Fatalf("group 1 is %s after GOTO 2", got)
	}
	e, err = d.m.JumpEvent("1.2", "")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if got := d.track.RowByLabel("1").Status; got != Running {
		t.Errorf("group 1 is %s after a jump to 1.2", got)
	}
}
