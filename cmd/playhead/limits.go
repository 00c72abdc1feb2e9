package main

import (
	"github.com/spf13/pflag"

	"playhead/engine"
	"playhead/engine/config"
	"playhead/parse/plan"
)

// limitOptions say how far a conversation with a model that calls tools may go.
type limitOptions struct{ most config.Limits }

func (o *limitOptions) register(f *pflag.FlagSet) {
	f.Func("limit", "bound a model that calls tools: turns=N, tool_call=TIME, tool_result=CHARACTERS (repeatable)", o.most.Set)
}

// keep sets the limits of a new run. A document whose models call nothing needs none.
func (o *limitOptions) keep(c *engine.Config, configured config.Limits) {
	if callsTools(c.Plan) {
		c.Options.Bounds = boundsOf(o.most).Or(boundsOf(configured))
	}
}

func boundsOf(l config.Limits) plan.Bounds {
	return plan.Bounds{Turns: l.Turns, Call: l.ToolCall, Result: l.ToolResult}
}
