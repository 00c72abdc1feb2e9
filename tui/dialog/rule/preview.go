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
	"playhead/tui/dialog/preview"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// dialog returns the preview: where the decision would lead with the changed rule, and which earlier
// decisions would have led elsewhere. Answering no opens the editor again.
func (p PreviewMsg) dialog() *preview.Dialog {
	r := p.rule
	return &preview.Dialog{
		Name:  fmt.Sprintf("Use this %s, line %d?", r.Clause.Name(r.Row.Label), r.Clause.Text.Span.Line),
		About: p.offer.Match.Summary(),
		Body:  p.body,
		Yes: []tea.Msg{
			request.Do{Action: "edit-rule", Args: p.args()},
			request.SayNext{Text: "The rule is changed in this run. {write-back} to write it into the document."},
		},
		No: p.editor.write(r, p.text), Back: "keep editing",
	}
}

func (p PreviewMsg) body(run *runview.Run, w int) []string {
	l := run.Look
	out := changed(l, linediff.Removed, p.rule.Text, w)
	out = append(out, changed(l, linediff.Added, p.text, w)...)
	out = append(out, p.leads(run, w)...)
	for _, e := range p.forecast.ChangedDecisions {
		to := "to another step first"
		if e.To != "" {
			to = "to " + draw.Clean(e.To)
		}
		text := fmt.Sprintf("Before, %s would have led %s, not to %s (event %d).", draw.Clean(e.Step), to, draw.Clean(e.From), e.Event)
		for _, line := range l.Wrap(text, w) {
			out = append(out, l.Warn.Paint(line))
		}
	}
	e := control.Find("edit-rule").Effect(run.Run, p.args())
	out = append(out, l.Wrap(run.Sentence(e.Text), w)...)
	if len(e.StaysDone) > 0 {
		out = append(out, "These effects are not undone:")
	}
	for _, done := range e.StaysDone {
		out = append(out, l.Cut("  "+draw.Clean(done), w))
	}
	return out
}

// changed returns a text as lines of a diff.
func changed(l *draw.Look, op linediff.Op, text string, w int) (out []string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		for _, part := range l.Rows(string(op)+" "+draw.Clean(strings.TrimSuffix(line, "\n")), w) {
			out = append(out, l.Change(op).Paint(part))
		}
	}
	return out
}

// leads returns where the decision would lead.
func (p PreviewMsg) leads(run *runview.Run, w int) []string {
	if why := run.NoDecision(p.args(), p.forecast); why != "" {
		return run.Look.Wrap(run.Sentence(why), w)
	}
	decided := p.forecast.Decision.Body.(*machine.Decision)
	if to := wording.Destination(decided); to != "" && decided.CandidateIndex == nil {
		return run.Look.Wrap("No rule would match → "+to, w)
	}
	return decision.Candidates(run.Look, nil, decided, w).Lines
}

func (p PreviewMsg) args() control.Args {
	return control.Args{Step: p.rule.Row, Clause: p.rule.Index, Text: p.text, Event: p.decision, Allow: true}
}
