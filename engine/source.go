package engine

import (
	"context"
	"errors"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// sourceChoice says where replies come from. It never affects what the machine does: a reply is an
// event with the name of whoever gave it.
type sourceChoice struct {
	name       string
	source     model.Source // nil: a person
	openError  error        // why the source cannot be asked; nil: it can
	isChosen   bool         // chosen during the run, so prepared replies no longer take precedence
	personNext bool         // the person gives the next reply
	takingOver bool         // the running call is being cancelled because a person replies
}

// sourceFor returns the source for a request, nil for a person. A person gives the replies that a
// recorded source does not have.
func (f sourceChoice) sourceFor(q model.Request, prepared *model.Replies) model.Source {
	switch {
	case f.personNext:
		return nil
	case !f.isChosen && prepared.Has(q):
		return prepared
	}
	if r, stored := f.source.(*model.Replies); stored && !r.Has(q) {
		return nil
	}
	return f.source
}

// errorText returns why the chosen source cannot be asked, "" if it can.
func (f sourceChoice) errorText() string {
	if f.personNext || f.openError == nil {
		return ""
	}
	return f.openError.Error()
}

// changeSource changes where replies come from and publishes it.
func (s *Session) changeSource(f sourceChoice) {
	s.source = f
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Source, s.status.NextReplyManual = f.name, f.personNext
	s.watchers.Notify()
}

// replyNext makes the next reply the person's, or the source's again.
func (s *Session) replyNext(yes bool) {
	f := s.source
	f.personNext = yes
	s.changeSource(f)
}

// openSource returns the source with a name, nil for the manual source.
func (s *Session) openSource(name string) (model.Source, error) {
	if name == model.Manual {
		return nil, nil
	}
	for _, o := range s.cfg.Sources {
		if o.Name != name {
			continue
		}
		source, err := o.Open()
		if err != nil {
			return nil, err
		}
		return source, nil
	}
	return nil, fmt.Errorf("there is no reply source %q", name)
}

// Choose makes a source reply from the next call on, and also to the reply that a person is asked
// for. Such a choice takes precedence over prepared replies.
func (s *Session) Choose(name string) error {
	source, err := s.openSource(name)
	if err != nil {
		return err
	}
	return s.ask(request{do: func() error {
		s.changeSource(sourceChoice{name: name, source: source, isChosen: true, takingOver: s.source.takingOver})
		if s.cfg.KeepSource == nil {
			return nil
		}
		return s.cfg.KeepSource(name)
	}})
}

// TakeOver makes the current reply or result, or else the next one, the person's. The current call
// is cancelled, and the person can continue what has arrived of it. If yes is false, the source
// replies again.
func (s *Session) TakeOver(yes bool) error {
	return s.ask(request{do: func() error {
		switch {
		case s.job == nil || !canStandIn(s.m.Next().Effect):
		case s.pending != nil:
			return errors.New("the call is ending: try again in a moment")
		case yes:
			s.source.takingOver = true
			s.job.Cancel()
		}
		s.replyNext(yes)
		return nil
	}})
}

// droppedForPerson reports whether the call that just ended was cancelled for a person's reply, so
// that it is not recorded. An earlier end of the call takes precedence.
func (s *Session) droppedForPerson() bool {
	takenOver := s.source.takingOver
	s.source.takingOver = false
	if takenOver && s.pending != nil {
		s.replyNext(false)
		return false
	}
	return takenOver
}

// resumeReplying continues a run that was left while a person replied. No source is asked until the
// person says so.
func (s *Session) resumeReplying() {
	end, ok := s.cfg.History[len(s.cfg.History)-1].Body.(*machine.Finished)
	if s.cfg.Manual && s.isAttended() && s.wasKilledAtReply() {
		s.replyNext(true)
		return
	}
	replied := ok && end.Waiting != nil && end.Waiting.Kind == machine.KindReply && end.Waiting.Error == ""
	if replied && s.isAttended() && s.cfg.Replies == nil {
		s.replyNext(true)
	}
}

// wasKilledAtReply reports whether the process that drove the run was killed while a reply was awaited, now or
// in an earlier life of it.
func (s *Session) wasKilledAtReply() bool {
	next := s.m.Next()
	_, asked := next.Effect.(*machine.CallModel)
	return asked || next.Question != nil && next.Question.Kind == machine.KindResume && s.received.isReply()
}

// askInPlace asks a person for the reply of a model or the result of a tool.
func (s *Session) askInPlace(ctx context.Context, e machine.Effect) error {
	q := s.questionInPlace(e)
	if q.Tool != "" {
		if done, err := s.preparedResult(q); done || err != nil {
			return err
		}
	}
	if !s.isAttended() {
		return s.endWaiting(s.waitingForReply(q))
	}
	return s.askForReply(ctx, *q)
}

// canStandIn reports whether a person can give the result of an effect. For a tool that a model
// wants called, the person replies for the model instead.
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

// questionInPlace returns the question to a person who replies instead of a model or tool.
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

// waitingForReply returns what a run waits for while a person replies.
func (s *Session) waitingForReply(q *machine.Question) *machine.Waiting {
	return &machine.Waiting{
		Step: q.Action.Step, Attempt: q.Action.Attempt, Kind: machine.KindReply, Prompt: q.Prompt, Tool: q.Tool, Error: q.SourceError,
		Text: s.m.StepText(),
	}
}

// preparedResult uses a prepared result of a tool, and reports whether there is one. A prepared
// decision only says whether the call succeeds.
func (s *Session) preparedResult(q *machine.Question) (bool, error) {
	item, reused, ok := s.nextPrepared(q)
	if !ok {
		return false, nil
	}
	a := machine.Answer{Value: item.Text, By: item.By}
	switch {
	case item.key != "": // any text
	case item.Value == "pass":
		a.Value = ""
	case item.Value == "fail":
		e, err := s.m.OverrideCurrent(plan.Failed, machine.PreparedBy(item.By))
		return true, s.recordPrepared(e, err, item.By)
	default:
		return true, s.applyPrepared(q, item.PreparedAnswer, reused)
	}
	return true, s.acceptReply(a, a.Value, false)
}
