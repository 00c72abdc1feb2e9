package control

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
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
		e := r.interruptEffect(fmt.Sprintf("Change the document at step %s?", r.ArgumentRow(a).Label))
		if line := r.lineOfEdit(verb, a); line > 0 && r.isPastLine(line) {
			e.IsEasilyMissed = true
			e.Text = Sentence(strings.TrimSpace(string(e.Text + " The run is past this place, so it runs the step only if a route leads back to it.")))
		}
		return e
	}
}

// lineOfEdit returns the line of the document at or before which the steps begin that follow the place where a change puts
// a step, 0 if it puts none anywhere.
func (r RunView) lineOfEdit(verb plan.StepVerb, a Args) int {
	place, isAfter := r.ArgumentRow(a).Step, a.IsAfterStep || verb == plan.DuplicateStep
	if verb == plan.MoveStep {
		place = r.Plan.FindStep(a.TargetID)
	}
	if verb == plan.RemoveStep || place == nil {
		return 0
	}
	if !isAfter {
		return place.Span.Line
	}
	for len(place.Children) > 0 {
		place = place.Children[len(place.Children)-1]
	}
	return place.Span.Line + 1
}

// isPastLine reports whether the run is at a step from a line of the document on, and does not decide again to go there
// from a step before it (engine.ReloadChoice.DecideAgain).
func (r RunView) isPastLine(line int) bool {
	isFrom := func(row *track.Row) bool {
		for row != nil && (row.Step == nil || row.DocumentFile() != "") {
			row = row.Parent
		}
		return row != nil && row.Step.Span.Line >= line
	}
	if !isFrom(r.PositionRow()) || !r.IsPausedBeforeStep() {
		return isFrom(r.PositionRow())
	}
	last := r.lastLiveEvent()
	d, decided := last.Body.(*machine.Decision)
	if !decided || d.ByPerson {
		return decided || r.Track.CurrentRow != nil // else it has not begun, and begins at the first step
	}
	decider := r.Track.RowOfEvent(last)
	return isFrom(decider) || namesTarget(decider, d)
}

// lastLiveEvent returns the last event that led to the state of the run. A rewind leads to an earlier one.
func (r RunView) lastLiveEvent() machine.Event {
	for _, e := range slices.Backward(r.Events) {
		if _, rewinds := e.Body.(*machine.RunRewound); !rewinds {
			return e
		}
	}
	return machine.Event{}
}

// namesTarget reports whether a decision of a row took a route that leads to a step by its name.
func namesTarget(row *track.Row, d *machine.Decision) bool {
	taken := d.TakenCandidate()
	if taken == nil || row == nil || row.Step == nil || *d.CandidateIndex >= len(row.Step.Routes) {
		return false
	}
	move := &row.Step.Routes[*d.CandidateIndex].Do
	for i := 0; i < taken.UsedBudgetCount && move.AfterLimit != nil; i++ {
		move = move.AfterLimit
	}
	return move.Verb == plan.Goto || move.Verb == plan.Fallback
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
