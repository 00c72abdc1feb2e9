package wording

import (
	"testing"

	"playhead/engine/machine"
)

// TestAwaited: WaitingForText names what a run waits for in words that a person knows.
func TestAwaited(t *testing.T) {
	for want, w := range map[string]machine.Waiting{
		"pass or fail":                    {Kind: machine.KindDecide, Options: []string{"pass", "fail"}},
		"an answer":                       {Kind: machine.KindAsk},
		"approval of the call to push {}": {Kind: machine.KindApproveCall, Prompt: "push {}", Options: []string{"yes", "no"}},
		"the result of files/read":        {Kind: machine.KindReply, Tool: "files/read"},
		"a model's reply":                 {Kind: machine.KindReply},
		"somebody to continue it":         {Kind: machine.KindPause, Prompt: "paused before 2"},
	} {
		if got := WaitingForText(&w); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
