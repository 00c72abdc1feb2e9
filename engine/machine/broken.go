package machine

import (
	"slices"

	"playhead/parse/plan"
)

// BrokenCall is the event after which a run stood before the call that it failed at was
// made: of a model, a tool or a text. It is 0 where the run ended otherwise.
func BrokenCall(chain []Event) int {
	for i, e := range slices.Backward(chain) {
		switch b := e.Body.(type) {
		case *Finished:
			if b.Result != plan.RunFailed {
				return 0
			}
		case *Entered:
			return 0
		case *ActionFinished:
			if b.Kind == "command" || b.Error == "" || b.Outcome == nil || b.Outcome.Result != plan.Errored {
				return 0
			}
			return chain[startOf(chain, i, b.Action)-1].Seq
		}
	}
	return 0
}

// OpenCall is the event after which a run stood before a call was announced whose reply it
// waits for, 0 where it does not.
func OpenCall(chain []Event) int {
	end, left := chain[len(chain)-1].Body.(*Finished)
	if !left || end.Waiting == nil || end.Waiting.Kind != KindReply {
		return 0
	}
	for i, e := range slices.Backward(chain) {
		switch e.Body.(type) {
		case *Entered, *ActionFinished:
			return 0
		case *ActionStarted:
			return chain[i-1].Seq
		}
	}
	return 0
}

// startOf returns the index of the event that began an action which ended at a place: its own,
// where the request could not even be made.
func startOf(chain []Event, end, action int) int {
	for i := end - 1; i > 0; i-- {
		switch b := chain[i].Body.(type) {
		case *ActionStarted:
			if b.Action == action {
				return i
			}
			return end
		case *Entered, *ActionFinished:
			return end
		}
	}
	return end
}
