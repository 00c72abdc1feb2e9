package machine

import (
	"slices"

	"playhead/parse/plan"
)

// A journal holds a tree: what follows an event stands in the line below it, and
// what follows a Rewound follows the event that it went back to. A run's state is
// the fold of one branch of that tree.

// Chain is the live branch of a journal: the events that the run's state is a fold
// of. Events are numbered from 1 without a gap.
func Chain(all []Event) []Event { return Branch(all, len(all)) }

// Branch is the events that lead to the one with number seq, and that one. A Rewound leads
// to where it went back to.
func Branch(all []Event, seq int) []Event {
	n, end := 0, tip(all, seq)
	for at := end; at > 0; at = before(all, at) {
		n++
	}
	out := make([]Event, n)
	for at := end; at > 0; at = before(all, at) {
		n--
		out[n] = all[at-1]
	}
	return out
}

// before is the number of the event that one follows, 0 for the first.
func before(all []Event, seq int) int { return tip(all, seq-1) }

// tip is where a run stands after its first n lines.
func tip(all []Event, n int) int {
	for n > 0 {
		r, back := all[n-1].Body.(*Rewound)
		if !back {
			break
		}
		n = r.To
	}
	return n
}

// Trail is the live branch with the Rewounds that led to it: what a person is shown. Each
// stands behind the event that it went back to.
func Trail(all []Event) []Event {
	var out []Event
	for _, e := range Chain(all) {
		out = append(appendRewound(out, all, e.Seq-1), e)
	}
	return appendRewound(out, all, len(all))
}

// appendRewound adds the Rewound that is the n-th event, if it is one.
func appendRewound(out, all []Event, n int) []Event {
	if n == 0 {
		return out
	}
	if _, back := all[n-1].Body.(*Rewound); back {
		out = append(out, all[n-1])
	}
	return out
}

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

// Undo is where to go back to so that a person's last intervention has not happened,
// 0 if there is none. Going back is one too.
func Undo(all []Event) int {
	undo, _ := interventions(all)
	return newest(undo)
}

// Redo is where the run stood before it was last undone or rewound, 0 if something has
// been done since.
func Redo(all []Event) int {
	_, redo := interventions(all)
	return newest(redo)
}

// Undoes is what Undo takes back: something that a person did, if it was to go back for it
// or not, or a going back alone. nil: there is nothing.
func Undoes(all []Event) *Event {
	undo, _ := interventions(all)
	return eventOf(all, undo)
}

// Redoes is what Redo does again.
func Redoes(all []Event) *Event {
	_, redo := interventions(all)
	return eventOf(all, redo)
}

// turn is a place that undo or redo goes to, and the index of what is undone or redone.
type turn struct {
	to, of int
	back   bool // a redo that undoes a going back: it leads to where the run was
}

// interventions are the turns of undo and redo, the next one last.
func interventions(all []Event) (undo, redo []turn) {
	joined := false // to the Rewound above
	for i, e := range all {
		at := tip(all, i)
		b, back := e.Body.(*Rewound)
		switch {
		case back && b.Undo:
			if last(redo).back {
				redo = nil // that is undone now
			}
			undo, redo = pop(undo), append(redo, turn{to: at, of: last(undo).of})
		case back && b.Redo:
			undo, redo = append(undo, turn{to: at, of: last(redo).of}), pop(redo)
		case back:
			undo, redo = append(undo, turn{to: at, of: i}), []turn{{at, i, true}}
		case e.isKeptEdit(): // one with the Rewound above
		default:
			redo = nil
			if e.Intervenes() && !joined && at > 0 {
				undo = append(undo, turn{to: at, of: i})
			}
			if _, fork := e.Body.(*Forked); fork && at != i {
				undo = pop(undo) // what it is a fork of is no place of its own
			}
		}
		joined = back && b.Join
	}
	return undo, redo
}

func newest(turns []turn) int { return last(turns).to }

func eventOf(all []Event, turns []turn) *Event {
	if len(turns) == 0 {
		return nil
	}
	of := last(turns).of
	if b, back := all[of].Body.(*Rewound); back && b.Join && of+1 < len(all) {
		of++ // what the going back was for
	}
	return &all[of]
}

func last(turns []turn) turn {
	if len(turns) == 0 {
		return turn{}
	}
	return turns[len(turns)-1]
}

func pop(turns []turn) []turn { return turns[:max(0, len(turns)-1)] }

// isKeptEdit reports whether the event is an edit that a rewind has not undone.
func (e Event) isKeptEdit() bool {
	b, edit := e.Body.(*Edited)
	return edit && b.KeptAcrossRewind
}

// KeepsRunOver reports whether a run that is over stays over after the event. In a Trail, a run
// that was rewound beyond its end has no end.
func (e Event) KeepsRunOver() bool {
	switch b := e.Body.(type) {
	case *Edited, *Forked, *Warned, *Approval, *Other, *Rewound, *ShellOpened, *FileRestored:
		return true
	case *Reloaded:
		return b.Arrival == nil
	default:
		return false
	}
}

// Intervenes reports whether the event is something that a person did.
func (e Event) Intervenes() bool {
	switch e.Body.(type) {
	case *InputGiven, *Decision, *StepFinished, *Captured, *ActionFinished, *Finished, *Edited, *LimitsUsed, *Reloaded:
		return e.By == ByPerson
	default:
		return false
	}
}

// Abandoned is a branch that a run was taken back from.
type Abandoned struct {
	Tip     int // its newest event
	Rewound int // the event that went back
}

// AbandonedBranches are the branches that a run was taken back from, newest first. A Redo that
// leads to one again is the end of its being abandoned only as far as the run still follows it.
func AbandonedBranches(all []Event) []Abandoned {
	var out []Abandoned
	for i, e := range slices.Backward(all) {
		if _, back := e.Body.(*Rewound); back {
			out = append(out, Abandoned{tip(all, i), e.Seq})
		}
	}
	return out
}
