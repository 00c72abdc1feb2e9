package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// staysDone returns the commands and tool calls from the i-th event on. A rewind does not undo
// them.
func (r Run) staysDone(i int) []string { return track.SideEffects(r.Events[:i], r.Events[i:]) }

// eventIndex returns the index of the event with a number, -1 if the run has no such event.
func (r Run) eventIndex(seq int) int {
	return slices.IndexFunc(r.Events, func(e machine.Event) bool { return e.Seq == seq })
}

// interruptEffect returns the effect that all changes of the run have: they end what is running, and
// reopen a run that is over. The effect asks for confirmation in these two cases.
func (r Run) interruptEffect(title string) Effect {
	if e := r.endRunningEffect(title); e.Confirm {
		return e
	}
	if r.Status.State == engine.Over {
		return Effect{Confirm: true, Title: title, Text: Sentence(fmt.Sprintf("The run is over. This reopens it, and it continues from step %s.", r.Track.Current.Label))}
	}
	return Effect{Title: title}
}

// endRunningEffect returns the effect of changes that end what is running. It asks for confirmation if
// anything is.
func (r Run) endRunningEffect(title string) Effect {
	if r.Status.Running == "" {
		return Effect{Title: title}
	}
	return Effect{Confirm: true, Title: title, Text: Sentence(r.RunningText() + ". It will be ended first.")}
}

func leavingEffect(verb string) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect { return r.interruptEffect(verb + " step " + r.Subject() + "?") }
}

func endEffect(verb string) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect { return r.interruptEffect(verb + " the run?") }
}

func overrideEffect(result plan.Result) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect {
		if r.Status.Question != nil {
			return Effect{}
		}
		return r.interruptEffect(fmt.Sprintf("Set step %s to %s?", r.Subject(), result))
	}
}

func overrideBeforeEffect(r Run, a Args) Effect {
	return Effect{Title: fmt.Sprintf("Set step %s to %s?", r.Track.Current.Label, a.Result)}
}

func jumpEffect(r Run, a Args) Effect {
	return r.endRunningEffect("Jump to step " + a.Step.Label + "?")
}

// rerunEffect distinguishes another attempt of the current step from a rewind to an earlier step.
func rerunEffect(r Run, a Args) Effect {
	s := r.Step(a)
	if s != r.Track.Current {
		done := r.staysDone(r.eventIndex(s.LastVisit().Seq))
		return Effect{
			Confirm: true, Title: "Rewind and run step " + s.Label + " again?", StaysDone: done,
			Text: "The run rewinds to before this step, runs it again and pauses." + nothingDone(done),
		}
	}
	e := r.interruptEffect("Run step " + s.Label + " again?")
	if !e.Confirm {
		e.Confirm, e.Text = true, "This is another attempt. What the step did already is not undone."
	}
	return e
}

// nothingDone returns the sentence that replaces an empty list of StaysDone.
func nothingDone(done []string) Sentence {
	if len(done) > 0 {
		return ""
	}
	return " No command and no tool has run since."
}

// rewindEffect returns the effect of a rewind to the state after an event. If the event started a
// command or call, the rewind goes to before it, because it must not run again unasked.
func rewindEffect(r Run, a Args) Effect {
	i := r.eventIndex(a.Event)
	if i < 0 {
		return Effect{}
	}
	e := Effect{Confirm: true, Title: fmt.Sprintf("Rewind to event %d?", a.Event), StaysDone: r.staysDone(i + 1)}
	e.Text = "The run continues from there." + nothingDone(e.StaysDone)
	if _, begun := r.Events[i].Body.(*machine.ActionStarted); begun {
		e.Title, e.StaysDone = fmt.Sprintf("Rewind to before event %d?", a.Event), r.staysDone(i)
		e.Text = "Continuing runs this command or call again." + nothingDone(e.StaysDone)
	}
	return e
}

// undoEffect gets the event that undo takes back as an argument, because only the session knows it
// (Session.NextUndo).
func undoEffect(redo bool) func(Run, Args) Effect {
	return func(r Run, a Args) Effect {
		i := r.eventIndex(a.Event)
		if redo || i < 0 {
			return Effect{}
		}
		done := r.staysDone(i + 1)
		return Effect{Confirm: len(done) > 0, Title: "Undo " + track.Intervention(r.Events[i]) + "?", StaysDone: done}
	}
}
