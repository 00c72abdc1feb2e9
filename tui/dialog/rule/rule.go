// Package rule has the dialogs in which a person changes what decides: a route, a condition, a limit,
// a gate or an assertion. Before anything happens, they show where the decision would lead.
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
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/reload"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Session is what the dialogs need of a run's session.
type Session interface {
	Amend(ref rewrite.ClauseRef, text string) (*engine.Offer, error)
	Forecast(o *engine.Offer, seq int) (*engine.Forecast, error)
}

// Unavailable returns why the selected step has no rule to change, empty if it has one.
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

// Open asks which rule to change, where the selected step has several.
func Open(run *runview.Run, look Focus, s Session) []tea.Msg { return open(run, look, nil, s) }

// OpenWith asks whether to change what the step does or one of its rules.
func OpenWith(run *runview.Run, action Action, s Session) []tea.Msg {
	return open(run, Focus{}, &action, s)
}

// Focus is what the person looks at.
type Focus struct {
	Rules    []runview.Rule    // marked in the list
	Selected bool              // a person selected just these rules
	Decision *machine.Decision // an edit is about this decision, if the rule decided it
}

// Action is what the selected step does.
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
	d := &Dialog{rules: all, action: action, editor: e, picker: &form.Picker{}}
	for i, r := range slices.Backward(all) {
		if slices.Contains(look.Rules, r) {
			d.picker.At = i
		}
	}
	for _, r := range all {
		d.picker.Options = append(d.picker.Options, line(r))
	}
	if action != nil {
		d.picker.Options = slices.Insert(d.picker.Options, 0, action.Name)
	}
	return []tea.Msg{dialog.Open{Dialog: d}}
}

// line is a rule in a list: line 12, route of 1.1  FAIL: RETRY 1 GOTO 2.
func line(r runview.Rule) string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
	return fmt.Sprintf("%s, %s  %s", r.Place(), r.Clause.Name(r.Row.Label), first)
}

// editor edits a rule.
type editor struct {
	session  Session
	decision *machine.Decision // as in Focus
}

// write has the person write another text for a rule, and then shows what it leads to.
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

// Dialog lists the rules of a step, one of which is to be changed.
type Dialog struct {
	rules  []runview.Rule
	action *Action // stands above the rules; nil: it is not offered
	picker *form.Picker
	editor editor
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) panes.Title {
	if d.action != nil {
		return panes.Title{Left: "Edit what?"}
	}
	return panes.Title{Left: "Edit which rule?"}
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.picker.Lines(run.Look, w, h) }

// Overflow is how many choices are out of sight.
func (d *Dialog) Overflow() panes.Overflow { return d.picker.Overflow() }

// Height is that of the list.
func (d *Dialog) Height(run *runview.Run, w int) int { return d.picker.Height(run.Look, w) }

// IsTall is false: what the rules decided stays in sight.
func (d *Dialog) IsTall(*runview.Run) bool { return false }

// Update moves the mark, and chooses.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	}
	chosen, used := d.picker.Key(run.Look, k)
	if !chosen {
		return nil, used
	}
	at := d.picker.At
	if d.action != nil {
		at--
	}
	if at < 0 {
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.action.Edit...)...)
	}
	r := d.rules[at]
	return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.editor.write(r, r.Text)...)...)
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.picker.Keys(run.Look, "edit"), run.Look.Press("close", "back"))
}

// Previewed is what a changed rule leads to. Err is why it cannot be had.
type Previewed struct {
	rule     runview.Rule
	text     string
	editor   editor
	decision int // the event of the decision that is made again; 0: the next one
	offer    *engine.Offer
	forecast *engine.Forecast
	Err      error
}

// ask asks the session what a text would lead to.
func (e editor) ask(run control.Run, r runview.Rule, text string) tea.Cmd {
	args := control.Args{Step: r.Row, Clause: r.Index}
	for _, x := range run.Events {
		if x.Body == machine.Body(e.decision) && run.Decides(args, x) {
			args.Event = x.Seq
		}
	}
	ref, seq := run.Rule(args), run.DecisionOf(args)
	return func() tea.Msg {
		p := Previewed{rule: r, text: text, editor: e, decision: seq}
		p.offer, p.Err = e.session.Amend(ref, text)
		if p.Err == nil && p.offer.Err() == nil {
			p.forecast, p.Err = e.session.Forecast(p.offer, seq)
		}
		return p
	}
}

// Requests shows the preview. Where the format refuses the text, its editor opens again, below what is
// wrong.
func (p Previewed) Requests() []tea.Msg {
	switch {
	case p.Err != nil:
		return append(p.editor.write(p.rule, p.text), request.Say{Text: p.Err.Error()})
	case p.offer.Err() != nil:
		return append(p.editor.write(p.rule, p.text), dialog.Open{Dialog: &reload.Broken{
			Name: "The document would have errors", Diagnostics: p.offer.Problems(),
		}})
	}
	return []tea.Msg{dialog.Open{Dialog: p.shown()}}
}
