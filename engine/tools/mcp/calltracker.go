package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTracker passes messages of the server on to the current call.
type callTracker struct {
	mu       sync.Mutex
	notify   func(string) // shows a message at once; may be nil
	warnings []string     // kept with the call
}

// maxWarnings limits the warnings that are kept of one call.
const maxWarnings = 20

func (c *callTracker) beginCall(notify func(string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notify, c.warnings = notify, nil
}

// endCall ends the call and returns the notes to keep.
func (c *callTracker) endCall() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notify = nil
	return slices.Clip(c.warnings)
}

func (c *callTracker) showMessage(text string) {
	c.mu.Lock()
	notify := c.notify
	c.mu.Unlock()
	if notify != nil {
		notify(text)
	}
}

// addWarning keeps a warning for the call's result.
func (c *callTracker) addWarning(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.notify != nil && len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, text)
	}
}

// refusedRequestNames are the refused requests of servers, as text.
var refusedRequestNames = map[string]string{
	"sampling/createMessage": "a model's reply", "elicitation/create": "a person's answer", "roots/list": "the project root",
}

// handleMessages handles messages that the server sends by itself. Requests go on to the SDK, which
// refuses them because they have no handler.
func (sv *server) handleMessages(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch p := r.GetParams().(type) {
		case *sdk.ProgressNotificationParams:
			sv.tracker.showMessage(progressText(p))
		default:
			sv.handleLogMessage(p)
		}
		if what := refusedRequestNames[method]; what != "" {
			sv.tracker.addWarning(fmt.Sprintf("the tool server %s asked for %s, and Playhead declined", quote(sv.spec.Name), what))
		}
		return next(ctx, method, r)
	}
}

// progressText returns the progress of a call as text.
func progressText(p *sdk.ProgressNotificationParams) string {
	text := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %g", p.Total)
	}
	if p.Message != "" {
		text += ": " + p.Message
	}
	return text + "."
}
