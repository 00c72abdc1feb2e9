package engine

import (
	"context"
	"errors"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

var errNoTools = errors.New("there is no tool server")

// harmless reports whether a call that asks for approval reaches no server: its
// result is there already.
func (s *Session) harmless(q *machine.Question) bool {
	return s.cfg.Results.Has(tools.Request{Label: q.Action.Step, Tool: q.Call.Tool})
}

// tool calls a tool: the result is there already, or a server is asked. With neither there is
// no job: a person gives the result.
func (s *Session) tool(e *machine.CallTool) (job, error) {
	q := tools.Request{
		Label: e.Action.Step, Nth: 1 + s.came[tools.Key(e.Action.Step, e.Tool)],
		Server: e.Server, Tool: e.Tool, Args: e.Args, Limit: e.Limit,
	}
	var caller tools.Caller
	switch {
	case e.Call == "" && s.from.own:
		return nil, nil
	case s.cfg.Results.Has(q):
		caller = s.cfg.Results
	case e.Call == "" && s.cfg.Options.Prompted:
		return nil, nil
	case s.cfg.Tools != nil:
		caller = s.cfg.Tools
	default:
		return nil, errNoTools
	}
	return s.call(func(ctx context.Context, c *call) {
		q.Notify = s.saying(e.Action, c)
		r := caller.Call(ctx, q, c.out)
		c.product = plan.Product{Text: r.Text, Data: r.Data, Cancelled: r.Cancelled}
		if r.Err != nil && !r.Cancelled {
			c.product.Err = r.Err.Error()
		}
		c.by = r.By
		c.remark("playhead/tool", r.Notes)
	})
}

// saying shows what a call under way has to say.
func (s *Session) saying(at machine.Ref, c *call) func(string) {
	return func(text string) {
		s.show(Status{State: Running, Running: at.Step, Log: c.file, Notice: &model.Notice{Text: text}})
	}
}
