package engine

import (
	"context"
	"errors"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// replySourceChoice says where replies come from. It never affects what the machine does: a reply is an
// event with the name of whoever gave it.
type replySourceChoice struct {
	name              string
	source            model.ReplySource // nil: a person
	openError         error             // why the source cannot be asked; nil: it can
	isChosenInRun     bool              // chosen during the run, so prepared replies no longer take precedence
	isNextReplyManual bool              // the person gives the next reply
	isTakingOver      bool              // the running call is being cancelled because a person replies
}

// replySourceFor returns the reply source for a request, nil for a person. A person gives the replies that a
// recorded source does not have.
func (c replySourceChoice) replySourceFor(q model.Request, prepared *model.PreparedReplies) model.ReplySource {
	switch {
	case c.isNextReplyManual:
		return nil
	case !c.isChosenInRun && prepared.HasReply(q):
		return prepared
	}
	if r, stored := c.source.(*model.PreparedReplies); stored && !r.HasReply(q) {
		return nil
	}
	return c.source
}

// openErrorText returns why the chosen source cannot be asked, "" if it can.
func (c replySourceChoice) openErrorText() string {
	if c.isNextReplyManual || c.openError == nil {
		return ""
	}
	return c.openError.Error()
}

// setReplySource sets where replies come from, and publishes it.
func (s *Session) setReplySource(f replySourceChoice) {
	s.replySource = f
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.ReplySourceName, s.status.NextReplyManual = f.name, f.isNextReplyManual
	s.watchers.Notify()
}

// setNextReplyManual sets whether the person or the source gives the next reply.
func (s *Session) setNextReplyManual(yes bool) {
	f := s.replySource
	f.isNextReplyManual = yes
	s.setReplySource(f)
}

// openReplySource returns the reply source with a name, nil for the manual source.
func (s *Session) openReplySource(name string) (model.ReplySource, error) {
	if name == model.ManualReplySource {
		return nil, nil
	}
	for _, o := range s.config.ReplySources {
		if o.Name != name {
			continue
		}
		source, err := o.Open()
		if err != nil {
			return nil, err
		}
		return source, nil
	}
	var names []string
	for _, o := range model.WithManualReplySource(s.config.ReplySources) {
		names = append(names, o.Name)
	}
	return nil, fmt.Errorf("there is no reply source %q: %s", name, near.Suggestion(name, names))
}

// ChooseReplySource makes a source reply from the next call on. If a person is being asked for a reply, the
// source gives that one too. The choice takes precedence over prepared replies.
func (s *Session) ChooseReplySource(name string) error {
	source, err := s.openReplySource(name)
	if err != nil {
		return err
	}
	return s.sendRequest(request{do: func() error {
		s.setReplySource(replySourceChoice{name: name, source: source, isChosenInRun: true, isTakingOver: s.replySource.isTakingOver})
		if s.config.StoreReplySource == nil {
			return nil
		}
		return s.config.StoreReplySource(name)
	}})
}

// TakeOverReply lets the person give the current reply or result, or else the next one. The current call
// is cancelled, and the person can continue what has arrived of it. If yes is false, the source
// replies again.
func (s *Session) TakeOverReply(yes bool) error {
	return s.sendRequest(request{do: func() error {
		switch {
		case s.job == nil || !allowsManualResult(s.machine.Next().Effect):
		case s.pendingIntervention != nil:
			return errors.New("the call is ending: try again in a moment")
		case yes:
			s.replySource.isTakingOver = true
			s.job.Cancel()
		}
		s.setNextReplyManual(yes)
		return nil
	}})
}

// finishTakeOver reports whether the call that just ended was cancelled for a person's reply, so
// that its end is not recorded. If another intervention waits, that takes precedence.
func (s *Session) finishTakeOver() bool {
	takenOver := s.replySource.isTakingOver
	s.replySource.isTakingOver = false
	if takenOver && s.pendingIntervention != nil {
		s.setNextReplyManual(false)
		return false
	}
	return takenOver
}

// resumeManualReply continues a run that was left while a person replied. No source is asked until the
// person says so.
func (s *Session) resumeManualReply() {
	left := waitingWhenLeft(s.config.History)
	leftAtReply := left.Kind == machine.KindReply && left.ReplySourceError == "" && s.config.PreparedReplies == nil
	if s.isAttended() && (leftAtReply || s.config.WasManual && s.wasKilledAtReply()) {
		s.setNextReplyManual(true)
	}
}

// wasKilledAtReply reports whether the process that drove the run was killed while it waited for a
// reply, the last time or earlier.
func (s *Session) wasKilledAtReply() bool {
	next := s.machine.Next()
	_, asked := next.Effect.(*machine.CallModel)
	return asked || next.Question != nil && next.Question.Kind == machine.KindResume && s.receivedPart.isReply()
}

// askPersonInstead asks a person for the reply of a model or the result of a tool.
func (s *Session) askPersonInstead(ctx context.Context, e machine.Effect) error {
	q := s.manualReplyQuestion(e)
	if q.Tool != "" {
		if done, err := s.usePreparedResult(q); done || err != nil {
			return err
		}
	}
	if !s.isAttended() {
		return s.endAsWaiting(s.describeReplyWait(q))
	}
	return s.askForReply(ctx, *q)
}

// allowsManualResult reports whether a person can give the result of an effect. For a tool that a model
// wants called, the person replies for the model instead.
func allowsManualResult(e machine.Effect) bool {
	switch e := e.(type) {
	case *machine.CallModel:
		return true
	case *machine.CallTool:
		return e.CallID == ""
	default:
		return false
	}
}

// manualReplyQuestion returns the question to a person who replies instead of a model or tool.
func (s *Session) manualReplyQuestion(e machine.Effect) *machine.Question {
	if e, tool := e.(*machine.CallTool); tool {
		return &machine.Question{
			Action: e.Action, Kind: machine.KindReply, Tool: e.Tool, Prompt: "the result of " + e.Tool,
			ShownBlock: &plan.VerbatimBlock{Language: "json", Text: e.Args},
		}
	}
	call := e.(*machine.CallModel)
	return &machine.Question{
		Action: call.Action, Kind: machine.KindReply, Prompt: call.Prompt, ManualReplyForm: call.ManualReplyForm, ReplySourceError: s.replySource.openErrorText(),
	}
}

// describeReplyWait returns what a run waits for while a person replies.
func (s *Session) describeReplyWait(q *machine.Question) *machine.Waiting {
	return &machine.Waiting{
		Step: q.Action.StepLabel, Attempt: q.Action.Attempt, Kind: machine.KindReply, Prompt: q.Prompt, Tool: q.Tool, ReplySourceError: q.ReplySourceError,
		StepText: s.machine.StepText(),
	}
}

// usePreparedResult uses a prepared result of a tool, and reports whether there is one. A prepared
// decision only says whether the call succeeds.
func (s *Session) usePreparedResult(q *machine.Question) (bool, error) {
	item, reused, ok := s.takePreparedAnswer(q)
	if !ok {
		return false, nil
	}
	a := machine.Answer{Value: item.Text, By: item.PreparedBy}
	switch {
	case item.key != "": // any text
	case item.Value == "pass":
		a.Value = ""
	case item.Value == "fail":
		e, err := s.machine.OverrideEvent(plan.Failed, machine.PreparedNote(item.PreparedBy))
		return true, s.recordPreparedEvent(e, err, item.PreparedBy)
	default:
		return true, s.applyPreparedAnswer(q, item.PreparedAnswer, reused)
	}
	return true, s.acceptReply(a, a.Value, false)
}
