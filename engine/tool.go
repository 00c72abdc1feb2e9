package engine

import (
	"context"
	"errors"

	"playhead/engine/machine"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

var errNoTools = errors.New("there is no tool server")

// tool calls a tool: the result is there already, or a server is asked.
func (s *Session) tool(e *machine.CallTool) (*call, error) {
	q := tools.Request{
		Label: e.Action.Step, Nth: s.entered[e.Action.Step],
		Server: e.Server, Tool: e.Tool, Args: e.Args,
	}
	caller := s.cfg.Tools
	if s.cfg.Results.Has(q) {
		caller = s.cfg.Results
	}
	if caller == nil {
		return nil, errNoTools
	}
	return s.call(func(ctx context.Context, c *call) {
		r := caller.Call(ctx, q, c.out)
		c.product = plan.Product{Text: r.Text, Data: r.Data, Cancelled: r.Cancelled}
		if r.Err != nil && !r.Cancelled {
			c.product.Err = r.Err.Error()
		}
		c.by = r.By
		c.remark("playhead/tool", r.Notes)
	})
}
