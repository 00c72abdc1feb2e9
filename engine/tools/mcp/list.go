package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/tools"
)

// maxTools is how many tools of one server are taken in.
const maxTools = 1000

// Tools lists the tools of all servers, each under its server's name. Servers that
// cannot be asked are the error; the tools of the others are there all the same.
func (s *Servers) Tools(ctx context.Context, notify func(string)) ([]tools.Tool, error) {
	var all []tools.Tool
	var errs []error
	for _, sv := range s.live {
		sv.ears.begin(notify)
		list, err := sv.tools(ctx)
		sv.ears.close()
		if err != nil {
			errs = append(errs, fmt.Errorf("the tools of %s are not known: %w", quote(sv.spec.Name), err))
		}
		all = append(all, list...)
	}
	return all, errors.Join(errs...)
}

func (sv *server) tools(ctx context.Context) ([]tools.Tool, error) {
	return ask(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) ([]tools.Tool, error) {
		var all []tools.Tool
		for t, err := range s.Tools(ctx, nil) {
			if err != nil || len(all) == maxTools {
				return all, err
			}
			schema, err := json.Marshal(t.InputSchema)
			if err != nil {
				return all, err
			}
			all = append(all, tools.Tool{Server: sv.spec.Name, Name: t.Name, Description: t.Description, Schema: schema, Effect: effectOf(t.Annotations)})
		}
		return all, nil
	})
}

// effectOf reads a tool's annotations. One that is not read-only counts as destructive unless it is
// said not to be, as the protocol has it.
func effectOf(a *sdk.ToolAnnotations) tools.Effect {
	switch {
	case a == nil:
		return tools.EffectUnknown
	case a.ReadOnlyHint:
		return tools.ReadsOnly
	case a.DestructiveHint != nil && !*a.DestructiveHint:
		return tools.AddsOnly
	}
	return tools.Destructive
}
