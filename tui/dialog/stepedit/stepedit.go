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
	EditSteps(plan.StepEdit) (*engine.Offer, error)
}

// change is a change of the steps.
type change struct {
	name   string // such as "Insert a step after 2"
	action string // an action of engine/control
	row    *track.Row
	edit   plan.StepEdit
}

func (c change) args() control.Args {
	return control.Args{Step: c.row, After: c.edit.After, Target: c.edit.Other, Text: c.edit.Text}
}

// Unavailable returns why no steps can be changed at the selected one, "" if they can.
func Unavailable(run *runview.Run) string {
	if run.Selected == nil && run.Begun {
		return control.NoStep
	}
	return string(control.Find("insert-step").Unavailable(run.Run, control.Args{Step: selected(run)}))
}

// selected returns the selected step in the current state of the run, even if an earlier moment shows.
func selected(run *runview.Run) *track.Row {
	if run.Selected != nil {
		if now := run.Row(run.Selected.Label); now != nil {
			return now
		}
	}
	return run.Selected
}

// New returns the list of possible changes at the selected step.
func New(run *runview.Run, s Session) *choose.Options {
	row := selected(run)
	var list []choose.Option
	add := func(text, name, action string, e plan.StepEdit, unavailable string) {
		e.Step = row.Step.ID
		c := change{fmt.Sprintf(name, row.Label), action, row, e}
		if why := control.Find(action).Unavailable(run.Run, c.args()); why != "" {
			unavailable = string(why)
		}
		list = append(list, choose.Option{Text: text, Unavailable: unavailable, Do: func(run *runview.Run) []tea.Msg {
			return []tea.Msg{request.Background{Cmd: ask(run.Plan, c, s)}}
		}})
	}
	before, after := neighbours(run.Plan, row.Step)
	add("insert a step before…", "Insert a step before %s", "insert-step", plan.StepEdit{Verb: plan.InsertStep}, "")
	add("insert a step after…", "Insert a step after %s", "insert-step", plan.StepEdit{Verb: plan.InsertStep, After: true}, "")
	add("duplicate", "Duplicate step %s", "duplicate-step", plan.StepEdit{Verb: plan.DuplicateStep}, "")
	move := func(text, name string, other *plan.Step, after bool, end string) {
		e, why := plan.StepEdit{Verb: plan.MoveStep, After: after}, "Step "+row.Label+" is the "+end+" step there."
		if other != nil {
			e.Other, why = other.ID, ""
		}
		add(text, name, "move-step", e, why)
	}
	move("move up", "Move step %s up", before, false, "first")
	move("move down", "Move step %s down", after, true, "last")
	add("remove", "Remove step %s", "remove-step", plan.StepEdit{Verb: plan.RemoveStep}, "")
	return choose.NewOptions(draw.Clean("Change the steps at "+strings.TrimSpace(row.Label+" "+row.Title)+":"), "select", "back", list)
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

// write asks the person for the inserted step's text, and then shows the changed lines.
func write(c change, s Session) []tea.Msg {
	part := "title, then its Markdown"
	return []tea.Msg{dialog.Open{Dialog: edit.New(draw.Clean(c.name), part, "preview", form.NewEditor(c.edit.Text), func(run *runview.Run, text string) []tea.Msg {
		if strings.TrimSpace(text) == "" {
			return []tea.Msg{request.Say{Text: "No change: the step has no text."}}
		}
		c.edit.Text = text
		return []tea.Msg{request.Background{Cmd: ask(run.Plan, c, s)}}
	})}}
}

// ask asks the session for the changed document. If the inserted step has no text yet, it asks whether a
// step can be inserted there.
func ask(now *plan.Plan, c change, s Session) tea.Cmd {
	return func() tea.Msg {
		p := PreviewMsg{change: c, session: s}
		e := c.edit
		e.Text = cmp.Or(e.Text, "Title")
		p.offer, p.err = s.EditSteps(e)
		if p.err == nil && p.offer.NoPlace != nil {
			p.err = p.offer.NoPlace
		}
		if p.err == nil {
			p.hunks = linediff.Lines(linediff.Split(now.Source), linediff.Split(p.offer.Plan.Source))
		}
		return p
	}
}

// PreviewMsg is the message with a possible change of the steps, or the reason why it is not possible.
type PreviewMsg struct {
	change  change
	session Session
	offer   *engine.Offer
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
		again, back = write(p.change, p.session), "keep editing"
	case inserts && p.err == nil:
		return write(p.change, p.session)
	}
	switch {
	case p.err != nil:
		return append(again, request.Say{Text: wording.Sentence(p.err)})
	case p.offer.Err() != nil:
		return append(again, dialog.Open{Dialog: &reload.Broken{
			Name: "The document would have errors", Diagnostics: p.offer.Problems(),
		}})
	}
	return []tea.Msg{dialog.Open{Dialog: &preview.Dialog{
		Name:  p.change.name + "?",
		About: p.offer.Match.Summary(),
		Body: func(run *runview.Run, w int) []string {
			var out []string
			if p.insertsQuestion() {
				out = run.Look.Wrap("The new step runs nothing: it asks a person whether it worked.", w)
			}
			e := control.Find(p.change.action).Effect(run.Run, p.change.args())
			out = append(out, run.Look.Wrap(run.Sentence(e.Text), w)...)
			return append(out, run.Look.Hunks(p.hunks, w)...)
		},
		Yes: []tea.Msg{
			request.SelectNext{Step: p.changedStep()},
			request.Do{Action: p.change.action, Args: p.change.args()},
			request.SayNext{Text: "The steps are changed in this run. {write-back} to write them into the document."},
		},
		No: again, Back: back,
	}}}
}

// insertsQuestion reports whether the inserted step only asks a person. This happens if its text was meant
// to be a command but is read as prose.
func (p PreviewMsg) insertsQuestion() bool {
	if p.change.edit.Verb != plan.InsertStep {
		return false
	}
	step := p.offer.Plan.Find(p.changedStep())
	return step != nil && len(step.Actions) > 0 && !slices.ContainsFunc(step.Actions, func(a plan.Action) bool {
		_, decides := a.Work.(plan.Decide)
		return !decides
	})
}

// changedStep returns the new id of the inserted or moved step. If the step is removed, it returns that of
// the step after it, or of the one before it.
func (p PreviewMsg) changedStep() string {
	d, step := p.offer.Match.Of(""), p.change.edit.Step
	switch p.change.edit.Verb {
	case plan.MoveStep:
		return d.ID(step)
	case plan.RemoveStep:
		before, after := neighbours(d.Old, d.Old.Find(step))
		if after == nil {
			after = before
		}
		return d.ID(after.ID)
	}
	for _, c := range d.Changes {
		if c.Old == nil && c.New != nil {
			return c.New.ID
		}
	}
	return ""
}
