package plan

import (
	"cmp"
	"time"
)

// Bounds are how far a conversation with a model that calls tools may go. What is
// zero has none.
type Bounds struct {
	Turns  int           `json:"turns,omitempty"`       // replies of the model
	Call   time.Duration `json:"tool_call,omitempty"`   // that a tool may take, in nanoseconds as JSON
	Result int           `json:"tool_result,omitempty"` // characters of a tool's result that the model is told
}

// Or are the bounds, those of others where there are none.
func (b Bounds) Or(others Bounds) Bounds {
	return Bounds{cmp.Or(b.Turns, others.Turns), cmp.Or(b.Call, others.Call), cmp.Or(b.Result, others.Result)}
}
