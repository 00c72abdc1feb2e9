package control

import (
	"fmt"
	"slices"
	"strings"

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

// editStepsEffect returns a function that returns the effect of a change of the steps. The change may end what is running,
// and the run may be past the place where it puts a step.
func editStepsEffect(verb plan.StepVerb) func(RunView, Args) Effect {
	return func(r RunView, a Args) Effect {
		e := r.interruptEffect(fmt.Sprintf(editStepsQuestion(verb, a.IsAfterStep), r.ArgumentRow(a).Label))
		if line := r.lineOfEdit(verb, a); line > 0 && r.isPastLine(line) {
			e.IsEasilyMissed = true
			e.Text = Sentence(strings.TrimSpace(string(e.Text + " The run is already past the place where this change puts the step, so the step runs only if a route leads back to it.")))
		}
		return e
	}
}

// editStepsQuestion returns the question that confirms a change of the steps, with %s for the label of the step.
func editStepsQuestion(verb plan.StepVerb, after bool) string {
	switch {
	case verb == plan.DuplicateStep:
		return "Duplicate step %s?"
	case verb == plan.RemoveStep:
		return "Remove step %s?"
	case verb == plan.MoveStep:
		return "Move step %s?"
	case after:
		return "Insert a step after step %s?"
	}
	return "Insert a step before step %s?"
}

// lineOfEdit returns the line at or after which the steps begin that follow a step where a change puts it, 0 if it puts none
// anywhere.
func (r RunView) lineOfEdit(verb plan.StepVerb, a Args) int {
	neighbor, isAfter := r.ArgumentRow(a).Step, a.IsAfterStep || verb == plan.DuplicateStep
	if verb == plan.MoveStep {
		neighbor = r.Plan.FindStep(a.TargetID)
	}
	switch {
	case verb == plan.RemoveStep || neighbor == nil:
		return 0
	case !isAfter:
		return neighbor.Span.Line
	}
	for len(neighbor.Children) > 0 {
		neighbor = neighbor.Children[len(neighbor.Children)-1]
	}
	return neighbor.Span.Line + 1
}

// isPastLine reports whether the run is in a step that begins at a line or after it. A run that is paused before a step may
// decide again how it goes on, so it is certainly past the line only if another step is between the two.
func (r RunView) isPastLine(line int) bool {
	at := r.PositionRow()
	for at != nil && (at.Step == nil || at.DocumentFile() != "") {
		at = at.Parent
	}
	if at == nil || !r.IsPausedBeforeStep() {
		return at != nil && at.Step.Span.Line >= line
	}
	return slices.ContainsFunc(r.Track.AllRows(), func(row *track.Row) bool {
		if row.Step == nil || row.DocumentFile() != "" || row.IsOutsideOrder() || row.Contains(at) {
			return false
		}
		return row.Step.Span.Line >= line && row.Step.Span.Line < at.Step.Span.Line
	})
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
