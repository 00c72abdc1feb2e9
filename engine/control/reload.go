package control

import (
	"cmp"
	"fmt"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
)

// The ways in which a run can continue with a changed document. To keep the old version, do
// nothing.
const (
	ReloadHere    = "here"    // continue at the current step, or at a step that is named
	ReloadRewind  = "rewind"  // rewind to the first changed step that has run
	ReloadRestart = "restart" // start again
)

var reloadChoices = []string{ReloadHere, ReloadRewind, ReloadRestart}

func reloadDocument(s Session, r RunView, a Args) error {
	return s.Reload(r.SavedVersion, r.newReloadChoice(a))
}

func (r RunView) newReloadChoice(a Args) engine.ReloadChoice {
	c := engine.ReloadChoice{TargetStep: a.TargetID, FromStart: a.Text == ReloadRestart, AllowCommands: a.AllowsCommands, Inputs: a.Assignments, Note: a.Note}
	if i := r.eventIndex(r.SavedVersion.FirstChangedSeq); a.Text == ReloadRewind && i > 0 {
		c.RewindTo = r.Events[i-1].Seq
	}
	return c
}

// rowThatRan returns the row of the step that has an ID in the changed document, if that step has run,
// else nil.
func (r RunView) rowThatRan(id string) *track.Row {
	d := r.SavedVersion.Match.FindDocument("")
	for _, row := range r.Track.AllRows() {
		if id != "" && row.Step != nil && row.DocumentFile() == "" && d.NewID(row.Step.ID) == id && hasRun(row) {
			return row
		}
	}
	return nil
}

// reloadEffect returns how a changed document affects the run.
func reloadEffect(r RunView, a Args) Effect {
	o := r.SavedVersion
	e := Effect{Question: "Continue with the changed document?", AllowedCommands: o.CommandsToAllow}
	e.Text = Sentencef("Changed: %s.", cmp.Or(o.Match.Summary(), machine.NothingAffected))
	switch a.Text {
	case ReloadRewind:
		i := r.eventIndex(o.FirstChangedSeq)
		e.NeedsConfirmation, e.Question = true, fmt.Sprintf("Rewind to step %s and continue with the changed document?", o.FirstChangedStep)
		e.EffectsNotUndone = r.sideEffectsFrom(max(0, i))
		e.Text += noSideEffectsText(e.EffectsNotUndone, "since step "+o.FirstChangedStep+" began")
	case ReloadRestart:
		e.NeedsConfirmation, e.Question, e.EffectsNotUndone = true, "Start again with the changed document?", r.sideEffectsFrom(0)
		e.Text += noSideEffectsText(e.EffectsNotUndone, "yet")
	default:
		if again := r.rowThatRan(a.TargetID); again != nil {
			e.NeedsConfirmation = true
			e.Text += Sentencef(" Step %s has already run. It will run again.", again.Label)
		}
		if now := r.interruptOrReopenEffect(""); now.NeedsConfirmation && (r.Status.State != engine.Over || a.TargetID == "" && !o.IsUnchanged()) {
			e.NeedsConfirmation = true
			e.Text += " " + now.Text
		}
	}
	return e
}
