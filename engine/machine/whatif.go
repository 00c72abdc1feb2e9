package machine

import (
	"errors"
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// WhatIfChange is one thing that could be different before a decision: a variable's value, the outcome of
// the step, the answer to the open question, a model's reply, or that all limits were used up.
type WhatIfChange struct {
	Variable   string      `json:"variable,omitempty"`
	Value      string      `json:"value,omitempty"`
	Result     plan.Result `json:"result,omitempty"`
	Answer     string      `json:"answer,omitempty"` // one of the options
	Reply      *string     `json:"reply,omitempty"`
	LimitsUsed bool        `json:"limits_used,omitempty"`

	// IsOfNextStep says that the outcome is not that of the step before a pause, but of the next one, which is entered.
	IsOfNextStep bool `json:"-"`
}

// ChangeEvents returns the events that a change stands for, as a person's. They are undone together.
func (m *Machine) ChangeEvents(c WhatIfChange) ([]Event, error) {
	var out []Event
	if c.LimitsUsed {
		f := m.topFrame()
		if f.currentNode == nil {
			return nil, errors.New("the run is not at a step, so it has no limits that could be used up")
		}
		e := f.newEvent(&LimitsUsed{JoinsNextEvent: c != WhatIfChange{LimitsUsed: true}, Budgets: budgetKinds(f.currentNode.step)})
		e.By = ByPerson
		out = append(out, e)
		c.LimitsUsed = false
	}
	if c == (WhatIfChange{}) && len(out) > 0 {
		return out, nil
	}
	e, err := m.changeEvent(c)
	return append(out, e), err
}

// budgetKinds returns the kinds of the budgets of a step, in their order.
func budgetKinds(s *plan.Step) (out []string) {
	for _, r := range s.Routes {
		for m := &r.Do; m != nil; m = m.AfterLimit {
			if m.Limit != nil && !slices.Contains(out, budgetKind(m)) {
				out = append(out, budgetKind(m))
			}
		}
	}
	return out
}

// changeEvent returns the event that a change of anything but limits stands for.
func (m *Machine) changeEvent(c WhatIfChange) (Event, error) {
	switch {
	case c.Variable != "":
		for _, in := range m.Plan().Inputs {
			if problem := in.ValueProblem(c.Value); in.Name == c.Variable && in.HasFixedValues() && problem != "" {
				return Event{}, fmt.Errorf("%s: %s", c.Variable, problem)
			}
		}
		return m.SetVariableEvent(c.Variable, c.Value)
	case c.Result != "" && c.Result != plan.Passed && c.Result != plan.Failed && c.Result != plan.Skipped:
		return Event{}, fmt.Errorf("%q is not an outcome here: use %s, %s or %s", c.Result, plan.Passed, plan.Failed, plan.Skipped)
	case c.Result != "":
		return m.OverrideEvent(c.Result, "")
	case c.Answer != "":
		return m.AnswerEvent(Answer{Value: c.Answer, By: ByPerson})
	case c.Reply == nil:
		return Event{}, errors.New("the change is empty: give a variable, an outcome, an answer or a reply")
	}
	if _, ok := m.Next().Effect.(*CallModel); !ok {
		return Event{}, errors.New("the run is not at a model call here, so no reply can be changed")
	}
	e := m.ResultEvent(plan.Product{Text: *c.Reply})
	e.By = ByPerson
	return e, nil
}

// WhatIfDecisions returns the events of the next decision if something were different, and of the decisions
// of the groups and included documents that end with it, from the inside out. If the next of several included
// documents begins then, the StepEntered of its first step follows; if the limit of entries then ends the run, its
// RunFinished, with the message of the limit. With the zero WhatIfChange nothing is different. The change is tried
// on a copy of the machine.
func (m *Machine) WhatIfDecisions(c WhatIfChange) ([]Event, error) {
	m = m.Clone()
	if next := m.Next().Event; c.IsOfNextStep && next != nil && m.IsBetweenSteps() {
		if err := m.Apply(*next); err != nil {
			return nil, err
		}
	}
	c.IsOfNextStep = false
	if c != (WhatIfChange{}) {
		events, err := m.ChangeEvents(c)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if err := m.Apply(e); err != nil {
				return nil, err
			}
		}
	}
	decisions, err := m.applyNextDecisions()
	if err == nil && len(decisions) == 0 {
		err = errors.New("no decision follows directly from this change: the run has more to do before its next decision")
	}
	return decisions, err
}

// applyNextDecisions applies the next decision, those that end with it, and what WhatIfDecisions says may follow, and
// returns them.
func (m *Machine) applyNextDecisions() (out []Event, err error) {
	isStepChosen := false
	for next := m.Next().Event; next != nil; next = m.Next().Event {
		switch b := next.Body.(type) {
		case *Decision:
			if isStepChosen {
				return out, nil
			}
			out = append(out, *next)
			isStepChosen = b.Destination.Kind == ToStep
		case *StepEntered:
			switch {
			case isStepChosen:
				return out, nil
			case len(out) > 0:
				return append(out, *next), nil
			}
		case *RunFinished:
			if len(out) > 0 && m.plan.EntryLimit.IsCauseOf(b.ErrorCode) {
				b.Message = m.plan.EntryLimit.Message
				return append(out, *next), nil
			}
		}
		if err := m.Apply(*next); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ReplyWarnings returns the warnings that a person's reply would cause. It does not change the
// machine.
func (m *Machine) ReplyWarnings(reply string) (out []string) {
	switch m.Next().Effect.(type) {
	case *CallModel, *CallTool:
	default:
		return nil
	}
	e := m.ResultEvent(plan.Product{Text: reply, RepliedBy: ByPerson})
	e.By = ByPerson
	if correction := e.Body.(*ActionFinished).CorrectionMessage; correction != "" {
		out = append(out, correction)
	}
	m = m.Clone()
	for m.Apply(e) == nil {
		next := m.Next().Event
		if next == nil {
			break
		}
		if _, decided := next.Body.(*Decision); decided {
			break
		}
		if w, warns := next.Body.(*WarningRecorded); warns {
			out = append(out, w.Message)
		}
		e = *next
	}
	return out
}
