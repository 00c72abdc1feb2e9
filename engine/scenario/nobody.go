package scenario

import (
	"context"
	"fmt"
	"io"

	"playhead/engine/tools"
)

// nobody stands in for tool servers: what a tool says is in the scenario, or it is
// missing.
type nobody struct{ missed string } // the first result that was, in words

// Call implements tools.Caller.
func (n *nobody) Call(_ context.Context, q tools.Request, _ io.Writer) tools.Result {
	err := fmt.Errorf("there is no result of a tool for %s: add it to replies", tools.Key(q.Label, q.Tool))
	if n.missed == "" {
		n.missed = err.Error()
	}
	return tools.Result{Err: err}
}

// Tools implements tools.Servers.
func (n *nobody) Tools(context.Context, func(string)) ([]tools.Tool, error) { return nil, nil }
