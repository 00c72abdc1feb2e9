package wording_test

import (
	"fmt"
	"slices"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

// tried returns a decision about a failed command: two routes were evaluated, and the one after them was not.
func tried() *machine.Decision {
	taken := 1
	return &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed, Source: "exit 1"},
		Candidates: []machine.Candidate{
			{Line: 7, Text: "PASS: CONTINUE", ReasonText: "fail"},
			{Line: 8, Text: "FAIL: GOTO Recover", Matched: true, ReasonText: "fail"},
			{Text: "YES: STOP", ReasonText: "not reached", Implicit: true},
		},
		CandidateIndex: &taken, To: "Recover", Destination: machine.Destination{Kind: machine.ToStep},
	}
}

// TestDecision: a decision in one line says where the document has its route, where it leads, why, and whether a person
// made it.
func TestDecision(t *testing.T) {
	over := func(r plan.RunResult, message string) *machine.Decision {
		d := tried()
		d.Destination = machine.Destination{Kind: machine.ToDocumentEnd, Result: r, Message: message}
		return d
	}
	supplied, none, forced := tried(), tried(), tried()
	supplied.Candidates[1].Implicit = true
	none.CandidateIndex = nil
	forced.ByPerson = true
	for _, c := range []struct {
		d          *machine.Decision
		personText string
		want       string
	}{
		{tried(), "", "line 8 → Recover · fail"},
		{supplied, "", "default → Recover · fail"},
		{none, "", "fail, exit 1 → Recover"},
		{over(plan.Stopped, ""), "", "line 8 → stopped · fail"},
		{over(plan.Stopped, "no\nroom"), "", "line 8 → stopped \"no room\" · fail"},
		{forced, "", "⇢ ! Recover"},
		{forced, "I know", "⇢ ! Recover: \"I know\""},
		{&machine.Decision{ByPerson: true, To: "2", Destination: machine.Destination{SameVisit: true}}, "", "⇢ ! rerun of 2"},
	} {
		if got := wording.DecisionText(c.d, c.personText); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestOrigin(t *testing.T) {
	for _, c := range []struct {
		v    track.Variable
		want string
	}{
		{track.Variable{}, "input"},
		{track.Variable{SetByStep: "2"}, "step 2"},
		{track.Variable{SetByStep: "2 Build\x1b[31m"}, `step 2 Build\x1b[31m`},
		{track.Variable{SetByStep: "2", SetBy: machine.ByPerson}, "set by a person"},
		{track.Variable{IsStepGone: true}, "a step that the document no longer has"},
	} {
		if got := wording.VariableOrigin(c.v); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestEndMessages: the message of an end is left out if the format generated it for a failure without a reason, but not
// if the document has the same words.
func TestEndMessages(t *testing.T) {
	written := walk(t, "## 1. A\n```sh\nx\n```\n- PASS: CONTINUE\n- FAIL: STOP \"step 1 failed\"\n", 1)
	if got := wording.DestinationText(written.RowByLabel("1").Decision); got != `stopped "step 1 failed"` {
		t.Error(got)
	}
	taken := 0
	end := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed}, Candidates: []machine.Candidate{{Text: "failed", Implicit: true, Matched: true}}, CandidateIndex: &taken,
		To: machine.EndLabel, Destination: machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.RunFailed, Message: "step 1 failed"},
	}
	if got := wording.DestinationText(end); got != "the run fails" {
		t.Error(got)
	}
	end.Destination.Message, end.Destination.ErrorCode = "Check failed", "climpt/check-failed"
	if got := wording.DestinationText(end); got != `the run fails "Check failed"` {
		t.Error(got)
	}
}

// TestArmNames: an arm has the name that the document writes, not its label.
func TestArmNames(t *testing.T) {
	text := "# Sort\n\n## STEP 1: Act\n```if kind == \"a\"```\n\n### STEP 1a: File\nFile it.\n\n```else```\n\n### STEP 1b: Close\nClose it.\n\n```endif```\n"
	tr := walkPlan(t, playbook.Parse("sort.playbook.md", []byte(text), playbook.Options{}), 0)
	group, arm := tr.RowByLabel("1"), tr.RowByLabel("1.else")
	if got := wording.CandidateReason(wording.WithArmNames(group, group.Decision), 0); got != "pass: else passed" {
		t.Error(got)
	}
	if got := wording.DestinationText(wording.WithArmNames(tr.RowByLabel("1b"), tr.RowByLabel("1b").Decision)); got != "end of group 1 else" {
		t.Error(got)
	}
	if got := []string{wording.StepName(arm), tr.DisplayLabel("1.if"), arm.StepLabel(), tr.DisplayLabel("1b")}; !slices.Equal(got, []string{"1 else", `1 if kind == "a"`, "1", "1b"}) {
		t.Error(got)
	}
	var events []string
	for _, attempt := range append(tr.RowByLabel("1b").AllAttempts(), arm.AllAttempts()...) {
		for _, e := range attempt.Events {
			events = append(events, tr.EventLine(e).StepDisplayLabel+" "+tr.EventLine(e).Description)
		}
	}
	for _, want := range []string{"1b pass → end of group 1 else (default)", "1 else pass → end of group 1 (default)"} {
		if !slices.Contains(events, want) {
			t.Errorf("no %q in %q", want, events)
		}
	}
	if d := group.Decision; d.Outcome.ChildResults[0].Label != "1.else" {
		t.Errorf("the event itself has %q", d.Outcome.ChildResults[0].Label)
	}
}

// TestRegistryDecision: a decision that a reply value selected begins with this value and names its target once.
func TestRegistryDecision(t *testing.T) {
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Passed, Intent: "next", Reading: &plan.Reading{
			Variable: "act", Actual: "next", Intent: "next", TargetSelector: &plan.TargetSelector{Key: "level", Value: `"high"`},
		}},
		Candidates:     []machine.Candidate{{Line: 181, Text: "next level=high → continuation.spike", Matched: true, Reason: &plan.Reason{Evaluated: true}}},
		CandidateIndex: new(int), To: "continuation.spike", Destination: machine.Destination{Kind: machine.ToStep},
	}
	if got, want := wording.StepAndDecisionText("initial.plan", d, ""), `from initial.plan, line 181 → continuation.spike · level="high"; act="next" → next`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := wording.DecidingFact(d); got != `level="high"; act="next" → next` {
		t.Error(got)
	}
}

// TestDecidingFactOfRetry: what decided a retry is said as in the reasons of candidates that people read.
func TestDecidingFactOfRetry(t *testing.T) {
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed}, CandidateIndex: new(int), To: "1", Destination: machine.Destination{Kind: machine.ToStep},
		Candidates: []machine.Candidate{{Matched: true, Reason: &plan.Reason{Evaluated: true, Budget: plan.Budget{Kind: "retry", Limit: new(2), Used: new(0)}}}},
	}
	if got := wording.DecidingFact(d); got != "fail; retry 1 of 2" {
		t.Error(got)
	}
}

// TestArmNamesAfterReload: after a reload, an earlier decision names its target and its arms as in the current version.
func TestArmNamesAfterReload(t *testing.T) {
	const text = "## STEP %[1]d: Act\n```if kind == \"a\"```\n\n### STEP %[1]da: File\nFile it.\n\n```else```\n\n### STEP %[1]db: Close\nClose it.\n\n```endif```\n\n## STEP %[2]d: End\nEnd.\n"
	tr := walkPlan(t, playbook.Parse("sort.playbook.md", fmt.Appendf(nil, "# Sort\n\n"+text, 1, 2), playbook.Options{}), 0, 0)
	after := playbook.Parse("sort.playbook.md", fmt.Appendf(nil, "# Sort\n\n## STEP 1: New\nNew.\n\n"+text, 2, 3), playbook.Options{})
	var matched []machine.MatchedStep
	for from, to := range map[string]string{"1": "2", "1.if": "2.if", "1a": "2a", "1.else": "2.else", "1b": "2b", "2": "3"} {
		matched = append(matched, machine.MatchedStep{OldID: from, NewID: to})
	}
	tr.Fold(machine.Event{Body: &machine.DocumentReloaded{MatchedSteps: matched, Load: func() (*plan.Plan, error) { return after, nil }}})
	group := tr.RowByLabel("2")
	if got := wording.DecisionText(wording.WithArmNames(group, group.Decision), ""); got != "default → 3 · pass: else passed" {
		t.Error(got)
	}
}
