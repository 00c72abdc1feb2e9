package engine

import (
	"context"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// askInPlace has a person reply in the place of a model, or give the result of a tool.
func (s *Session) askInPlace(ctx context.Context, e machine.Effect) error {
	q := s.questionInPlace(e)
	if q.Tool != "" {
		if done, err := s.preparedResult(q); done || err != nil {
			return err
		}
	}
	if s.cfg.Headless {
		return s.endWaiting(s.waitingForReply(q))
	}
	return s.askForReply(ctx, *q)
}

// canStandIn reports whether an effect is one that a person can stand in for. A tool that a model
// wants called is not: the model's reply is.
func canStandIn(e machine.Effect) bool {
	switch e := e.(type) {
	case *machine.CallModel:
		return true
	case *machine.CallTool:
		return e.Call == ""
	default:
		return false
	}
}

// questionInPlace returns what a person is asked who replies in place of a model or tool.
func (s *Session) questionInPlace(e machine.Effect) *machine.Question {
	if e, tool := e.(*machine.CallTool); tool {
		return &machine.Question{
			Action: e.Action, Kind: machine.KindReply, Tool: e.Tool, Prompt: "the result of " + e.Tool,
			Show: &plan.Block{Language: "json", Text: e.Args},
		}
	}
	call := e.(*machine.CallModel)
	return &machine.Question{
		Action: call.Action, Kind: machine.KindReply, Prompt: call.Prompt, ManualReply: call.ManualReply, SourceError: s.source.errorText(),
	}
}

// waitingForReply is what a run waits for while a person stands in.
func (s *Session) waitingForReply(q *machine.Question) *machine.Waiting {
	return &machine.Waiting{
		Step: q.Action.Step, Attempt: q.Action.Attempt, Kind: machine.KindReply, Prompt: q.Prompt, Tool: q.Tool, Error: q.SourceError,
		Text: s.m.StepText(),
	}
}

// preparedResult takes the result of a tool from what was prepared. A decision says only
// whether there is one.
func (s *Session) preparedResult(q *machine.Question) (bool, error) {
	item, reused, ok := s.nextPrepared(q)
	if !ok {
		return false, nil
	}
	a := machine.Answer{Value: item.Text, By: item.By}
	switch {
	case item.key != "": // a text, whatever it is
	case item.Value == "pass":
		a.Value = ""
	case item.Value == "fail":
		e, err := s.m.Force(plan.Failed, machine.PreparedBy(item.By))
		return true, s.recordPrepared(e, err, item.By)
	default:
		return true, s.applyPrepared(q, item.Prepared, reused)
	}
	return true, s.acceptReply(a, a.Value, false)
}
