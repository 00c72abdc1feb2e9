package wording

import (
	"cmp"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// Awaited returns what a run that is not over waits for, such as "pass or fail" or "a model's
// reply".
func Awaited(w *machine.Waiting) string {
	switch w.Kind {
	case machine.KindBreak:
		return "somebody to continue it"
	case machine.KindApprove:
		return "approval of the call " + sanitize.Plain(w.Prompt)
	case machine.KindReply:
		if w.Tool != "" {
			return "the result of " + sanitize.Plain(w.Tool)
		}
		return "a model's reply"
	}
	return cmp.Or(sanitize.Plain(machine.OneOf(w.Options)), "an answer")
}
