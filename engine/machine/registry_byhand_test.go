package machine_test

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestRegistryByHand: a person who passes a step gives no intent. A closure closes, and any other step takes the first
// route that names an intent; a failed step ends the run.
func TestRegistryByHand(t *testing.T) {
	b := gatedStep("b", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")
	r := start(t, registry(t, "", gatedStep("a", "work", `"next"`, `"next": {"target": "b"}`, "")+","+b+","+closes, nil), machine.Options{})
	for range 3 {
		r.settle()
		r.force(plan.Passed, "by hand")
	}
	if result, message := r.result(); result != plan.Completed || message != "completed at c" || len(r.settle().Result.EnteredStepLabels) != 3 {
		t.Errorf("ended %s: %s", result, message)
	}

	r = start(t, registry(t, "", b+","+closes, map[string][]string{"entry": {"b"}}), machine.Options{})
	r.settle()
	r.force(plan.Failed, "by hand")
	if result, message := r.result(); result != plan.RunFailed || message != "the step failed: by hand" {
		t.Errorf("ended %s: %s", result, message)
	}
}

// decide answers the open question.
func (r *run) decide(value, note string) {
	r.t.Helper()
	r.settle()
	e, err := r.m.AnswerEvent(machine.Answer{Value: value, Note: note, By: machine.ByPerson})
	if err != nil {
		r.t.Fatal(err)
	}
	r.apply(e)
}

func (r *run) force(result plan.Result, note string) {
	r.t.Helper()
	e, err := r.m.OverrideEvent(result, note)
	if err != nil {
		r.t.Fatal(err)
	}
	r.apply(e)
	r.settle()
}

// TestRegistryValidatorByHand: a validator that a person fails counts as any failed validator; after one that they
// pass, the others still run (climpt-registry.md §10).
func TestRegistryValidatorByHand(t *testing.T) {
	cut := plan.Product{Cancelled: true}
	fine := plan.Product{Stdout: "fine"}
	for _, c := range []struct {
		name, onFailure string
		do              func(*run)
		why             string
		result          plan.RunResult
		message         string
	}{
		{"interrupted, failed", `{"action": "retry", "maxAttempts": 2}`, func(r *run) { r.ran(cut); r.decide("fail", "odd") },
			"one failed (p), retry 1/2 → a", "", ""},
		{"failed while it runs", `{"action": "retry", "maxAttempts": 2}`, func(r *run) { r.ran(cut); r.force(plan.Failed, "odd") },
			"one failed (p), retry 1/2 → a", "", ""},
		{"the second, failed", `{"action": "retry"}`, func(r *run) { r.ran(plan.Product{}); r.ran(cut); r.decide("fail", "odd") },
			"two failed (p), retry 1 → a", "", ""},
		{"failed where the run is to end", `{"action": "abort"}`, func(r *run) { r.ran(cut); r.decide("fail", "odd") },
			"one failed (p); end", plan.RunFailed, "validation failed: one failed (p): manually, odd"},
		{"failed where that is passed over", `{"action": "skip"}`, func(r *run) { r.ran(cut); r.decide("fail", "odd") },
			"one failed (p), but counts as passed; end", plan.Completed, "completed at c"},
		{"interrupted, passed", `{"action": "retry"}`, func(r *run) { r.ran(cut); r.decide("pass", ""); r.ran(fine) },
			"2 of 2 validators passed; end", plan.Completed, "completed at c"},
	} {
		r := validation(t, c.onFailure, "")
		c.do(r)
		whys := r.whys()
		if got, want := whys[len(whys)-1], `c: act="closing" → closing; `+c.why; got != want {
			t.Errorf("%s: %s", c.name, got)
		}
		if result, message := r.result(); result != c.result || message != c.message {
			t.Errorf("%s: ended %s: %s", c.name, result, message)
		}
		if !strings.Contains(c.why, "retry") || c.result != "" {
			continue
		}
		if call := r.reply(`{"act": "handoff"}`); !strings.HasPrefix(call.Prompt, "A check failed: p. It broke\n\n```\nodd\n```\n") || call.Action.StepLabel != "a" {
			t.Errorf("%s: %s was asked %q", c.name, call.Action.StepLabel, call.Prompt)
		}
	}
}

// TestRegistryValidatorUnrecoverable: when a person fails an unrecoverable validator, the step has failed and its
// outcome is an error.
func TestRegistryValidatorUnrecoverable(t *testing.T) {
	r := validation(t, `{"action": "retry"}`, `, "recoverableByDefault": false`)
	r.ran(plan.Product{Cancelled: true})
	e, err := r.m.OverrideEvent(plan.Failed, "odd")
	if err != nil {
		t.Fatal(err)
	}
	if b := e.Body.(*machine.StepFinished); b.Result != plan.Failed || b.Outcome.Result != plan.Errored {
		t.Errorf("%s, its outcome %s", b.Result, b.Outcome.Result)
	}
}

// TestRegistryPrompted: in a run that executes nothing, a person decides each validator, and each command that replaces
// a model. Every route of a registry can be taken like this.
func TestRegistryPrompted(t *testing.T) {
	r := prompted(t, `"failurePatterns": {"p": {"description": "It broke", "edition": "failed"}},
		"validators": {"one": {"type": "command", "command": "one", "successWhen": "empty", "failurePattern": "p"}},
		"validationSteps": {"c": {"stepId": "c", "name": "v", "c2": "retry", "c3": "c", "validationConditions": [{"validator": "one"}]}},`, closes)
	r.reply(`{"act": "handoff"}`)
	r.reply(`{"act": "closing"}`)
	if q := r.settle().Question; q == nil || q.Prompt != "c: one" || q.ShownBlock == nil || q.ShownBlock.Text != "one" {
		t.Errorf("asks %+v", q)
	}
	r.decide("fail", "")
	r.reply(`{"act": "handoff"}`)
	r.reply(`{"act": "closing"}`)
	r.decide("pass", "")
	if got := strings.Join(r.whys()[1:], "|"); got != `c: act="closing" → closing; one failed (p), retry 1 → a|a: act="handoff" → handoff → c|c: act="closing" → closing; 1 of 1 validator passed; end` {
		t.Error(got)
	}

	r = prompted(t, "", `"c": {"stepId": "c", "name": "c", "c2": "s", "c3": "c", "stepKind": "closure", "runner": {"command": "tool"}, "transitions": {"repeat": {"target": null}}}`)
	r.reply(`{"act": "handoff"}`)
	r.decide("fail", "")
	r.decide("pass", "")
	if got := strings.Join(r.whys()[1:], "|"); got != "c: manually → repeat → c|c: manually → closing; end" {
		t.Error(got)
	}
}

// prompted returns a run that executes nothing, of a step that hands off to a closure.
func prompted(t *testing.T, top, closure string) *run {
	t.Helper()
	p := registry(t, top, gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")+","+closure, nil)
	return start(t, p, machine.Options{Prompted: true})
}
