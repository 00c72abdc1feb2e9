package engine

import (
	"context"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// reply asks for a model's reply: one that is there already, else the model. With
// neither there is no job: a person stands in.
func (s *Session) reply(e *machine.CallModel) (job, error) {
	q := model.Request{
		Label: e.Action.Step, Nth: s.entered[e.Action.Step],
		Model: e.Model, System: e.System, Thread: e.Thread, Prompt: e.Prompt, Schema: e.Schema,
	}
	source := s.cfg.Model
	if s.cfg.Replies.Has(q) {
		source = s.cfg.Replies
	}
	if source == nil {
		return nil, nil
	}
	return s.call(func(ctx context.Context, c *call) {
		q.Notify = func(n model.Notice) {
			s.show(Status{State: Running, Running: q.Label, Log: c.file, Notice: &n})
		}
		c.take(source.Reply(ctx, q, c.out))
	})
}

// take makes a product of a reply.
func (c *call) take(r model.Reply) {
	c.product = plan.Product{Text: r.Text, Cancelled: r.Cancelled}
	if r.Err != nil && !r.Cancelled {
		c.product.Err = r.Err.Error()
	}
	c.by = r.By
	c.replied = &machine.Replied{Model: r.Model, Finish: r.Finish, Reasoning: r.Reasoning, Cost: r.Cost}
	if r.In+r.Out > 0 {
		c.replied.Tokens = &machine.Tokens{In: r.In, Out: r.Out}
	}
	c.remark("playhead/model", r.Notes)
	if r.Finish == "length" {
		c.remark("playhead/reply-cut", []string{"the reply was cut at the token limit"})
	}
}

// standIn has a person reply in the place of a model.
func (s *Session) standIn(ctx context.Context, e *machine.CallModel) error {
	q := &machine.Question{Action: e.Action, Kind: machine.KindReply, Prompt: e.Prompt}
	if !s.cfg.Headless {
		return s.wait(ctx, Status{State: Waits, Question: q})
	}
	return s.await(replying(e))
}

// replying is what a run waits for while a person stands in for a model.
func replying(e *machine.CallModel) *machine.Waiting {
	return &machine.Waiting{
		Step: e.Action.Step, Attempt: e.Action.Attempt, Kind: machine.KindReply, Prompt: e.Prompt,
	}
}

// typed takes a person's reply.
func (s *Session) typed(a machine.Answer) error {
	r, err := s.newRecord()
	if err != nil {
		return err
	}
	_, err = r.out.Write([]byte(a.Value))
	r.close()
	if err != nil {
		return err
	}
	e := s.m.Event(plan.Product{Text: a.Value})
	e.By, e.Reason = a.By, a.Note
	return s.conclude(r, e)
}
