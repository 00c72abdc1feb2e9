package machine

import (
	"errors"

	"playhead/parse/plan"
)

// Change is one thing that could be different before a decision: a variable's value, the outcome of
// the step, the answer to the open question, a model's reply, or that all limits were used up.
type Change struct {
	Variable   string      `json:"variable,omitempty"`
	Value      string      `json:"value,omitempty"`
	Result     plan.Result `json:"result,omitempty"`
	Answer     string      `json:"answer,omitempty"` // one of the options
	Reply      *string     `json:"reply,omitempty"`
	LimitsUsed bool        `json:"limits_used,omitempty"`

	ForLastGroup bool `json:"-"` // return the decision of the last group that ends because of the change or, alone, as things are
}

// ChangeEvent returns the event that a change stands for, as a person's.
func (m *Machine) ChangeEvent(c Change) (Event, error) {
	switch {
	case c.Variable != "":
		return m.SetVariableEvent(c.Variable, c.Value)
	case c.Result != "":
		return m.OverrideEvent(c.Result, "")
	case c.Answer != "":
		return m.AnswerEvent(Answer{Value: c.Answer, By: ByPerson})
	case c.LimitsUsed:
		f := m.topFrame()
		if f.currentNode == nil {
			return Event{}, errors.New("no step is being visited")
		}
		e := f.newEvent(&LimitsUsed{})
		e.By = ByPerson
		return e, nil
	case c.Reply == nil:
		return Event{}, errors.New("nothing is changed")
	}
	if _, ok := m.Next().Effect.(*CallModel); !ok {
		return Event{}, errors.New("no model is asked here")
	}
	e := m.ResultEvent(plan.Product{Text: *c.Reply})
	e.By = ByPerson
	return e, nil
}

// WhatIfDecision returns the event of the next decision if something were different. The change is tried on
// a copy of the machine.
func (m *Machine) WhatIfDecision(c Change) (Event, error) {
	original := m
	m = m.Clone()
	if c != (Change{ForLastGroup: true}) {
		e, err := original.ChangeEvent(c)
		if err != nil {
			return Event{}, err
		}
		if err := m.Apply(e); err != nil {
			return Event{}, err
		}
	}
	for {
		next := m.Next().Event
		if next == nil {
			return Event{}, errors.New("with this change, the run has more to do before its next decision")
		}
		if d, decided := next.Body.(*Decision); decided && !(c.ForLastGroup && d.Arrival.Kind == ToGroupRoutes) {
			return *next, nil
		}
		if err := m.Apply(*next); err != nil {
			return Event{}, err
		}
	}
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
	if correction := e.Body.(*ActionFinished).AskAgain; correction != "" {
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
		if w, warns := next.Body.(*Warned); warns {
			out = append(out, w.Message)
		}
		e = *next
	}
	return out
}
