package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// staysDone returns the commands and tool calls from the i-th event on, which rewinding does
// not undo.
func (r Run) staysDone(i int) []string { return track.SideEffects(r.Events[:i], r.Events[i:]) }

// index returns the place of an event among those of the run, -1 if it has no such event.
func (r Run) index(seq int) int {
	return slices.IndexFunc(r.Events, func(e machine.Event) bool { return e.Seq == seq })
}

// interrupting returns what every change of the run does first: it ends what runs, reopens what
// is over. It asks for confirmation where that is so.
func (r Run) interrupting(title string) Effect {
	switch {
	case r.Status.Running != "":
		return Effect{Confirm: true, Title: title, Text: Sentence(r.Underway() + ". It will be ended first.")}
	case r.Status.State == engine.Over:
		return Effect{Confirm: true, Title: title, Text: Sentence(fmt.Sprintf("The run is over. This reopens it, and it continues from step %s.", r.Track.Current.Label))}
	}
	return Effect{Title: title}
}

func leaving(verb string) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect { return r.interrupting(verb + " step " + r.Subject() + "?") }
}

func ending(verb string) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect { return r.interrupting(verb + " the run?") }
}

func overriding(result plan.Result) func(Run, Args) Effect {
	return func(r Run, _ Args) Effect {
		if r.Status.Question != nil {
			return Effect{}
		}
		return r.interrupting(fmt.Sprintf("Set step %s to %s?", r.Subject(), result))
	}
}

func overridingBefore(r Run, a Args) Effect {
	return Effect{Title: fmt.Sprintf("Set step %s to %s?", r.Track.Current.Label, a.Result)}
}

func jumping(r Run, a Args) Effect {
	e := Effect{Title: "Jump to step " + a.Step.Label + "?"}
	if r.Status.Running != "" {
		e.Confirm, e.Text = true, Sentence(r.Underway()+". It will be ended first.")
	}
	return e
}

// repeating tells another attempt of the step that the run is at from a rewind to an earlier one.
func repeating(r Run, a Args) Effect {
	s := r.Step(a)
	if s != r.Track.Current {
		done := r.staysDone(r.index(s.Last().Seq))
		return Effect{
			Confirm: true, Title: "Rewind and run step " + s.Label + " again?", StaysDone: done,
			Text: "The run rewinds to before this step, runs it again and pauses." + nothingDone(done),
		}
	}
	e := r.interrupting("Run step " + s.Label + " again?")
	if !e.Confirm {
		e.Confirm, e.Text = true, "This is another attempt. What the step did already is not undone."
	}
	return e
}

// nothingDone says that there is nothing to list, where that is so.
func nothingDone(done []string) Sentence {
	if len(done) > 0 {
		return ""
	}
	return " No command and no tool has run since."
}

// rewindingTo rewinds to the state after an event, or to before it where it started something:
// that must not be performed unasked.
func rewindingTo(r Run, a Args) Effect {
	i := r.index(a.Event)
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

// undoing needs the event that undo takes back, which the session knows (Session.NextUndo): its
// number is the argument.
func undoing(redo bool) func(Run, Args) Effect {
	return func(r Run, a Args) Effect {
		i := r.index(a.Event)
		if redo || i < 0 {
			return Effect{}
		}
		done := r.staysDone(i + 1)
		return Effect{Confirm: len(done) > 0, Title: "Undo " + track.Intervention(r.Events[i]) + "?", StaysDone: done}
	}
}
