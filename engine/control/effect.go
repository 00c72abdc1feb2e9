package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// sideEffectsFrom returns descriptions of the commands and tool calls from the i-th event on. A rewind does not
// undo them.
func (r RunView) sideEffectsFrom(i int) []string {
	return track.SideEffects(r.Events[:i], r.Events[i:])
}

// eventIndex returns the index of the event with a number, -1 if the run has no such event.
func (r RunView) eventIndex(seq int) int {
	return slices.IndexFunc(r.Events, func(e machine.Event) bool { return e.Seq == seq })
}

// interruptOrReopenEffect returns the effect of a change that ends what is running and reopens a run that is
// over. In these two cases it asks the question for confirmation.
func (r RunView) interruptOrReopenEffect(question string) Effect {
	if e := r.interruptEffect(question); e.NeedsConfirmation {
		return e
	}
	if r.Status.State == engine.Over {
		return Effect{NeedsConfirmation: true, Question: question, Text: Sentencef("The run is over. This reopens it, and it continues from step %s.", r.Track.CurrentRow.Label)}
	}
	return Effect{Question: question}
}

// interruptEffect returns the effect of a change that ends what is running. If anything is running, it asks the
// question for confirmation.
func (r RunView) interruptEffect(question string) Effect {
	if r.Status.RunningStep == "" {
		return Effect{Question: question}
	}
	return Effect{NeedsConfirmation: true, Question: question, Text: Sentencef("%s, and will be interrupted first.", r.RunningText())}
}

func skipEffect(r RunView, _ Args) Effect {
	return r.interruptOrReopenEffect("Skip step " + r.NextOrCurrentStepLabel() + "?")
}

func endRunEffect(verb string) func(RunView, Args) Effect {
	return func(r RunView, _ Args) Effect { return r.interruptOrReopenEffect(verb + " the run?") }
}

func overrideEffect(result plan.Result) func(RunView, Args) Effect {
	return func(r RunView, _ Args) Effect {
		if r.Status.Question != nil {
			return Effect{}
		}
		label := r.OverriddenStepLabel()
		e := r.interruptOrReopenEffect(overrideQuestion(label, result))
		if at := r.PositionRow(); r.Status.State == engine.Paused && at != nil && at.Label != label {
			where := "before"
			if next := r.Status.NextEvent; next != nil {
				where = next.PausePreposition()
			}
			e.NeedsConfirmation, e.Text = true, Sentencef("The run is paused %s step %s. This changes the outcome of step %s, which led there.", where, at.Label, label)
		}
		return e
	}
}

func overrideQuestion(label string, result plan.Result) string {
	return fmt.Sprintf("Override step %s with %s?", label, result)
}

func overridePreviousEffect(r RunView, a Args) Effect {
	return Effect{Question: overrideQuestion(r.Track.CurrentRow.Label, a.Result)}
}

func jumpEffect(r RunView, a Args) Effect {
	return r.interruptEffect("Jump to step " + a.Row.Label + "?")
}

// rerunEffect distinguishes another attempt of the current step from a rewind to an earlier step.
func rerunEffect(r RunView, a Args) Effect {
	s := r.ArgumentRow(a)
	if s != r.Track.CurrentRow {
		done := r.sideEffectsFrom(r.eventIndex(s.NewestStepAttempt().EntrySeq))
		return Effect{
			NeedsConfirmation: true, Question: "Rewind and run step " + s.Label + " again?", EffectsNotUndone: done,
			Text: "The run rewinds to before this step, runs it again and pauses." + noSideEffectsText(done, "since this step began"),
		}
	}
	e := r.interruptOrReopenEffect("Run step " + s.Label + " again?")
	if !e.NeedsConfirmation {
		e.NeedsConfirmation, e.Text = true, "This starts another attempt. The effects of earlier attempts are not undone."
	}
	return e
}

// noSideEffectsText returns the sentence that replaces an empty list of EffectsNotUndone. when ends it, such as "since the
// start".
func noSideEffectsText(done []string, when string) Sentence {
	if len(done) > 0 {
		return ""
	}
	return Sentencef(" No command or tool has run %s.", when)
}

// rewindEffect returns the effect of a rewind to the state after an event. If the event started a
// command or call, the rewind goes to before it, because it must not run again unasked.
func rewindEffect(r RunView, a Args) Effect {
	i := r.eventIndex(a.EventSeq)
	if i < 0 {
		return Effect{}
	}
	moment := "this event"
	if i == 0 {
		moment = "the start"
	}
	e := Effect{NeedsConfirmation: true, Question: "Rewind to " + moment + "?", EffectsNotUndone: r.sideEffectsFrom(i + 1)}
	e.Text = "The run pauses there, or waits for the answer if a question is open." + noSideEffectsText(e.EffectsNotUndone, "since "+moment)
	if before := len(machine.BeforeStartedAction(r.Events[:i+1])); before <= i {
		e.Question, e.EffectsNotUndone = "Rewind to just before "+moment+"?", r.sideEffectsFrom(before)
		e.Text = "The run pauses there. When you continue, the command or call runs again." + noSideEffectsText(e.EffectsNotUndone, "since "+moment)
	}
	return e
}

// undoEffect returns the effect of an undo. The event that it takes back is in the arguments, because only the
// session knows it (Session.NextUndo).
func undoEffect(r RunView, a Args) Effect {
	i := r.eventIndex(a.EventSeq)
	if i < 0 {
		return Effect{}
	}
	done := r.sideEffectsFrom(i + 1)
	return Effect{NeedsConfirmation: len(done) > 0, Question: "Undo the last action (" + track.InterventionText(r.Events[i]) + ")?", EffectsNotUndone: done}
}
