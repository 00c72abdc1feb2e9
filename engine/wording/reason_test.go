package wording_test

import (
	"testing"

	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// TestNotEvaluated: a candidate after the one that was taken is "not evaluated".
func TestNotEvaluated(t *testing.T) {
	taken := 0
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Passed}, CandidateIndex: &taken,
		Candidates: []machine.Candidate{{Line: 45, Matched: true, Reason: &plan.Reason{Evaluated: true}}, {Line: 46, Reason: &plan.Reason{}}},
	}
	if got := wording.CandidateReasonWithDestination(d, 1); got != "not evaluated: line 45 matched" {
		t.Errorf("%q", got)
	}
	d.Candidates[0].Implicit = true
	if got := wording.CandidateReasonWithDestination(d, 1); got != "not evaluated" {
		t.Errorf("%q", got)
	}
}

// TestSlightDifference: a comparison names a difference that is hard to see.
func TestSlightDifference(t *testing.T) {
	for actual, want := range map[string]string{
		"refund": `kind = "refund"`, "Refund": `kind = "Refund" (only case differs)`, "refund ": `kind = "refund " (only whitespace differs)`,
		"Refund ": `kind = "Refund " (only case and whitespace differ)`, "other": `kind = "other"`,
		"refnud": `kind = "refnud" (only spelling differs)`, "Refunds": `kind = "Refunds" (only spelling differs)`,
		"refud": `kind = "refud" (only spelling differs)`, "defund": `kind = "defund"`, "refund1": `kind = "refund1"`, "refuned2": `kind = "refuned2"`,
	} {
		r := plan.Reason{Expected: "refund", Reading: plan.Reading{Variable: "kind", Actual: actual}}
		if got := r.ComparisonText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestReason: the reason of a candidate is a sentence about the values that were compared.
func TestReason(t *testing.T) {
	taken := 0
	of := func(o plan.Outcome, r plan.Reason) *machine.Decision {
		return &machine.Decision{
			Outcome: &o, Candidates: []machine.Candidate{{Matched: true, Reason: &r}}, CandidateIndex: &taken,
			To: "b", Destination: machine.Destination{Kind: machine.ToStep},
		}
	}
	branch := func(read plan.Reading) *machine.Decision {
		return &machine.Decision{Candidates: []machine.Candidate{{Reason: &plan.Reason{Evaluated: true, Reading: read}}}}
	}
	old := of(plan.Outcome{Result: plan.Failed}, plan.Reason{})
	old.Candidates[0].ReasonText = "as it was written"
	read := func(r plan.Reading) plan.Outcome {
		return plan.Outcome{Result: plan.Passed, Reason: "all\ngood", Reading: &r}
	}
	retry := plan.Budget{Kind: "retry", Limit: new(2), Used: new(1)}
	for _, c := range []struct {
		name string
		d    *machine.Decision
		want string
	}{
		{"an old journal's", old, "as it was written"},
		{"a result and its reason", of(plan.Outcome{Result: plan.Failed, Reason: "no\nroom"}, plan.Reason{}), `fail "no"`},
		{"no branch", of(plan.Outcome{Result: plan.Skipped, UntakenBranches: []plan.Reason{
			{Reading: plan.Reading{Variable: "d", Actual: "b"}}, {Reading: plan.Reading{Variable: "d", Actual: "b"}}, {Reading: plan.Reading{Variable: "e", HasNoValue: true}},
		}}, plan.Reason{}), "skipped"},
		{"no branch, of an old journal", of(plan.Outcome{Result: plan.Skipped, Reason: "no branch was taken: d is not set"}, plan.Reason{}), `skipped "no branch was taken: d is not set"`},
		{"children", of(plan.Outcome{Result: plan.Failed, ChildResults: plan.ChildResults{{Label: "1.1", Result: plan.Failed}}}, plan.Reason{}), "fail: 1.1 failed"},
		{"a budget", of(plan.Outcome{Result: plan.Failed}, plan.Reason{Budget: retry}), "fail; 1 of 2 retries used"},
		{"two budgets", of(plan.Outcome{Result: plan.Failed}, plan.Reason{
			ExhaustedBudgets: []plan.Budget{{Kind: "retry", Limit: new(1), Used: new(1), MoveAfterLimit: "GOTO 2"}}, Budget: plan.Budget{Kind: "goto", Used: new(3)},
		}), "fail; 1 of 1 retry used: GOTO 2; goto used 3 times"},
		{"a branch", branch(plan.Reading{Variable: "d", HasNoValue: true}), "d is not set"},
		{"an else", branch(plan.Reading{}), ""},
		{"other case and blanks", of(read(plan.Reading{Variable: "act", Actual: "Closing ", Intent: "closing"}), plan.Reason{Budget: retry}), `act="Closing " → closing (only case and whitespace differ), retry 2/2 → b`},
		{"an alias", of(read(plan.Reading{Variable: "act", Actual: "done", Intent: "closing", IntentAlias: "done"}), plan.Reason{Budget: retry}), `act="done" → closing (alias), retry 2/2 → b`},
		{"no text", of(read(plan.Reading{Variable: "act", Actual: "null", IsJSON: true, Intent: "next", FallbackIntent: "next"}), plan.Reason{}), "act=null → next (fallback) → b"},
		{"a rule and validations", of(read(plan.Reading{
			IsIntentImplied: true, Intent: "next", TargetSelector: &plan.TargetSelector{Key: "size", Value: `"big"`, IsDefault: true},
			ValidatorResults: []plan.ValidatorResult{{Validator: "one", FailurePattern: "p", FailureIgnored: true, Position: 1, ValidatorCount: 2}, {Validator: "two", Passed: true, Position: 2, ValidatorCount: 2}},
		}), plan.Reason{}), `no gate, so the intent is assumed to be next; size="big" → default; one failed (p), but counts as passed; 2 of 2 validators passed → b`},
		{"a check", of(read(plan.Reading{CheckResult: "ok"}), plan.Reason{MoveText: "onPass.next b"}), `check ok "all" → onPass.next b`},
		{"a bound", of(read(plan.Reading{CheckResult: "ng"}), plan.Reason{Budget: plan.Budget{Kind: "repeat", MinOrMax: "max", Limit: new(2), Used: new(0)}}), `check ng "all", iteration 1 < max 3`},
		{"an iteration", of(read(plan.Reading{CompletionRule: "count:check", Iteration: 2}), plan.Reason{}), "count:check: iteration 2, not done → b"},
	} {
		if got := wording.CandidateReason(c.d, 0); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		e := wording.WithReasonText(machine.Event{Body: c.d}).Body.(*machine.Decision)
		if e.Candidates[0].ReasonText != c.want || c.d != old && c.d.Candidates[0].ReasonText != "" {
			t.Errorf("%s: as JSON %q, recorded %q", c.name, e.Candidates[0].ReasonText, c.d.Candidates[0].ReasonText)
		}
	}
}

// TestExpectedIntent: if a candidate has the intent of the outcome but expects another result, its reason names the
// actual result.
func TestExpectedIntent(t *testing.T) {
	taken := 1
	o := plan.Outcome{Result: plan.Failed, Intent: "closing", Reading: &plan.Reading{
		Variable: "act", Actual: "Closing", Intent: "closing", FailedValidator: "spell", ValidatorResults: []plan.ValidatorResult{{Validator: "spell", FailurePattern: "spelling"}},
	}}
	d := &machine.Decision{Outcome: &o, CandidateIndex: &taken, Candidates: []machine.Candidate{
		{Line: 72, Text: "closing → end", Reason: &plan.Reason{Reading: *o.Reading, Expected: "closing", Evaluated: true}},
		{Matched: true, Text: "onFailure retry", Reason: &plan.Reason{Reading: *o.Reading, Expected: "closing", Evaluated: true}},
	}}
	if got, want := wording.CandidateReasonWithDestination(d, 0), "no match: the intent is closing, but the outcome is fail (spell failed)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Result, o.Reading.FailedValidator = plan.Passed, ""
	if got, want := wording.CandidateReason(d, 0), "the intent is closing, but the outcome is pass"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoBranch: the reason lists each compared value once, and names a difference that is hard to see.
func TestNoBranch(t *testing.T) {
	compared := func(variable, actual, expected string) plan.Reason {
		return plan.Reason{Reading: plan.Reading{Variable: variable, Actual: actual}, Expected: expected}
	}
	o := &plan.Outcome{Result: plan.Skipped, UntakenBranches: []plan.Reason{
		compared("kind", "Refund ", "Exchange"), compared("kind", "Refund ", "Refund"), compared("kind", "Refund ", "Other"), compared("size", "big", "small"),
	}}
	if got, want := wording.OutcomeReason(o), `no branch was taken: kind = "Refund " (only whitespace differs), size = "big"`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLongReason: the candidate that was taken shows the whole reason of the outcome, and the others do not show it.
func TestLongReason(t *testing.T) {
	reason := "assertion failed: the sample of a-91 is readable (tar: unexpected end of file in sample)"
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed, Reason: reason}, CandidateIndex: new(int),
		Candidates: []machine.Candidate{{Text: "pass", Reason: &plan.Reason{Evaluated: true}}, {Text: "fail", Matched: true, Reason: &plan.Reason{Evaluated: true}}},
	}
	*d.CandidateIndex = 1
	if got := []string{wording.CandidateReason(d, 0), wording.CandidateReason(d, 1)}; got[0] != "fail" || got[1] != `fail "`+reason+`"` {
		t.Errorf("%q", got)
	}
}

// TestUsedLimitsText: a used limit is named after what the document limits.
func TestUsedLimitsText(t *testing.T) {
	budget := func(kind, bound, then string) plan.Budget {
		return plan.Budget{Kind: kind, Limit: new(1), Used: new(1), MinOrMax: bound, MoveAfterLimit: then}
	}
	for _, c := range []struct {
		want string
		all  []plan.Budget // the last one is that of the route that was taken
	}{
		{"", []plan.Budget{budget("retry", "", "")}},
		{"all retries used", []plan.Budget{budget("retry", "", "STOP")}},
		{"minimum of 2 iterations reached", []plan.Budget{budget("repeat", "min", "onPass.complete")}},
		{"maximum of 2 iterations reached", []plan.Budget{budget("repeat", "max", "Check failed")}},
		{"maximum of 2 iterations reached", []plan.Budget{budget("repeat", "", "Max iterations reached")}},
		{"minimum of 2 iterations reached, all retries used", []plan.Budget{budget("repeat", "min", "onPass.retry"), budget("retry", "", "Max retries exceeded")}},
	} {
		n := len(c.all) - 1
		d := &machine.Decision{CandidateIndex: new(int), Candidates: []machine.Candidate{{Reason: &plan.Reason{Budget: c.all[n], ExhaustedBudgets: c.all[:n]}}}}
		if got := wording.UsedLimitsText(d); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
