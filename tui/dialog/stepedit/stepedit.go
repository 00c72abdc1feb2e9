// Package stepedit has the dialogs in which a person changes the steps of the document: inserts,
// duplicates, moves and removes them. They show the changed lines before they request the change.
package stepedit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/preview"
	"playhead/tui/dialog/reload"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Session is the part of a run's session that the dialogs use.
type Session interface {
	EditSteps(plan.StepEdit) (*engine.ReloadOffer, error)
}

// stepChange is an edit of the steps that a person has chosen.
type stepChange struct {
	name       string // such as "Insert a step after 2"
	actionName string // an action of engine/control
	row        *track.Row
	edit       plan.StepEdit
}

func (c stepChange) actionArgs() control.Args {
	return control.Args{Row: c.row, IsAfterStep: c.edit.After, TargetID: c.edit.OtherStep, Text: c.edit.Text}
}

// UnavailableReason returns why no steps can be changed at the selected one, "" if they can.
func UnavailableReason(run *runview.Run) string {
	if run.SelectedRow == nil && run.IsBegun {
		return control.NoStepReason
	}
	return string(control.FindAction("insert-step").UnavailableReason(run.RunView, control.Args{Row: selectedRowInCurrentState(run)}))
}

// selectedRowInCurrentState returns the row under the mark as it is in the current state of the run, even
// if an earlier moment shows.
func selectedRowInCurrentState(run *runview.Run) *track.Row {
	if run.SelectedRow != nil {
		if now := run.RowByLabel(run.SelectedRow.Label); now != nil {
			return now
		}
	}
	return run.SelectedRow
}

// New returns the list of possible changes at the selected step.
func New(run *runview.Run, s Session) *choose.Dialog {
	row := selectedRowInCurrentState(run)
	var list []choose.Option
	add := func(text, name, action string, e plan.StepEdit, unavailable string) {
		e.Step = row.Step.ID
		c := stepChange{fmt.Sprintf(name, row.Label), action, row, e}
		if why := control.FindAction(action).UnavailableReason(run.RunView, c.actionArgs()); why != "" {
			unavailable = string(why)
		}
		list = append(list, choose.Option{Text: text, UnavailableReason: unavailable, Do: func(run *runview.Run) []tea.Msg {
			return []tea.Msg{request.Background{Cmd: requestPreview(run.Plan, c, s)}}
		}})
	}
	before, after := neighbours(run.Plan, row.Step)
	add("insert a step before…", "Insert a step before %s", "insert-step", plan.StepEdit{Verb: plan.InsertStep}, "")
	add("insert a step after…", "Insert a step after %s", "insert-step", plan.StepEdit{Verb: plan.InsertStep, After: true}, "")
	add("duplicate", "Duplicate step %s", "duplicate-step", plan.StepEdit{Verb: plan.DuplicateStep}, "")
	move := func(text, name string, other *plan.Step, after bool, end string) {
		e, why := plan.StepEdit{Verb: plan.MoveStep, After: after}, "Step "+row.Label+" is already the "+end+" one at its level."
		if other != nil {
			e.OtherStep, why = other.ID, ""
		}
		add(text, name, "move-step", e, why)
	}
	move("move up", "Move step %s up", before, false, "first")
	move("move down", "Move step %s down", after, true, "last")
	add("remove", "Remove step %s", "remove-step", plan.StepEdit{Verb: plan.RemoveStep}, "")
	return choose.NewOptionsDialog(draw.CleanLine("Insert, move or remove steps at "+draw.StepName(row)+":"), "accept", "back", list)
}

// neighbours returns the steps before and after a step in its group, nil for none.
func neighbours(p *plan.Plan, step *plan.Step) (before, after *plan.Step) {
	p.Walk(func(s, parent *plan.Step) bool {
		group := p.Steps
		if parent != nil {
			group = parent.Children
		}
		if i := slices.Index(group, s); s.ID == step.ID && i >= 0 {
			if i > 0 {
				before = group[i-1]
			}
			if i+1 < len(group) {
				after = group[i+1]
			}
		}
		return true
	})
	return before, after
}

// askText asks the person for the inserted step's text, and then shows the changed lines.
func askText(c stepChange, s Session) []tea.Msg {
	part := "title, then text"
	return []tea.Msg{dialog.Open{Dialog: edit.New(draw.CleanLine(c.name), part, "preview", form.NewEditor(c.edit.Text), func(run *runview.Run, text string) []tea.Msg {
		if strings.TrimSpace(text) == "" {
			return []tea.Msg{request.Say{Text: "No change: the new step has no text."}}
		}
		c.edit.Text = text
		return []tea.Msg{request.Background{Cmd: requestPreview(run.Plan, c, s)}}
	})}}
}

// requestPreview asks the session for the changed document. If the inserted step has no text yet, it asks
// whether a step can be inserted there.
func requestPreview(now *plan.Plan, c stepChange, s Session) tea.Cmd {
	return func() tea.Msg {
		p := PreviewMsg{change: c, session: s}
		e := c.edit
		e.Text = cmp.Or(e.Text, "Title")
		p.offer, p.err = s.EditSteps(e)
		if p.err == nil && p.offer.NoPlaceError != nil {
			p.err = p.offer.NoPlaceError
		}
		if p.err == nil {
			p.hunks = linediff.CompareLines(linediff.SplitLines(now.Source), linediff.SplitLines(p.offer.Plan.Source))
		}
		return p
	}
}

// PreviewMsg is the message with a possible change of the steps, or the reason why it is not possible.
type PreviewMsg struct {
	change  stepChange
	session Session
	offer   *engine.ReloadOffer
	hunks   []linediff.Hunk
	err     error
}

// Requests shows the changed lines. If the format does not allow them, it opens the editor of the inserted
// step again, with the problem.
func (p PreviewMsg) Requests() []tea.Msg {
	var again []tea.Msg
	back := "cancel"
	switch inserts, text := p.change.edit.Verb == plan.InsertStep, p.change.edit.Text; {
	case inserts && text != "":
		again, back = askText(p.change, p.session), "keep editing"
	case inserts && p.err == nil:
		return askText(p.change, p.session)
	}
	switch {
	case p.err != nil:
		return append(again, request.Say{Text: wording.ErrorSentence(p.err)})
	case p.offer.Err() != nil:
		return append(again, dialog.Open{Dialog: reload.NewErrorsAfterEdit(p.offer)})
	}
	return []tea.Msg{dialog.Open{Dialog: &preview.Dialog{
		Name:    p.change.name + "?",
		Summary: func(dc *draw.Context) string { return dc.Muted.Paint(draw.CleanLine(p.offer.Match.Summary())) },
		ChangeLines: func(run *runview.Run, w int) []string {
			var out []string
			if p.insertsQuestion() {
				out = run.DrawContext.Wrap("The new step runs nothing: it asks a person whether it passed.", w)
			}
			e := control.FindAction(p.change.actionName).Effect(run.RunView, p.change.actionArgs())
			out = append(out, run.DrawContext.Wrap(run.FillInKeys(e.Text), w)...)
			return append(out, run.DrawContext.HunkLines(p.hunks, w)...)
		},
		YesRequests: []tea.Msg{
			request.SelectAfterReload{Label: p.changedStepID()},
			request.Do{Action: p.change.actionName, Args: p.change.actionArgs(), SaysUntilKey: true},
		},
		YesVerb: "apply", EnterAnswersYes: true, NoRequests: again, NoVerb: back,
	}}}
}

// insertsQuestion reports whether the inserted step only asks a person. This happens if its text was meant
// to be a command but is read as prose.
func (p PreviewMsg) insertsQuestion() bool {
	if p.change.edit.Verb != plan.InsertStep {
		return false
	}
	step := p.offer.Plan.FindStep(p.changedStepID())
	return step != nil && len(step.Actions) > 0 && !slices.ContainsFunc(step.Actions, func(a plan.Action) bool {
		_, decides := a.Work.(plan.Decide)
		return !decides
	})
}

// changedStepID returns the new id of the inserted or moved step. If the step is removed, it returns that of
// the step after it, or of the one before it.
func (p PreviewMsg) changedStepID() string {
	d, step := p.offer.Match.FindDocument(""), p.change.edit.Step
	switch p.change.edit.Verb {
	case plan.MoveStep:
		return d.NewID(step)
	case plan.RemoveStep:
		before, after := neighbours(d.OldPlan, d.OldPlan.FindStep(step))
		if after == nil {
			after = before
		}
		return d.NewID(after.ID)
	}
	for _, c := range d.Changes {
		if c.OldStep == nil && c.NewStep != nil {
			return c.NewStep.ID
		}
	}
	return ""
}
