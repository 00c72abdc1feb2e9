package control

import (
	"fmt"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// editStepsCheck returns a function that returns why the document's steps cannot be changed, "" if they can. If onlyPending is set, a step that has run cannot be changed.
func editStepsCheck(onlyPending bool) func(RunView, Args) Sentence {
	return func(r RunView, a Args) Sentence {
		if why := requireBegun(r, a); why != "" {
			return why
		}
		s := r.ArgumentRow(a)
		switch {
		case s == nil || s.Step == nil:
			return NoStepReason
		case r.Plan.IgnoresFileOrder:
			return Sentence(wording.ErrorSentence(r.Plan.StepEditError()) + " Edit the file and reload it.")
		case s.DocumentFile() != "":
			return Sentencef("Step %s is in an included document. Run that document to change its steps.", s.Label)
		case onlyPending && hasRun(s):
			return Sentencef("Step %s has already started. Rewind to before it to remove or move it.", s.Label)
		case onlyPending && s.Contains(r.PositionRow()):
			return Sentencef("The run is about to enter step %s. {jump} to jump to another step first.", s.Label)
		}
		return ""
	}
}

// hasRun reports whether the run has been at a row or at one below it.
func hasRun(r *track.Row) bool {
	if len(r.AllAttempts()) > 0 {
		return true
	}
	for _, c := range r.Children {
		if hasRun(c) {
			return true
		}
	}
	return false
}

// editStepsEffect returns the effect of a change of the steps, which may end what is running.
func editStepsEffect(r RunView, a Args) Effect {
	return r.interruptEffect(fmt.Sprintf("Change the document at step %s?", r.ArgumentRow(a).Label))
}

func resultOfEditSteps(r RunView, _ Args) Sentence {
	return "The steps are changed in this run." + r.writeBackHint("them")
}

// editSteps changes the document's steps, and the run continues where it is, or at a new step that comes
// first.
func editSteps(verb plan.StepVerb) func(Session, RunView, Args) error {
	return func(s Session, r RunView, a Args) error {
		o, err := s.EditSteps(plan.StepEdit{
			Verb: verb, Step: r.ArgumentRow(a).Step.ID, After: a.IsAfterStep, OtherStep: a.TargetID, Text: a.Text,
		})
		if err != nil {
			return err
		}
		return s.Reload(o, engine.ReloadChoice{Note: a.Note, DecideAgain: true})
	}
}
