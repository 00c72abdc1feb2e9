// Package intervene turns the key of an intervention into its request. If necessary, a person is first
// asked for a reason, for the values of a step that passes, and for a confirmation.
package intervene

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
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
	At       runview.Visit // the visit that it changes; zero for a jump, which is possible from anywhere
	StepOver bool          // a paused run steps over the step to which the intervention leads
}

// change is an intervention that is being prepared.
type change struct {
	Perform
	hasAskedPerson bool // the person was asked for a reason or values, so no confirmation is needed
}

// Skip skips the current step. If a question asks for a person's decision, skipping needs a reason.
func Skip(run *runview.Run) []tea.Msg {
	c := change{Perform: Perform{Do: request.Do{Action: "skip"}, At: run.CurrentVisit()}}
	if !run.Question.Reason {
		return c.begin(run)
	}
	return c.ask(c.title(run)+": why?", "skip")
}

// Jump jumps to the selected step. It asks for a reason, because reports show jumps first.
func Jump(run *runview.Run) []tea.Msg {
	do := request.Do{Action: "jump", Args: control.Args{Step: run.Selected}}
	if run.Replay { // in a replay, a jump is not an intervention
		return []tea.Msg{do}
	}
	c := change{Perform: Perform{Do: do}}
	return c.ask(c.title(run)+": why?", "jump")
}

// Decide sets the outcome of the current step, or that of the step before a pause while that is selected.
func Decide(run *runview.Run, result plan.Result) []tea.Msg {
	return outcomeChange(run, result).take(run)
}

// DecideWithNote asks for a reason, then does the same as Decide.
func DecideWithNote(run *runview.Run, result plan.Result) []tea.Msg {
	name := "Why s" + strings.TrimPrefix(outcomeChange(run, result).title(run), "S") + "?"
	c := outcomeChange(run, result)
	return c.ask(name, string(result))
}

func outcomeChange(run *runview.Run, result plan.Result) change {
	do := request.Do{Action: string(result), Args: control.Args{Result: result}}
	if run.LooksBefore() {
		do.Action = "override"
	}
	return change{Perform: Perform{Do: do, At: run.CurrentVisit()}}
}

// Rerun runs the current step again or, for an earlier step, rewinds to before it. The step runs with the
// edits made since.
func Rerun(run *runview.Run, r *track.Row) []tea.Msg {
	do := request.Do{Action: "rerun", Args: control.Args{Step: r}}
	if r != run.Track.Current {
		return Ask(run, do, request.FollowRun{})
	}
	return change{Perform: Perform{Do: do, At: run.CurrentVisit(), StepOver: true}}.begin(run)
}

// Rewind rewinds to the event that the screen shows, after showing what the rewind does not undo. In a
// replay it does not ask, because nothing is undone.
func Rewind(run *runview.Run) []tea.Msg {
	do := request.Do{Action: "rewind", Args: control.Args{Event: run.Events[run.Index].Seq}}
	if run.Replay {
		return []tea.Msg{request.ShowNow{}, do}
	}
	return Ask(run, do, request.ShowNow{})
}

// Ask asks for confirmation of an action, with its effects. before is a request that precedes the action.
func Ask(run *runview.Run, do request.Do, before tea.Msg) []tea.Msg {
	e := control.Find(do.Action).Effect(run.Run, do.Args)
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: draw.Clean(e.Title), Text: run.Sentence(e.Text), StaysDone: e.StaysDone, Yes: []tea.Msg{before, do},
	}}}
}

func (c change) effect(run *runview.Run) control.Effect {
	return control.Find(c.Action).Effect(run.Run, c.Args)
}

// title returns the intervention as an imperative.
func (c change) title(run *runview.Run) string {
	return draw.Clean(strings.TrimSuffix(c.effect(run).Title, "?"))
}

// ask asks for the reason.
func (c change) ask(name, verb string) []tea.Msg {
	return []tea.Msg{dialog.Open{Dialog: note.New(name, "", verb, func(run *runview.Run, reason string) []tea.Msg {
		c.hasAskedPerson = c.Action != "skip"
		c.Args.Reason = reason
		return c.take(run)
	})}}
}

// take asks for changes of the reported values if the step passes and there are any.
func (c change) take(run *runview.Run) []tea.Msg {
	if c.Args.Result != plan.Passed || len(run.Status.PendingValues) == 0 {
		return c.begin(run)
	}
	c.hasAskedPerson = true
	return []tea.Msg{dialog.Open{Dialog: reportedvalues.New(run, c.title(run), func(run *runview.Run, instead []plan.Assignment) []tea.Msg {
		c.Args.Values = instead
		return c.begin(run)
	})}}
}

// consequences returns what a person should know before the action, "" for nothing. A person who was asked
// for a reason already knows that the run is over.
func (c change) consequences(run *runview.Run) string {
	e := c.effect(run)
	if !e.Confirm || c.hasAskedPerson && run.Status.Running == "" {
		return ""
	}
	return run.Sentence(e.Text)
}

// begin carries out the intervention: at once, or after a confirmation if it has consequences.
func (c change) begin(run *runview.Run) []tea.Msg {
	consequences := c.consequences(run)
	if consequences == "" || c.At.MovedPast(&run.Run) != "" {
		return []tea.Msg{c.Perform}
	}
	state := run.Status.State
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: c.title(run) + "?", Text: consequences, Yes: []tea.Msg{c.Perform},
		UpdatedText:    func(run *runview.Run) string { return cmp.Or(c.consequences(run), "Nothing is running any more.") },
		ObsoleteReason: func(run *runview.Run) string { return c.obsoleteReason(run, state) },
	}}}
}

// obsoleteReason returns why the intervention can no longer be confirmed, "" if it can. A jump remains
// possible wherever the run is.
func (c change) obsoleteReason(run *runview.Run, state engine.State) string {
	switch why := c.At.MovedPast(&run.Run); {
	case why != "":
		return why
	case !c.At.Anywhere() && run.Status.State != state:
		return "No change: the step has already ended."
	}
	return ""
}

// Undo is an undo, or a redo, of a person's action.
type Undo struct {
	Redo bool
	Of   machine.Event
}

// Requests undoes or redoes the action, and tells the person which. It asks first if effects since then are
// not undone.
func (u Undo) Requests(run *runview.Run) []tea.Msg {
	action, did := "undo", draw.Clean(track.Intervention(u.Of))
	say := "Undone: " + did + ". {redo} to redo it."
	if u.Redo {
		action, say = "redo", "Redone: "+did+". {undo} to undo it."
		if n := len(run.Events); n > 0 && run.Events[n-1].Seq == u.Of.Seq { // a rewind, and nothing happened since
			say = "The run is back where it was before " + did + ". {undo} to return."
		}
	}
	do := request.Do{Action: action, Args: control.Args{Event: u.Of.Seq}}
	requests := []tea.Msg{request.SayNext{Text: say}, do}
	if e := control.Find(action).Effect(run.Run, do.Args); e.Confirm {
		return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{Name: draw.Clean(e.Title), StaysDone: e.StaysDone, Yes: requests}}}
	}
	return requests
}
