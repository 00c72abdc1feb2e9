package editrule

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

// newPreviewDialog returns the preview: where the decision would lead with the changed rule, and which earlier
// decisions would have led elsewhere. Answering no opens the editor again.
func (p PreviewMsg) newPreviewDialog() *preview.Dialog {
	r := p.rule
	return &preview.Dialog{
		Name:        fmt.Sprintf("Use this %s (%s)?", r.Name("step "+r.Row.StepLabel()), r.PlaceText()),
		Summary:     func(dc *draw.Context) string { return dc.Muted.Paint(draw.CleanLine(p.offer.Match.Summary())) },
		ChangeLines: p.previewLines,
		YesRequests: []tea.Msg{
			request.Do{Action: "edit-rule", Args: p.actionArgs(), SaysUntilKey: true},
		},
		YesVerb: "use it", EnterAnswersYes: true, NoRequests: p.editor.askText(r, p.newText), NoVerb: "keep editing",
	}
}

func (p PreviewMsg) previewLines(run *runview.Run, w int) []string {
	dc := run.DrawContext
	out := diffLines(dc, linediff.Removed, p.rule.Text, w)
	out = append(out, diffLines(dc, linediff.Added, p.newText, w)...)
	out = append(out, p.forecastLines(run, w)...)
	for _, e := range p.forecast.ReroutedDecisions {
		out = append(out, dc.WarningLines(draw.CleanLine(run.ReroutedDecisionText(e)), w)...)
	}
	e := control.FindAction("edit-rule").Effect(run.RunView, p.actionArgs())
	out = append(out, dc.Wrap(run.FillInKeys(e.Text), w)...)
	return append(out, dc.EffectLines(e.EffectsNotUndone, w)...)
}

// diffLines returns a text as lines of a diff.
func diffLines(dc *draw.Context, op linediff.LineOp, text string, w int) (out []string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		out = append(out, dc.DiffLine(op, " ", draw.CleanLine(strings.TrimSuffix(line, "\n")), w)...)
	}
	return out
}

// forecastLines returns where the decision would lead.
func (p PreviewMsg) forecastLines(run *runview.Run, w int) []string {
	if why := run.NoDecisionReason(p.actionArgs(), p.forecast); why != "" {
		return run.DrawContext.Wrap(run.FillInKeys(why), w)
	}
	decided := wording.WithArmNames(run.Track.RowOfEvent(p.forecast.DecisionEvent), p.forecast.DecisionEvent.Body.(*machine.Decision))
	if to := wording.DestinationText(decided); to != "" && decided.TakenCandidate() == nil {
		return run.DrawContext.Wrap("No rule would match → "+to, w)
	}
	return decision.DrawCandidates(run.DrawContext, nil, decided, false, w).Lines
}

func (p PreviewMsg) actionArgs() control.Args {
	return control.Args{Row: p.rule.Row, RuleIndex: p.rule.RuleIndex, Text: p.newText, EventSeq: p.decisionSeq, AllowsCommands: true}
}
