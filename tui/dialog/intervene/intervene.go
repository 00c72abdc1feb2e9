// Package intervene turns the key of an intervention into its request. If necessary, a person is first
// asked for a note, for the values of a step that passes, and for a confirmation.
package intervene

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/note"
	"playhead/tui/dialog/reportedvalues"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Perform is the request to carry out a confirmed intervention. A paused run stays paused.
type Perform struct {
	request.Do
	Attempt   runview.Attempt // the attempt that it changes; zero for a jump, which is possible from anywhere
	StepsOver bool            // a paused run steps over the step to which the intervention leads
}

// pendingIntervention is an intervention that is being prepared.
type pendingIntervention struct {
	Perform
	hasAskedPerson bool      // the person was asked for a note or values, so no confirmation is needed
	previewer      Previewer // previews where the intervention leads; nil: nobody asks
}

// Previewer returns a preview of the decisions that changes of the run after an event lead to.
type Previewer func(seq int) engine.DecisionPreview

// Skip skips the current step. If a question asks for a person's decision, it asks for a note.
func Skip(run *runview.Run) []tea.Msg {
	c := pendingIntervention{Perform: Perform{Do: request.Do{Action: "skip"}, Attempt: run.CurrentAttempt()}}
	if !run.QuestionState.SkipAsksForNote {
		return c.performOrConfirm(run)
	}
	return c.askNote(run, "skip")
}

// Jump jumps to the selected step. It asks for a note, because reports show jumps first.
func Jump(run *runview.Run) []tea.Msg {
	do := request.Do{Action: "jump", Args: control.Args{Row: run.SelectedRow}}
	if run.IsReplay { // in a replay, a jump is not an intervention
		return []tea.Msg{do}
	}
	c := pendingIntervention{Perform: Perform{Do: do}}
	return c.askNote(run, "jump")
}

// SetOutcome sets the outcome of the current step, or that of the step before a pause while that is selected.
func SetOutcome(run *runview.Run, result plan.Result, suppose Previewer) []tea.Msg {
	return outcomeIntervention(run, result, suppose).askReportedValues(run)
}

// SetOutcomeWithNote asks for a note, and then sets the outcome.
func SetOutcomeWithNote(run *runview.Run, result plan.Result, suppose Previewer) []tea.Msg {
	return outcomeIntervention(run, result, suppose).askNote(run, string(result))
}

// outcomeIntervention returns the intervention that sets the outcome of the current step, or overrides that of the step
// before a pause while that is selected.
func outcomeIntervention(run *runview.Run, result plan.Result, suppose Previewer) pendingIntervention {
	do := request.Do{Action: string(result), Args: control.Args{Result: result}}
	if run.IsStepBeforePauseSelected() {
		do.Action = "override"
	}
	return pendingIntervention{Perform: Perform{Do: do, Attempt: run.CurrentAttempt()}, previewer: suppose}
}

// openDialog returns requests that open a dialog, and find out where the intervention leads. offer is the
// text in the dialog that offers the intervention.
func (p pendingIntervention) openDialog(run *runview.Run, d dialog.Dialog, offer *string) []tea.Msg {
	requests := []tea.Msg{dialog.Open{Dialog: d}}
	if p.previewer == nil || len(run.Events) == 0 {
		return requests
	}
	now, change := run.Events[len(run.Events)-1].Seq, machine.WhatIfChange{Result: p.Args.Result, IsOfNextStep: !run.IsStepBeforePauseSelected()}
	return append(requests, request.Background{Cmd: func() tea.Msg { // it folds the whole run
		events, err := p.previewer(now)(change)
		if err != nil {
			return nil
		}
		return DestinationFound{offer, events[len(events)-1]}
	}})
}

// DestinationFound is the message with what follows an intervention that a dialog offers.
type DestinationFound struct {
	hintText  *string
	lastEvent machine.Event // of the preview
}

// AddToHintText adds the destination to the text that offers the intervention.
func (f DestinationFound) AddToHintText(run *runview.Run) {
	if to, _ := decision.Destination(run.Track, f.lastEvent); to != "" {
		*f.hintText += " → " + run.DrawContext.Cut(to, decision.MaxDestinationWidth)
	}
}

// Rerun runs the current step again or, for an earlier step, rewinds to before it. The step runs with the
// edits made since.
func Rerun(run *runview.Run, r *track.Row) []tea.Msg {
	do := request.Do{Action: "rerun", Args: control.Args{Row: r}}
	if r != run.Track.CurrentRow {
		return askConfirmation(run, do, request.FollowRun{}, "")
	}
	return pendingIntervention{Perform: Perform{Do: do, Attempt: run.CurrentAttempt(), StepsOver: true}}.performOrConfirm(run)
}

// Rewind rewinds to the event that the screen shows, after showing what the rewind does not undo. In a
// replay it does not ask, because nothing is undone.
func Rewind(run *runview.Run) []tea.Msg {
	event := run.Events[run.ShownEventIndex]
	do := request.Do{Action: "rewind", Args: control.Args{EventSeq: event.Seq}}
	if run.IsReplay {
		return []tea.Msg{request.ShowCurrentState{}, do}
	}
	subject := ""
	if run.ShownEventIndex > 0 { // else the title names the start
		subject = "Event: " + run.Track.MomentText(event) + ".\n"
	}
	return askConfirmation(run, do, request.ShowCurrentState{}, subject)
}

// askConfirmation asks for confirmation of an action, with its effects below a text about its subject. before is a
// request that precedes the action.
func askConfirmation(run *runview.Run, do request.Do, before tea.Msg, subject string) []tea.Msg {
	e := control.FindAction(do.Action).Effect(run.RunView, do.Args)
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: draw.CleanLine(e.Question), Text: sanitize.PlainLines(subject) + run.FillInKeys(e.Text), EffectsNotUndone: e.EffectsNotUndone, YesRequests: []tea.Msg{before, do},
	}}}
}

func (p pendingIntervention) effectOf(run *runview.Run) control.Effect {
	return control.FindAction(p.Action).Effect(run.RunView, p.Args)
}

// imperative returns the intervention as an imperative.
func (p pendingIntervention) imperative(run *runview.Run) string {
	return draw.CleanLine(strings.TrimSuffix(p.effectOf(run).Question, "?"))
}

// askNote asks for a note.
func (p pendingIntervention) askNote(run *runview.Run, verb string) []tea.Msg {
	d := note.New(p.imperative(run)+": note", "", verb, func(run *runview.Run, text string) []tea.Msg {
		p.hasAskedPerson = p.Action != "skip"
		p.Args.Note = text
		return p.askReportedValues(run)
	})
	return p.openDialog(run, d, &d.Verb)
}

// askReportedValues lets the person change the reported values, if the step passes and has reported any.
func (p pendingIntervention) askReportedValues(run *runview.Run) []tea.Msg {
	if p.Args.Result != plan.Passed || len(run.Status.PendingValues) == 0 {
		return p.performOrConfirm(run)
	}
	p.hasAskedPerson = true
	values := reportedvalues.New(run, p.imperative(run), func(run *runview.Run, instead []plan.Assignment) []tea.Msg {
		p.Args.Assignments = instead
		return p.performOrConfirm(run)
	})
	return p.openDialog(run, values, &values.SubmitText)
}

// consequences returns what a person should know before the action, "" for nothing. A person who was asked
// for a note already knows that the run is over.
func (p pendingIntervention) consequences(run *runview.Run) string {
	e := p.effectOf(run)
	if !e.NeedsConfirmation || p.hasAskedPerson && run.Status.RunningStep == "" {
		return ""
	}
	return run.FillInKeys(e.Text)
}

// performOrConfirm carries out the intervention: at once, or after a confirmation if it has consequences.
func (p pendingIntervention) performOrConfirm(run *runview.Run) []tea.Msg {
	consequences := p.consequences(run)
	if consequences == "" || p.Attempt.MovedPastText(&run.RunView) != "" {
		return []tea.Msg{p.Perform}
	}
	state := run.Status.State
	d := &confirm.Dialog{
		Name: p.imperative(run) + "?", Text: consequences, YesRequests: []tea.Msg{p.Perform}, YesText: "yes",
		UpdatedText:    func(run *runview.Run) string { return cmp.Or(p.consequences(run), confirm.NothingRunningText) },
		ObsoleteReason: func(run *runview.Run) string { return p.obsoleteReason(run, state) },
	}
	return p.openDialog(run, d, &d.YesText)
}

// obsoleteReason returns why the intervention can no longer be confirmed, "" if it can. A jump remains
// possible wherever the run is.
func (p pendingIntervention) obsoleteReason(run *runview.Run, state engine.State) string {
	switch why := p.Attempt.MovedPastText(&run.RunView); {
	case why != "":
		return why
	case !p.Attempt.IsZero() && run.Status.State != state:
		return "No change: the run has moved on since this dialog opened."
	}
	return ""
}

// UndoOrRedo is an undo, or a redo, of a person's action.
type UndoOrRedo struct {
	IsRedo       bool
	Step         machine.UndoStep
	FileWithEdit string // of an undo: the file that still contains the edit, "" for none
}

// Requests undoes or redoes the action, and tells the person which. It asks first if effects since then are
// not undone.
func (u UndoOrRedo) Requests(run *runview.Run) []tea.Msg {
	action := "undo"
	if u.IsRedo {
		action = "redo"
	}
	do := request.Do{Action: action, Args: control.Args{EventSeq: u.Step.Event.Seq}}
	requests := []tea.Msg{request.SayUntilKey{Text: string(control.UndoneText(action, u.Step, u.FileWithEdit))}, do}
	if e := control.FindAction(action).Effect(run.RunView, do.Args); e.NeedsConfirmation {
		return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{Name: draw.CleanLine(e.Question), EffectsNotUndone: e.EffectsNotUndone, YesRequests: requests}}}
	}
	return requests
}
