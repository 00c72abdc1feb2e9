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
	isInCall bool
	notify   func(string) // shows a message of the call at once; may be nil
	warnings []string     // the warnings for the result of the call
}

// maxWarnings limits the warnings that are kept of one call.
const maxWarnings = 20

func (c *callTracker) beginCall(notify func(string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isInCall, c.notify, c.warnings = true, notify, nil
}

// endCall ends the call and returns its warnings.
func (c *callTracker) endCall() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isInCall, c.notify = false, nil
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

// addWarning adds a warning to the result of the call, if there is a call.
func (c *callTracker) addWarning(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isInCall && len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, text)
	}
}

// refusedSubjectByMethod says what a server asks for with each request that Playhead refuses.
var refusedSubjectByMethod = map[string]string{
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
		if what := refusedSubjectByMethod[method]; what != "" {
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
