package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// explanation is a decision as data and in words.
type explanation struct {
	Success          bool            `json:"success"`
	RunID            string          `json:"run"`
	Step             string          `json:"step"`
	Line             int             `json:"line,omitempty"`
	Summary          string          `json:"summary"`
	Outcome          string          `json:"outcome,omitempty"`
	Routes           []string        `json:"routes"`
	Decision         json.RawMessage `json:"decision"`
	EffectsNotUndone []string        `json:"stays_done,omitempty"` // what has run since and is not undone
	Note             string          `json:"note,omitempty"`
}

// lastDecision returns the event of the last decision of a step, or of the run if step is empty.
func lastDecision(r *control.RunView, step string) (machine.Event, error) {
	for _, e := range slices.Backward(r.Events) {
		if _, is := e.Body.(*machine.Decision); is && (step == "" || e.Step == step) {
			return e, nil
		}
	}
	at := ""
	if step != "" {
		at = " at step " + step
	}
	return machine.Event{}, newFailure(failureInternal, "no decision has been made yet"+at, "Call next_step to go on with the run.")
}

// openRunView connects to the run that the arguments name, and returns it in its current state. It refuses a
// step that the run does not have.
func (s *Server) openRunView(a stepArguments) (*runLink, *control.RunView, error) {
	l, err := s.openLink(string(a.Run))
	if err != nil {
		return nil, nil, err
	}
	st, err := s.currentState(l)
	if err != nil {
		return nil, nil, err
	}
	r := l.runView(st)
	if a.Step != "" && r.RowByLabel(string(a.Step)) == nil {
		return nil, nil, newFailure(failureNotFound, fmt.Sprintf("there is no step %q", a.Step), "Call run_state: it lists the steps.")
	}
	return l, r, nil
}

func (s *Server) explainDecision(_ context.Context, a stepArguments) (any, error) {
	l, r, err := s.openRunView(a)
	if err != nil {
		return nil, err
	}
	e, err := lastDecision(r, string(a.Step))
	if err != nil {
		return nil, err
	}
	return newExplanation(l, r, e)
}

// newExplanation explains a decision as data and in words.
func newExplanation(l *runLink, r *control.RunView, e machine.Event) (*explanation, error) {
	d := e.Body.(*machine.Decision)
	data, err := wording.WithReasonText(e.WithOutputCut()).MarshalJSON()
	if err != nil {
		return nil, err
	}
	out := &explanation{Success: true, RunID: l.runID(), Step: e.Step, Outcome: wording.OutcomeText(d), Routes: []string{}, Decision: data}
	if row := r.Track.RowOfEvent(e); row != nil {
		out.Summary = wording.StepAndDecisionText(e.Step, d, wording.PersonNoteOrAnswerText(row, d))
		if row.Step != nil {
			out.Line = row.Step.Span.Line
		}
	}
	for i, c := range d.Candidates {
		text := fmt.Sprintf("%s: %s", c.Text, wording.CandidateReasonWithDestination(d, i))
		if c.Line > 0 {
			text = fmt.Sprintf("line %d, %s", c.Line, text)
		}
		out.Routes = append(out.Routes, text)
	}
	return out, nil
}

func (s *Server) whatIf(_ context.Context, a whatIfArguments) (any, error) {
	l, r, err := s.openRunView(a.stepArguments)
	if err != nil {
		return nil, err
	}
	m, ok := whatif.CurrentMoment(r)
	if a.Step != "" {
		m, ok = whatif.MomentOfRow(r, r.RowByLabel(string(a.Step)))
	}
	if !ok {
		if _, err := lastDecision(r, string(a.Step)); err != nil {
			return nil, err
		}
		return nil, newFailure(failureInternal, "what_if has nothing to change here: a person made the last decision, or the newest attempt has led to no decision yet", "Call explain to see the last decision.")
	}
	all := m.PossibleChanges(l.session.DecisionPreviewAt)
	if a.Name == "" {
		return newPossibleChangeList(l, m, all), nil
	}
	i := slices.IndexFunc(all, func(c whatif.PossibleChange) bool { return c.Name() == a.Name })
	if i < 0 {
		return nil, newFailure(failureNotFound, fmt.Sprintf("%q cannot be changed at step %s", a.Name, m.StepLabel), "Call what_if without the argument \"name\": it lists what you can change.")
	}
	possible := all[i]
	option, err := possible.ParseOption(a.Value)
	if err != nil {
		return nil, newFailure(failureValidation, err.Error(), "Call what_if without the argument \"name\": it lists the possible values.")
	}
	change := possible.ChangeTo(option)
	decisions, err := l.session.DecisionPreviewAt(possible.EventSeqBefore)(change)
	if err != nil {
		return nil, newFailure(failureInternal, err.Error(), "Try another value, or another name from the list.")
	}
	out, err := newExplanation(l, r, decisions[0])
	if err != nil {
		return nil, err
	}
	out.EffectsNotUndone = possible.SideEffects
	out.Note = "The run is unchanged. "
	if limit := wording.PreviewLimitText(decisions[len(decisions)-1]); limit != "" {
		out.Note += "With this change, " + limit + ". "
	}
	out.Note += instructionToApply(possible.EventSeqBefore, change)
	return out, nil
}

// instructionToApply returns the sentence that tells an agent how to make the change with act.
func instructionToApply(eventSeqBefore int, change machine.WhatIfChange) string {
	data, err := json.Marshal(map[string]any{"event": eventSeqBefore, "change": change})
	if err != nil {
		return ""
	}
	return `To apply the change, call act with action "instead" and arguments ` + string(data) + "."
}

// newPossibleChangeList returns the possible changes at a decision as data.
func newPossibleChangeList(l *runLink, m whatif.DecisionMoment, all []whatif.PossibleChange) any {
	type possibleChange struct {
		Name   string   `json:"name"`
		Was    string   `json:"was"`
		Values []string `json:"values"`
		Any    bool     `json:"any_other_value"`
	}
	out := struct {
		Success         bool             `json:"success"`
		Run             string           `json:"run"`
		Step            string           `json:"step"`
		PossibleChanges []possibleChange `json:"differences"`
	}{true, l.runID(), m.StepLabel, []possibleChange{}}
	for _, d := range all {
		one := possibleChange{Name: d.Name(), Was: d.ActualText, Values: []string{}, Any: d.AllowsAnyValue}
		if d.Kind == whatif.VariableChange {
			one.Was = plan.ValueText(d.Variable.Value)
		}
		for _, o := range d.Options {
			value := o.Value
			if d.Kind == whatif.ReplyChange {
				value = o.Name
			}
			one.Values = append(one.Values, value+o.LimitsSuffix())
		}
		out.PossibleChanges = append(out.PossibleChanges, one)
	}
	return out
}
