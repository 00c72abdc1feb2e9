// Package rule has the dialogs in which a person edits a rule: a route, a condition, a limit, a gate or an
// assertion. They show where the decision would lead before they request the edit.
package rule

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
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
	Amend(ref rewrite.ClauseRef, text string) (*engine.Offer, error)
	Forecast(o *engine.Offer, seq int) (*engine.Forecast, error)
}

// Unavailable returns why the selected step has no rule to edit, "" if it has one.
func Unavailable(run *runview.Run) string {
	switch {
	case !run.Begun:
		return control.NotStarted
	case run.Selected == nil:
		return control.NoStep
	case len(run.Rules()) == 0:
		return "This step has no rule in the document. The format decides what comes next."
	}
	return ""
}

// Open edits the rule of the selected step. If there are several, it asks which one.
func Open(run *runview.Run, look Focus, s Session) []tea.Msg { return open(run, look, nil, s) }

// OpenWith asks whether to edit the step's action or one of its rules.
func OpenWith(run *runview.Run, action Action, s Session) []tea.Msg {
	return open(run, Focus{}, &action, s)
}

// Focus is what the person looks at.
type Focus struct {
	Rules    []runview.Rule    // the rules in focus: the first of them is selected in the list
	Selected bool              // the person selected exactly these rules
	Decision *machine.Decision // the preview is of this decision, if the rule decided it
}

// Action is the action of the selected step that can be edited.
type Action struct {
	Name string
	Edit []tea.Msg // opens its editor
}

func open(run *runview.Run, look Focus, action *Action, s Session) []tea.Msg {
	all := run.Rules()
	if look.Selected && len(look.Rules) == 1 {
		all = look.Rules
	}
	e := editor{s, look.Decision}
	if len(all) == 1 && action == nil {
		return e.write(all[0], all[0].Text)
	}
	name, at := "Edit which rule?", 0
	var list []choose.Option
	if action != nil {
		name = "Edit what?"
		list = append(list, choose.Option{Text: action.Name, Do: func(*runview.Run) []tea.Msg { return action.Edit }})
	}
	for _, r := range all {
		if at == 0 && slices.Contains(look.Rules, r) {
			at = len(list)
		}
		list = append(list, choose.Option{Text: line(r), Do: func(*runview.Run) []tea.Msg { return e.write(r, r.Text) }})
	}
	d := choose.NewOptions(name, "edit", "back", list)
	d.Picker.At = at
	return []tea.Msg{dialog.Open{Dialog: d}}
}

// line returns the line of a rule in the list, such as "line 12, route of 1.1  FAIL: RETRY 1 GOTO 2".
func line(r runview.Rule) string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
	return fmt.Sprintf("%s, %s  %s", r.Place(), r.Clause.Name(r.Row.Label), first)
}

type editor struct {
	session  Session
	decision *machine.Decision // as in Focus
}

// write asks the person for another text of a rule, and then shows what it leads to.
func (e editor) write(r runview.Rule, text string) []tea.Msg {
	var widget form.Widget = &form.OneLine{Text: text}
	if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		widget = form.NewEditor(text)
	}
	name := fmt.Sprintf("Edit the %s, %s", draw.Clean(r.Clause.Name(r.Row.Label)), draw.Clean(r.Place()))
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "preview", widget, func(run *runview.Run, changed string) []tea.Msg {
		if changed == r.Text {
			return []tea.Msg{request.Say{Text: "No change: the text equals the document."}}
		}
		return []tea.Msg{request.Background{Cmd: e.ask(run.Run, r, changed)}}
	})}}
}

// PreviewMsg is the message with the effect of a changed rule. Err is why there is none.
type PreviewMsg struct {
	rule     runview.Rule
	text     string
	editor   editor
	decision int // the event of the decision that is made again; 0: the next one
	offer    *engine.Offer
	forecast *engine.Forecast
	Err      error
}

// ask asks the session where the decision would lead with a text.
func (e editor) ask(run control.Run, r runview.Rule, text string) tea.Cmd {
	args := control.Args{Step: r.Row, Clause: r.Index}
	for _, x := range run.Events {
		if x.Body == machine.Body(e.decision) && run.Decides(args, x) {
			args.Event = x.Seq
		}
	}
	ref, seq := run.Rule(args), run.DecisionOf(args)
	return func() tea.Msg {
		p := PreviewMsg{rule: r, text: text, editor: e, decision: seq}
		p.offer, p.Err = e.session.Amend(ref, text)
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
		return append(p.editor.write(p.rule, p.text), request.Say{Text: p.Err.Error()})
	case p.offer.Err() != nil:
		return append(p.editor.write(p.rule, p.text), dialog.Open{Dialog: &reload.Broken{
			Name: "The document would have errors", Diagnostics: p.offer.Problems(),
		}})
	}
	return []tea.Msg{dialog.Open{Dialog: p.dialog()}}
}
