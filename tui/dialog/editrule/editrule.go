// Package editrule has the dialogs in which a person edits a rule: a route, a condition, a limit, a gate or an
// assertion. They show where the decision would lead before they request the edit.
package editrule

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/reload"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Session is the part of a run's session that the dialogs use.
type Session interface {
	EditRule(ref rewrite.RuleRef, text string) (*engine.ReloadOffer, error)
	Forecast(o *engine.ReloadOffer, seq int) (*engine.ReloadForecast, error)
}

// UnavailableReason returns why the selected step has no rule to edit, "" if it has one.
func UnavailableReason(run *runview.Run) string {
	switch {
	case !run.IsBegun:
		return control.NotStartedReason
	case run.SelectedRow == nil:
		return control.NoStepReason
	case len(run.EditableRules()) == 0:
		return "The document has no rule for this step, so there is nothing to change."
	}
	return ""
}

// Open edits the rule of the selected step. If there are several, it asks which one.
func Open(run *runview.Run, focus RuleContext, s Session) []tea.Msg {
	return chooseAndEdit(run, focus, nil, s)
}

// EditActionOrRule asks whether to edit the step's action or one of its rules.
func EditActionOrRule(run *runview.Run, action EditableAction, s Session) []tea.Msg {
	return chooseAndEdit(run, RuleContext{}, &action, s)
}

// RuleContext is what the person looks at.
type RuleContext struct {
	FocusedRules      []runview.EditableRule // the rules in focus: the first of them is selected in the list
	AreRulesSelected  bool                   // the person selected exactly these rules
	PreviewedDecision *machine.Decision      // the preview is of this decision, if the rule decided it
}

// EditableAction is the action of the selected step that can be edited.
type EditableAction struct {
	Name         string
	EditRequests []tea.Msg // opens its editor
}

// chooseAndEdit edits the only rule, or asks which rule to edit, or whether the action instead. action is nil if only rules
// can be edited.
func chooseAndEdit(run *runview.Run, focus RuleContext, action *EditableAction, s Session) []tea.Msg {
	all := run.EditableRules()
	if focus.AreRulesSelected && len(focus.FocusedRules) == 1 {
		all = focus.FocusedRules
	}
	e := ruleEditor{s, focus.PreviewedDecision}
	if len(all) == 1 && action == nil {
		return e.askText(all[0], all[0].Text)
	}
	name, at := "Edit which rule?", 0
	var list []choose.Option
	if action != nil {
		name = "Edit what?"
		list = append(list, choose.Option{Text: action.Name, Do: func(*runview.Run) []tea.Msg { return action.EditRequests }})
	}
	for _, r := range all {
		if at == 0 && slices.Contains(focus.FocusedRules, r) {
			at = len(list)
		}
		list = append(list, choose.Option{Text: ruleLine(r), Do: func(*runview.Run) []tea.Msg { return e.askText(r, r.Text) }})
	}
	d := choose.NewOptionsDialog(name, "edit", "back", list)
	d.Picker.SelectedIndex = at
	return []tea.Msg{dialog.Open{Dialog: d}}
}

// ruleLine describes a rule in the list: its place, what it is, and its text.
func ruleLine(r runview.EditableRule) string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
	return fmt.Sprintf("%s, %s  %s", r.PlaceText(), r.Name(r.Row.StepLabel()), first)
}

// ruleEditor asks for another text of a rule, and requests its preview.
type ruleEditor struct {
	session           Session
	previewedDecision *machine.Decision // as in Focus
}

// askText asks the person for another text of a rule, and then shows what it leads to.
func (e ruleEditor) askText(r runview.EditableRule, text string) []tea.Msg {
	var widget form.Widget = &form.TextField{Text: text}
	if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		widget = form.NewEditor(text)
	}
	name := fmt.Sprintf("Edit the %s (%s)", draw.CleanLine(r.Name("step "+r.Row.StepLabel())), draw.CleanLine(r.PlaceText()))
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "preview", widget, func(run *runview.Run, changed string) []tea.Msg {
		if changed == r.Text {
			return []tea.Msg{request.SayUntilKey{Text: edit.UnchangedTextMessage}}
		}
		return []tea.Msg{request.Background{Cmd: e.requestPreview(run.RunView, r, changed)}}
	})}}
}

// PreviewMsg is the message with the effect of a changed rule. Err is why there is none.
type PreviewMsg struct {
	rule        runview.EditableRule
	newText     string
	editor      ruleEditor
	decisionSeq int // the event of the decision that is made again; 0: the next one
	offer       *engine.ReloadOffer
	forecast    *engine.ReloadForecast
	Err         error
}

// requestPreview asks the session where the decision would lead with a text.
func (e ruleEditor) requestPreview(run control.RunView, r runview.EditableRule, text string) tea.Cmd {
	args := control.Args{Row: r.Row, RuleIndex: r.RuleIndex}
	for _, x := range run.Events {
		if x.Body == machine.Body(e.previewedDecision) && run.IsDecisionByRule(args, x) {
			args.EventSeq = x.Seq
		}
	}
	ref, seq := run.RuleRef(args), run.DecisionSeq(args)
	return func() tea.Msg {
		p := PreviewMsg{rule: r, newText: text, editor: e, decisionSeq: seq}
		p.offer, p.Err = e.session.EditRule(ref, text)
		if p.Err == nil && p.offer.Err() == nil {
			p.forecast, p.Err = e.session.Forecast(p.offer, seq)
		}
		return p
	}
}

// Requests shows the preview. If the format does not allow the text, it opens the editor again, with the
// problem.
func (p PreviewMsg) Requests() []tea.Msg {
	switch {
	case p.Err != nil:
		return append(p.editor.askText(p.rule, p.newText), request.Say{Text: wording.ErrorSentence(p.Err)})
	case p.offer.Err() != nil:
		return append(p.editor.askText(p.rule, p.newText), dialog.Open{Dialog: reload.NewErrorsAfterEdit(p.offer)})
	}
	return []tea.Msg{dialog.Open{Dialog: p.newPreviewDialog()}}
}
