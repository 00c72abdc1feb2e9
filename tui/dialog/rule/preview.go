package rule

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Preview shows where the decision would lead with the changed rule, and which earlier decisions of
// the run would have gone elsewhere.
type Preview struct {
	of Previewed
	list.Scroller
}

// Title says what is changed.
func (d *Preview) Title(run *runview.Run) panes.Title {
	r := d.of.rule
	return panes.Title{
		Left:  fmt.Sprintf("Use this %s of %s, line %d?", r.clause.Kind, draw.Clean(r.row.Label), r.clause.Text.Span.Line),
		Right: run.Look.Muted.Paint(draw.Clean(d.of.offer.Match.Summary())),
	}
}

// View ends with the possible answers, however much there is to read.
func (d *Preview) View(run *runview.Run, w, h int) []string {
	l := run.Look
	answers := l.Key.Paint(l.Keys.Name("yes")) + " yes  " + l.Key.Paint(l.Keys.Name("no")) + " no"
	return append(d.Window(l, d.body(run, w), h-1), answers)
}

func (d *Preview) body(run *runview.Run, w int) []string {
	l := run.Look
	out := changed(l, linediff.Removed, d.of.rule.text, w)
	out = append(out, changed(l, linediff.Added, d.of.text, w)...)
	if d.of.forecast == nil {
		return append(out, l.Wrap("The step has decided nothing yet. The run continues with the changed document.", w)...)
	}
	out = append(out, d.leads(run, w)...)
	for _, e := range d.of.forecast.Elsewhere {
		to := "to another step first"
		if e.To != "" {
			to = "to " + draw.Clean(e.To)
		}
		text := fmt.Sprintf("Before, %s would have led %s, not to %s (event %d).", draw.Clean(e.Step), to, draw.Clean(e.From), e.Event)
		for _, line := range l.Wrap(text, w) {
			out = append(out, l.Warn.Paint(line))
		}
	}
	e := control.Find("edit-rule").Effect(run.Run, d.args())
	out = append(out, l.Wrap(run.Sentence(e.Text), w)...)
	if len(e.StaysDone) > 0 {
		out = append(out, "These effects are not undone:")
	}
	for _, done := range e.StaysDone {
		out = append(out, l.Cut("  "+draw.Clean(done), w))
	}
	return out
}

// changed is a text as lines of a difference.
func changed(l *draw.Look, op linediff.Op, text string, w int) (out []string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		for _, part := range l.Hard(string(op)+" "+draw.Clean(strings.TrimSuffix(line, "\n")), w) {
			out = append(out, l.Change(op).Paint(part))
		}
	}
	return out
}

// leads says how the decision would go.
func (d *Preview) leads(run *runview.Run, w int) []string {
	next := d.of.forecast.Decision
	decided, is := next.Body.(*machine.Decision)
	if !is {
		return run.Look.Wrap("Something else happens before the step decides.", w)
	}
	if to := wording.Destination(decided); to != "" && decided.CandidateIndex == nil {
		return run.Look.Wrap("No rule would match → "+to, w)
	}
	return decision.Candidates(run.Look, decided, w).Lines
}

func (d *Preview) args() control.Args {
	return control.Args{Step: d.of.rule.row, Clause: d.of.rule.index, Text: d.of.text, Event: d.of.decision, Allow: true}
}

// Height is that of the text and the answers.
func (d *Preview) Height(run *runview.Run, w int) int { return len(d.body(run, w)) + 1 }

// Tall is true.
func (d *Preview) Tall(*runview.Run) bool { return true }

// HasOwnKeys is true: the key that quits says no.
func (d *Preview) HasOwnKeys() bool { return true }

// Update answers, and scrolls. No opens the editor again.
func (d *Preview) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "yes", "accept"):
		return dialog.Send(dialog.Close{}, request.Do{Action: "edit-rule", Args: d.args()},
			request.SayNext{Text: "The rule is changed in this run. {write-back} to write it into the document."})
	case keys.Is(k, "no", "close", "quit"):
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, write(d.of.rule, d.of.text, d.of.session)...)...)
	case d.Scrolled(keys, k):
		return dialog.Send()
	}
	return dialog.Send(request.Say{Text: "{yes} to use it, or {no} to go on writing."})
}

// Hints are the answers.
func (d *Preview) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	return []draw.Hint{l.Press("yes", "use it"), l.Press("no", "go on writing"), l.UpDown("scroll")}
}
