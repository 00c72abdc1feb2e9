package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTracker passes messages of the server on to the call that runs.
type callTracker struct {
	mu     sync.Mutex
	notify func(string) // shows it at once; may be nil
	notes  []string     // what is to be kept of it
}

// maxNotes is how much is kept of one call.
const maxNotes = 20

func (e *callTracker) begin(notify func(string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notify, e.notes = notify, nil
}

// close ends it and gives what is to be kept.
func (e *callTracker) close() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notify = nil
	return slices.Clip(e.notes)
}

func (e *callTracker) show(text string) {
	e.mu.Lock()
	notify := e.notify
	e.mu.Unlock()
	if notify != nil {
		notify(text)
	}
}

// addRemark keeps a remark for the call's result.
func (e *callTracker) addRemark(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.notify != nil && len(e.notes) < maxNotes {
		e.notes = append(e.notes, text)
	}
}

// declined are the requests of servers that are refused, in words.
var declined = map[string]string{
	"sampling/createMessage": "a model's reply", "elicitation/create": "a person's answer", "roots/list": "our folders",
}

// handleMessages handles what the server sends by itself. Requests go on to the SDK, which
// refuses them for want of a handler.
func (sv *server) handleMessages(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch p := r.GetParams().(type) {
		case *sdk.ProgressNotificationParams:
			sv.tracker.show(progress(p))
		default:
			sv.handleLogMessage(p)
		}
		if what := declined[method]; what != "" {
			sv.tracker.addRemark(fmt.Sprintf("the tool server %s asked for %s, which was declined", quote(sv.spec.Name), what))
		}
		return next(ctx, method, r)
	}
}

// progress puts how far a call is into words.
func progress(p *sdk.ProgressNotificationParams) string {
	text := fmt.Sprintf("%g", p.Progress)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %g", p.Total)
	}
	if p.Message != "" {
		text += ": " + p.Message
	}
	return text + "."
}
