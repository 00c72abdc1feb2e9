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
		if place, exists := r.placeOfEdit(verb, a); exists && r.isPast(place) {
			e.IsEasilyMissed = true
			e.Text = Sentence(strings.TrimSpace(string(e.Text + " The run is past this place, so it runs the step only if a route leads back to it.")))
		}
		return e
	}
}

// stepPlace is a place for a step in the document: below a parent, and before all steps that begin at a line or after it.
type stepPlace struct {
	parentID string // empty: outside all steps
	line     int
}

// placeOfEdit returns the place where a change puts a step, if it puts one anywhere.
func (r RunView) placeOfEdit(verb plan.StepVerb, a Args) (place stepPlace, exists bool) {
	neighbor, isAfter := r.ArgumentRow(a).Step, a.IsAfterStep || verb == plan.DuplicateStep
	if verb == plan.MoveStep {
		neighbor = r.Plan.FindStep(a.TargetID)
	}
	if verb == plan.RemoveStep || neighbor == nil {
		return stepPlace{}, false
	}
	place = stepPlace{r.parentID(neighbor), neighbor.Span.Line}
	if isAfter {
		for len(neighbor.Children) > 0 {
			neighbor = neighbor.Children[len(neighbor.Children)-1]
		}
		place.line = neighbor.Span.Line + 1
	}
	return place, true
}

// parentID returns the ID of the step around a step of the document, "" if there is none.
func (r RunView) parentID(step *plan.Step) (id string) {
	r.Plan.Walk(func(s, parent *plan.Step) bool {
		if parent != nil && s.ID == step.ID {
			id = parent.ID
		}
		return true
	})
	return id
}

// isPast reports whether the run does not get to a step at a place as it goes on now. It is false if that is not certain.
func (r RunView) isPast(place stepPlace) bool {
	isBefore := func(row *track.Row) bool { // of the place
		for row != nil && (row.Step == nil || row.DocumentFile() != "") {
			row = row.Parent
		}
		return row != nil && row.Step.Span.Line >= place.line
	}
	if !isBefore(r.enteredRow()) {
		return false
	}
	if !r.IsPausedBeforeStep() {
		return true
	}
	last := r.lastLiveEvent()
	d, decided := last.Body.(*machine.Decision)
	if !decided || d.ByPerson {
		return decided || r.Track.CurrentRow != nil // else it has not begun, and begins at the first step
	}
	// The run decides again (engine.ReloadChoice.DecideAgain). Only a route to whatever step comes next can lead to another one.
	decider := r.Track.RowOfEvent(last)
	if decider == nil || decider.Step == nil {
		return false
	}
	return isBefore(decider) || r.parentID(decider.Step) != place.parentID || namesTarget(decider.Step, d)
}

// enteredRow returns the row that the run is about to enter: its position, or the highest group around it that it enters
// with it. The first step of that group may be another one after a change.
func (r RunView) enteredRow() *track.Row {
	top := r.PositionRow()
	if !r.IsPausedBeforeStep() {
		return top
	}
	groups := r.Status.NextEvent.Body.(*machine.StepEntered).OpenedGroups
	for row := top; row != nil; row = row.Parent {
		isOpened := slices.ContainsFunc(groups, func(g machine.OpenedGroup) bool { return g.Label == row.Label })
		if isOpened || row == r.Track.CurrentRow { // or a step with actions of its own, which have ended
			top = row
		}
	}
	return top
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

// namesTarget reports whether a decision of a step took a route that leads to a step by its name.
func namesTarget(step *plan.Step, d *machine.Decision) bool {
	taken := d.TakenCandidate()
	if taken == nil || *d.CandidateIndex >= len(step.Routes) {
		return false
	}
	move := &step.Routes[*d.CandidateIndex].Do
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
