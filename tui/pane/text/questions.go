package text

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// questionLines returns questions with their answers. If waits is set, it highlights the question without
// an answer.
func questionLines(dc *draw.Context, all []track.Question, waits bool, w int) []string {
	var out []string
	for _, a := range all {
		style := dc.Muted
		if waits && a.Answer == nil {
			style = dc.Wait
		}
		out = append(out, wrapAfterMark(dc, style.Paint("? "), questionText(a), w)...)
		out = append(out, answerLines(dc, a, w)...)
	}
	return out
}

// rowQuestionLines returns what a row asks a person: with all, every question of its attempt, else only the
// values that it asks for, and nothing if a dialog asks for them now.
func rowQuestionLines(dc *draw.Context, all, isAsked bool, r *track.Row, w int) []string {
	switch x := r.NewestStepAttempt(); {
	case all && x != nil && len(x.Questions) > 0:
		return questionLines(dc, x.Questions, r.Status == track.Waiting, w)
	case isAsked:
		return nil
	}
	return questionLines(dc, askedValues(r), r.Status == track.Waiting, w)
}

// askedValues returns the values that a row has asked a person for. If it has not asked yet, it returns
// those that the document writes.
func askedValues(r *track.Row) (out []track.Question) {
	if x := r.NewestStepAttempt(); x != nil {
		for _, a := range x.Questions {
			if a.Kind == machine.KindAsk {
				out = append(out, a)
			}
		}
	}
	if out != nil {
		return out
	}
	for _, a := range r.Step.Actions {
		ask, is := a.Work.(plan.Ask)
		if !is || ask.OnlyMissingFields {
			continue
		}
		for _, f := range ask.Fields {
			q := machine.InputNeeded{Kind: machine.KindAsk, Prompt: plan.SourceText(f.Prompt), Options: f.Options}
			out = append(out, track.Question{InputNeeded: &q})
		}
	}
	return out
}

// questionText returns the prompt of an ask, else the options. The prompt of a decision is the step's text,
// which shows anyway.
func questionText(a track.Question) string {
	if a.Kind == machine.KindAsk && a.Prompt != "" {
		return sanitize.PlainLines(a.Prompt)
	}
	return draw.CleanLine(strings.Join(a.Options, " · "))
}

// answerLines returns the options of an ask, and the answer that was given.
func answerLines(dc *draw.Context, a track.Question, w int) []string {
	var out []string
	isUnlisted := a.Answer != nil
	if a.Kind == machine.KindAsk {
		for _, o := range a.Options {
			chosen := a.Answer != nil && a.Answer.Value == o
			isUnlisted = isUnlisted && !chosen
			out = append(out, answerLine(dc, a, o, chosen, w)...)
		}
	}
	if isUnlisted {
		out = append(out, answerLine(dc, a, a.Answer.Value, true, w)...)
	}
	return out
}

func answerLine(dc *draw.Context, a track.Question, value string, chosen bool, w int) []string {
	value = sanitize.PlainLines(plan.VisibleLines(value))
	if !chosen {
		return wrapAfterMark(dc, "    ", dc.Muted.Paint(value), w)
	}
	lines := wrapAfterMark(dc, "  "+dc.Person.Paint("› "), dc.Person.Paint(value), w)
	lines[0] = dc.LeftRight(lines[0], dc.Muted.Paint(wording.PreparedByText(a.AnsweredBy)), w)
	return lines
}

// wrapAfterMark wraps a text after a mark, and indents the further lines. For an empty text it returns one
// line.
func wrapAfterMark(dc *draw.Context, mark, text string, w int) []string {
	lines := dc.Wrap(text, w-dc.Width(mark))
	if len(lines) == 0 {
		lines = []string{""}
	}
	return dc.MarkedLines(mark, lines)
}

// ShowsAnswer reports whether the pane shows a text as a person's answer to a question of a step.
func (p *Pane) ShowsAnswer(label, text string) bool {
	if p.introPlan != nil || p.row == nil || p.row.Label != label || p.row.NewestStepAttempt() == nil {
		return false
	}
	return slices.ContainsFunc(p.row.NewestStepAttempt().Questions, func(q track.Question) bool {
		return q.Kind == machine.KindAsk && q.Answer != nil && q.Answer.Value == text
	})
}
