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
	"playhead/engine/track"
	"playhead/parse/plan"
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

// rule is a clause of a step, with its text.
type rule struct {
	row    *track.Row
	index  int
	clause plan.Clause
	text   string
}

// Unavailable returns why the selected step has no rule to change, empty if it has one.
func Unavailable(run *runview.Run) string {
	switch {
	case !run.Begun:
		return "The run has not started."
	case run.Selected == nil:
		return "No step is selected."
	case len(rulesOf(run)) == 0:
		return "This step has no rule in the document. The format decides what comes next."
	}
	return ""
}

// rulesOf returns the rules of the selected step, and those of its branches or of the branch that it
// is.
func rulesOf(run *runview.Run) []rule {
	rows := []*track.Row{run.Selected}
	if r := run.Selected; r.Step != nil && r.Step.IsArm() {
		rows = arms(r.Parent)
	} else {
		rows = append(rows, arms(r)...)
	}
	if from := run.Selected.From; from != nil && run.Selected.EnteredBy != nil {
		rows = append(rows, from)
	}
	var out []rule
	for _, r := range rows {
		if r.Step == nil {
			continue
		}
		for i, c := range r.Step.Deciding() {
			_, text, err := run.Rule(control.Args{Step: r, Clause: i}).Text(run.Plan)
			same := func(other rule) bool { return other.clause.Text == c.Text }
			if err == nil && !slices.ContainsFunc(out, same) {
				out = append(out, rule{r, i, c, text})
			}
		}
	}
	return out
}

func arms(r *track.Row) (out []*track.Row) {
	for _, child := range r.Children {
		if child.Step != nil && child.Step.IsArm() {
			out = append(out, child)
		}
	}
	return out
}

// Open asks which rule to change, where the selected step has several. about is the decision in sight,
// whose taken candidate is marked; nil: none is.
func Open(run *runview.Run, about *machine.Decision, s Session) []tea.Msg {
	all := rulesOf(run)
	if len(all) == 1 {
		return write(all[0], all[0].text, s)
	}
	d := &Dialog{rules: all, session: s, picker: &form.Picker{}}
	for i, r := range all {
		if about != nil && about.CandidateIndex != nil && about.Candidates[*about.CandidateIndex].Line == r.clause.Text.Span.Line && d.picker.At == 0 {
			d.picker.At = i
		}
		d.picker.Options = append(d.picker.Options, r.line())
	}
	return []tea.Msg{dialog.Open{Dialog: d}}
}

// line is the rule in a list: 1.1 line 12  route  FAIL: RETRY 1 GOTO 2.
func (r rule) line() string {
	first, _, _ := strings.Cut(strings.TrimSpace(r.text), "\n")
	return fmt.Sprintf("%s line %d  %s  %s", r.row.Label, r.clause.Text.Span.Line, r.clause.Kind, first)
}

// write has the person write another text for a rule, and then shows what it leads to.
func write(r rule, text string, s Session) []tea.Msg {
	var widget form.Widget = &form.OneLine{Text: text}
	if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		widget = form.NewEditor(text)
	}
	name := fmt.Sprintf("Edit the %s of %s, line %d", r.clause.Kind, draw.Clean(r.row.Label), r.clause.Text.Span.Line)
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", widget, func(run *runview.Run, changed string) []tea.Msg {
		if changed == r.text {
			return []tea.Msg{request.Say{Text: "No change: the text equals the document."}}
		}
		return []tea.Msg{request.Background{Cmd: ask(run.Run, r, changed, s)}}
	})}}
}

// Dialog lists the rules of a step, one of which is to be changed.
type Dialog struct {
	rules   []rule
	picker  *form.Picker
	session Session
}

// Title asks.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: "Edit which rule?"} }

// View is the list.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.picker.Lines(run.Look, w, h) }

// Height is that of the list.
func (d *Dialog) Height(run *runview.Run, w int) int { return d.picker.Height(run.Look, w) }

// Tall is false: what the rules decided stays in sight.
func (d *Dialog) Tall(*runview.Run) bool { return false }

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
	r := d.rules[d.picker.At]
	return dialog.Send(append([]tea.Msg{dialog.Close{}}, write(r, r.text, d.session)...)...)
}

// Hints are its keys.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.picker.Keys(run.Look, "edit"), run.Look.Press("close", "back"))
}

// Previewed is what a changed rule leads to. Err is why it cannot be had.
type Previewed struct {
	rule     rule
	text     string
	session  Session
	decision int // the event of the decision that is made anew; 0: the step has made none
	offer    *engine.Offer
	forecast *engine.Forecast // nil: there is nothing to make anew
	Err      error
}

// ask asks the session what a text would lead to.
func ask(run control.Run, r rule, text string, s Session) tea.Cmd {
	args := control.Args{Step: r.row, Clause: r.index}
	ref, seq := run.Rule(args), run.DecisionOf(args)
	return func() tea.Msg {
		p := Previewed{rule: r, text: text, session: s, decision: seq}
		p.offer, p.Err = s.Amend(ref, text)
		if p.Err == nil && p.offer.Err() == nil && seq > 0 {
			p.forecast, p.Err = s.Forecast(p.offer, seq)
		}
		return p
	}
}

// Requests shows the preview. Where the format refuses the text, its editor opens again, below what is
// wrong.
func (p Previewed) Requests() []tea.Msg {
	switch {
	case p.Err != nil:
		return append(write(p.rule, p.text, p.session), request.Say{Text: p.Err.Error()})
	case p.offer.Err() != nil:
		return append(write(p.rule, p.text, p.session), dialog.Open{Dialog: &reload.Broken{
			Name: "The document would have errors", Diagnostics: p.offer.Problems(),
		}})
	}
	return []tea.Msg{dialog.Open{Dialog: p.shown()}}
}
