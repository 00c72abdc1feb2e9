package question

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/runview"
)

// forecastMsg is the message with the last event of the preview of each answer of a dialog, and of skip.
type forecastMsg struct {
	recipient         *Dialog
	afterSeq          int // the event after which the answers are previewed
	lastEventByAnswer map[string]machine.Event
}

// anyText stands for the text that a person writes where each text leads to the same step.
const anyText = "any text"

// RequestForecast returns a command that finds out where the answers lead, nil if that depends on what a person
// writes, or if nothing has happened since the last request. suppose previews the run after an event. The resulting
// forecast is sent to all dialogs.
func (d *Dialog) RequestForecast(run *runview.Run, suppose func(seq int) engine.DecisionPreview) tea.Cmd {
	asks := []string{machine.KindDecide, machine.KindAsk, machine.KindAcceptOutcome, machine.KindResume}
	_, picks := d.widget.(*form.Picker)
	isOfText := d.isTextIrrelevant(run)
	isKnown := isOfText || d.replyChooser != nil || slices.Contains(asks, d.question.Kind) && (d.widget == nil || picks)
	if !isKnown || len(run.Events) == 0 {
		return nil
	}
	now := run.Events[len(run.Events)-1].Seq
	if now == d.forecastSeq {
		return nil
	}
	d.forecastSeq = now
	passKeepsReply := d.isAboutModelCall && !d.isModelUnavailable() // what has arrived of it is judged
	return func() tea.Msg {
		preview, lastEvents := suppose(now), map[string]machine.Event{}
		find := func(answer string, change machine.WhatIfChange) {
			if events, err := preview(change); err == nil {
				lastEvents[answer] = events[len(events)-1]
			}
		}
		for _, answer := range d.question.Options {
			if answer == "pass" && passKeepsReply {
				continue
			}
			find(answer, machine.WhatIfChange{Answer: answer})
		}
		for _, c := range d.question.Choices {
			find(c.Name, machine.WhatIfChange{Reply: &c.Reply})
		}
		if text := anyText; isOfText && d.AsksForReply() {
			find(anyText, machine.WhatIfChange{Reply: &text})
		} else if isOfText {
			find(anyText, machine.WhatIfChange{Answer: text})
		}
		if d.offersSkip() {
			find(skipAction, machine.WhatIfChange{Result: plan.Skipped})
		}
		return forecastMsg{d, now, lastEvents}
	}
}

// isTextIrrelevant reports whether a person writes a text that cannot change where the step leads: every text
// passes, and no route of the step or of what is around it compares a value.
func (d *Dialog) isTextIrrelevant(run *runview.Run) bool {
	r := run.Track.RowByLabel(d.question.Action.StepLabel)
	if d.widget == nil || !d.widget.TakesText() || len(d.question.Fields) > 0 || d.question.Tool != "" || r == nil || r.Step == nil {
		return false
	}
	judged := slices.ContainsFunc(r.Step.Actions[d.question.Action.ActionIndex:], func(a plan.Action) bool {
		_, passes := a.Judge.(plan.PassingJudge)
		return a.Judge != nil && !passes
	})
	return !judged && !comparesValue(r)
}

// comparesValue reports whether a route of the row's step, or of a step around it, compares a value. A step
// that ends leads to the routes of its groups.
func comparesValue(r *track.Row) bool {
	for ; r != nil; r = r.Parent {
		if r.Step != nil && slices.ContainsFunc(r.Step.Routes, func(route plan.Route) bool { return route.When.Test != nil }) {
			return true
		}
	}
	return false
}

// storeForecast stores where the answers lead, as text.
func (d *Dialog) storeForecast(run *runview.Run, f forecastMsg) {
	if f.afterSeq != d.forecastSeq {
		return // a newer one was requested
	}
	d.destinationByAnswer = answerDestinations{}
	for answer, last := range f.lastEventByAnswer {
		text, brief := decision.Destination(run.Track, last)
		body, decides := last.Body.(*machine.Decision)
		if reason := d.reasonText(); decides && reason != "" && strings.Contains(body.Destination.Message, reason) { // the question shows the reason
			text = brief
		}
		d.destinationByAnswer[answer] = answerDestination{text, brief}
	}
	if picker, picks := d.widget.(*form.Picker); picks {
		picker.TrailingTexts = d.destinationByAnswer.trailingTexts(picker.Options)
	}
	if c := d.replyChooser; c != nil {
		if texts := d.destinationByAnswer.trailingTexts(c.Choices()); texts != nil {
			c.ShowDestinations(texts)
		}
	}
}

// answerDestinations is where the answers of a question lead, by answer; nil: unknown.
type answerDestinations map[string]answerDestination

// answerDestination is where an answer leads. text names the step with its title, or the end with its message; shortText
// has neither title nor message.
type answerDestination struct{ text, shortText string }

// trailingTexts returns where each option of a list leads, after a gap, nil if all lead to the same place.
func (a answerDestinations) trailingTexts(options []string) []string {
	out := make([]string, len(options))
	for i, option := range options {
		if to := a[option].text; to != "" {
			out[i] = "  → " + to
		}
	}
	if len(slices.Compact(slices.Clone(out))) == 1 {
		return nil
	}
	return out
}

// hint returns where an answer leads, for a hint, "" if that is unknown.
func (a answerDestinations) hint(dc *draw.Context, answer string) string {
	if to := a[answer].text; to != "" {
		return " → " + dc.Cut(to, decision.MaxDestinationWidth)
	}
	return ""
}
