package machine

import (
	"testing"

	"playhead/parse/plan"
)

// TestSeqBeforeCall: a failed run can continue before the call that failed, and a run that waits for a reply before the
// start of that call. A command is never repeated like this.
func TestSeqBeforeCall(t *testing.T) {
	failed := &plan.Outcome{Result: plan.Errored}
	over, waits := &RunFinished{Result: plan.RunFailed}, &RunFinished{Result: plan.Awaiting, WaitingFor: &Waiting{Kind: KindReply}}
	for name, c := range map[string]struct {
		then         []Body
		broken, open int
	}{
		"a model":                        {[]Body{&ActionStarted{Kind: "model"}, &WarningRecorded{}, &ActionFinished{Kind: "model", Error: "busy", Outcome: failed}, &StepFinished{}, &Decision{}, over}, 3, 0},
		"the second call of the step":    {[]Body{&ActionStarted{Kind: "model"}, &ActionFinished{Kind: "model"}, &ActionStarted{Kind: "model", ActionIndex: 1}, &ActionFinished{Kind: "model", ActionIndex: 1, Error: "busy", Outcome: failed}, over}, 5, 0},
		"one that could not be put":      {[]Body{&ActionStarted{Kind: "tool"}, &ActionFinished{Kind: "tool"}, &ActionFinished{Kind: "model", ActionIndex: 1, Error: "no value", Outcome: failed}, over}, 5, 0},
		"a command":                      {[]Body{&ActionStarted{Kind: "command"}, &ActionFinished{Kind: "command", Error: "no shell", Outcome: failed}, over}, 0, 0},
		"a reply that does not do":       {[]Body{&ActionStarted{Kind: "model"}, &ActionFinished{Kind: "model", Outcome: failed}, over}, 0, 0},
		"a failed call that led on":      {[]Body{&ActionStarted{Kind: "model"}, &ActionFinished{Kind: "model", Error: "busy", Outcome: failed}, &StepEntered{}, over}, 0, 0},
		"a run that was stopped":         {[]Body{&ActionStarted{Kind: "model"}, &ActionFinished{Kind: "model", Error: "busy", Outcome: failed}, &RunFinished{Result: plan.Stopped}}, 0, 0},
		"a reply that is waited for":     {[]Body{&ActionStarted{Kind: "model"}, waits}, 0, 3},
		"a run that was killed":          {[]Body{&ActionStarted{Kind: "model"}}, 0, 0},
		"a command that was interrupted": {[]Body{&ActionStarted{Kind: "command"}, &RunFinished{Result: plan.Awaiting, WaitingFor: &Waiting{Kind: KindResume}}}, 0, 0},
	} {
		chain := []Event{{Seq: 1, Body: &RunStarted{}}, {Seq: 2, Body: &WarningRecorded{}}, {Seq: 3, Body: &StepEntered{}}}
		for i, b := range c.then {
			chain = append(chain, Event{Seq: 4 + i, Body: b})
		}
		if got := SeqBeforeFailedCall(chain); got != c.broken {
			t.Errorf("%s: the failed call follows event %d, want %d", name, got, c.broken)
		}
		if got := SeqBeforeOpenCall(chain); got != c.open {
			t.Errorf("%s: the open call follows event %d, want %d", name, got, c.open)
		}
	}
}
