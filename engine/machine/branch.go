package machine

import (
	"slices"

	"playhead/parse/plan"
)

// A journal holds a tree. An event follows the one on the line above it, except after a RunRewound:
// what comes next follows the event that the RunRewound went back to. A run's state is the fold of one
// branch of that tree.

// LiveBranch returns the live branch of a journal: the events that fold to the run's state. Events are
// numbered from 1 without a gap.
func LiveBranch(all []Event) []Event { return BranchTo(all, len(all)) }

// BranchTo returns the events that lead to the event with number seq, including that one. A RunRewound
// leads to the event that it went back to.
func BranchTo(all []Event, seq int) []Event {
	n, end := 0, tipSeq(all, seq)
	for at := end; at > 0; at = previousSeq(all, at) {
		n++
	}
	out := make([]Event, n)
	for at := end; at > 0; at = previousSeq(all, at) {
		n--
		out[n] = all[at-1]
	}
	return out
}

// previousSeq returns the number of the event that event seq follows, 0 for the first.
func previousSeq(all []Event, seq int) int { return tipSeq(all, seq-1) }

// tipSeq returns the number of the event at which the run is after the first n events of the journal.
func tipSeq(all []Event, n int) int {
	for n > 0 {
		r, back := all[n-1].Body.(*RunRewound)
		if !back {
			break
		}
		n = r.ToSeq
	}
	return n
}

// BranchWithRewinds returns what a person is shown: the live branch and each RunRewound that led to it. Each
// RunRewound follows the event that it went back to.
func BranchWithRewinds(all []Event) []Event {
	var out []Event
	for _, e := range LiveBranch(all) {
		out = append(appendIfRewound(out, all, e.Seq-1), e)
	}
	return appendIfRewound(out, all, len(all))
}

// appendIfRewound appends the event with number n if it is a RunRewound.
func appendIfRewound(out, all []Event, n int) []Event {
	if n == 0 {
		return out
	}
	if _, back := all[n-1].Body.(*RunRewound); back {
		out = append(out, all[n-1])
	}
	return out
}

// SeqBeforeFailedCall returns the number of the event just before the call whose failure ended the run: a
// call of a model or a tool, or a fetch of a text. It is 0 if the run ended for another reason.
func SeqBeforeFailedCall(branch []Event) int {
	for i, e := range slices.Backward(branch) {
		switch b := e.Body.(type) {
		case *RunFinished:
			if b.Result != plan.RunFailed {
				return 0
			}
		case *StepEntered:
			return 0
		case *ActionFinished:
			if b.Kind == "command" || b.Error == "" || b.Outcome == nil || b.Outcome.Result != plan.Errored {
				return 0
			}
			return branch[actionStartIndex(branch, i, b.ActionIndex)-1].Seq
		}
	}
	return 0
}

// SeqBeforeOpenCall returns the number of the event just before the call whose reply the run waits for, 0 if
// it waits for none.
func SeqBeforeOpenCall(branch []Event) int {
	end, left := branch[len(branch)-1].Body.(*RunFinished)
	if !left || end.WaitingFor == nil || end.WaitingFor.Kind != KindReply {
		return 0
	}
	for i, e := range slices.Backward(branch) {
		switch e.Body.(type) {
		case *StepEntered, *ActionFinished:
			return 0
		case *ActionStarted:
			return branch[i-1].Seq
		}
	}
	return 0
}

// BeforeStartedAction returns the branch up to just before the command or call that is running at its end, if there is
// one. The warnings since its start are left out too. The first event always remains.
func BeforeStartedAction(branch []Event) []Event {
	for i := len(branch) - 1; i > 0; i-- {
		switch branch[i].Body.(type) {
		case *WarningRecorded:
		case *ActionStarted:
			branch = branch[:i]
		default:
			return branch
		}
	}
	return branch
}

// actionStartIndex returns the index of the event that began the action that ended at index end. This is end
// itself if the request could not be made.
func actionStartIndex(branch []Event, end, action int) int {
	for i := end - 1; i > 0; i-- {
		switch b := branch[i].Body.(type) {
		case *ActionStarted:
			if b.ActionIndex == action {
				return i
			}
			return end
		case *StepEntered, *ActionFinished:
			return end
		}
	}
	return end
}

// UndoSeq returns the number of the event to go back to so that the person's last intervention is
// undone, 0 if there is none. A rewind is an intervention too.
func UndoSeq(all []Event) int {
	undo, _ := undoAndRedoTargets(all)
	return lastTarget(undo).seq
}

// RedoSeq returns the number of the event at which the run was before the last undo or rewind, 0 if
// something has been done since.
func RedoSeq(all []Event) int {
	_, redo := undoAndRedoTargets(all)
	return lastTarget(redo).seq
}

// UndoStep is what one undo or redo does.
type UndoStep struct {
	Event   Event // a person's intervention, or a rewind
	Repeats bool  // it does the event again, instead of taking it back
}

// NextUndo returns what an undo would do, nil if there is nothing to undo. It repeats a rewind that the last redo
// took back.
func NextUndo(all []Event) *UndoStep {
	undo, _ := undoAndRedoTargets(all)
	return undoStepOf(all, undo)
}

// NextRedo returns what a redo would do, nil if there is nothing to redo. Directly after a rewind, it takes the rewind
// back.
func NextRedo(all []Event) *UndoStep {
	_, redo := undoAndRedoTargets(all)
	return undoStepOf(all, redo)
}

// undoRedoTarget is one step of undo or redo: the number of the event to go to, and the index of the event
// that is taken back or, if repeats is true, done again.
type undoRedoTarget struct {
	seq, eventIndex int
	repeats         bool
}

// undoAndRedoTargets returns the targets of undo and redo, the next one last.
func undoAndRedoTargets(all []Event) (undo, redo []undoRedoTarget) {
	joined := false // the previous event is undone together with this one
	for i, e := range all {
		at := tipSeq(all, i)
		b, back := e.Body.(*RunRewound)
		switch {
		case back && b.Undo:
			if len(redo) > 0 && !lastTarget(redo).repeats {
				redo = nil // the rewind that it would take back is undone already
			}
			undo, redo = withoutLastTarget(undo), append(redo, lastTarget(undo).reverse(at))
		case back && b.Redo:
			undo, redo = append(undo, lastTarget(redo).reverse(at)), withoutLastTarget(redo)
		case back:
			takesBack := undoRedoTarget{seq: at, eventIndex: i}
			undo, redo = append(undo, takesBack), []undoRedoTarget{takesBack}
		case e.isKeptEdit(): // it belongs to the RunRewound above
		case e.isSessionBoundary(), e.IsWarning(): // the run is where it was
		default:
			redo = nil
			if e.IsIntervention() && !joined && at > 0 {
				undo = append(undo, undoRedoTarget{seq: at, eventIndex: i})
			}
			if _, fork := e.Body.(*RunForked); fork && at != i {
				undo = withoutLastTarget(undo) // the event at which the fork begins is not a place to go back to
			}
		}
		joined = e.joinsNextEvent()
	}
	return undo, redo
}

// IsWarning reports whether the event is a warning about the event before it.
func (e Event) IsWarning() bool {
	_, is := e.Body.(*WarningRecorded)
	return is
}

// isSessionBoundary reports whether an event only says that a process ended or continued its work on an unfinished run.
func (e Event) isSessionBoundary() bool {
	switch b := e.Body.(type) {
	case *RunResumed:
		return true
	case *RunFinished:
		return b.WaitingFor != nil
	}
	return false
}

// reverse returns the target that reverses this one after the run has gone there. seq is where the run was.
func (t undoRedoTarget) reverse(seq int) undoRedoTarget {
	return undoRedoTarget{seq: seq, eventIndex: t.eventIndex, repeats: !t.repeats}
}

func undoStepOf(all []Event, targets []undoRedoTarget) *UndoStep {
	if len(targets) == 0 {
		return nil
	}
	target := lastTarget(targets)
	i := target.eventIndex
	for all[i].joinsNextEvent() && i+1 < len(all) {
		i++ // the event for which the rewind was made
	}
	return &UndoStep{Event: all[i], Repeats: target.repeats}
}

func lastTarget(targets []undoRedoTarget) undoRedoTarget {
	if len(targets) == 0 {
		return undoRedoTarget{}
	}
	return targets[len(targets)-1]
}

func withoutLastTarget(targets []undoRedoTarget) []undoRedoTarget {
	return targets[:max(0, len(targets)-1)]
}

// joinsNextEvent reports whether the event is undone together with the next one.
func (e Event) joinsNextEvent() bool {
	switch b := e.Body.(type) {
	case *RunRewound:
		return b.JoinsNextEvent
	case *LimitsUsed:
		return b.JoinsNextEvent
	}
	return false
}

// isKeptEdit reports whether the event is an edit that a rewind kept.
func (e Event) isKeptEdit() bool {
	b, edit := e.Body.(*ActionEdited)
	return edit && b.KeptAcrossRewind
}

// KeepsRunOver reports whether a run that is over stays over after the event. In BranchWithRewinds, a run
// that was rewound beyond its end is not over.
func (e Event) KeepsRunOver() bool {
	switch b := e.Body.(type) {
	case *ActionEdited, *RunForked, *WarningRecorded, *ApprovalChanged, *UnknownBody, *RunRewound, *ShellOpened, *PlayheadToolCalled, *FileRestored:
		return true
	case *DocumentReloaded:
		return b.Destination == nil
	default:
		return false
	}
}

// IsStale reports whether a client that has seen a run up to an event has an outdated view of it: another
// event than an agent's call has followed.
func IsStale(events []Event, seen int) bool {
	for _, e := range slices.Backward(events) {
		if e.Seq <= seen {
			return e.Seq < seen && e.Seq == events[len(events)-1].Seq
		}
		if _, called := e.Body.(*PlayheadToolCalled); !called {
			return true
		}
	}
	return false
}

// IsIntervention reports whether the event is a person's intervention.
func (e Event) IsIntervention() bool {
	switch e.Body.(type) {
	case *InputGiven, *Decision, *StepFinished, *VariableCaptured, *ActionFinished, *RunFinished, *ActionEdited, *LimitsUsed, *DocumentReloaded:
		return e.By == ByPerson
	default:
		return false
	}
}

// BeginsFork reports whether the i-th event is a rewind that only leads to the moment after which a fork was made.
func BeginsFork(all []Event, i int) bool {
	rewind, isRewind := all[i].Body.(*RunRewound)
	if !isRewind || i+1 == len(all) {
		return false
	}
	fork, isFork := all[i+1].Body.(*RunForked)
	return isFork && fork.FromSeq == rewind.ToSeq
}

// AbandonedBranch is a branch that a run no longer follows.
type AbandonedBranch struct {
	TipSeq     int // the number of its newest event
	RewoundSeq int // the number of the RunRewound that left it
}

// AbandonedBranches returns the branches that a run no longer follows, newest first. If a redo
// returns to such a branch, the part that the run follows again is not abandoned.
func AbandonedBranches(all []Event) []AbandonedBranch {
	var out []AbandonedBranch
	for i, e := range slices.Backward(all) {
		if _, back := e.Body.(*RunRewound); back {
			out = append(out, AbandonedBranch{tipSeq(all, i), e.Seq})
		}
	}
	return out
}
