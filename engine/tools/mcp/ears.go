package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ears are where the call under way hears what its server has to say beside the
// result.
type ears struct {
	mu     sync.Mutex
	notify func(string) // shows it at once; may be nil
	notes  []string     // what is to be kept of it
}

// mostNotes is how much is kept of one call.
const mostNotes = 20

// prick begins a call.
func (e *ears) prick(notify func(string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notify, e.notes = notify, nil
}

// close ends it and gives what is to be kept.
func (e *ears) close() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notify = nil
	return slices.Clip(e.notes)
}

// tell shows something.
func (e *ears) tell(text string) {
	e.mu.Lock()
	notify := e.notify
	e.mu.Unlock()
	if notify != nil {
		notify(text)
	}
}

// remark keeps something.
func (e *ears) remark(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.notify != nil && len(e.notes) < mostNotes {
		e.notes = append(e.notes, text)
	}
}

// declined are the requests of servers that are refused, in words.
var declined = map[string]string{
	"sampling/createMessage": "a model's reply", "elicitation/create": "a person's answer", "roots/list": "our folders",
}

// hears takes in what the server sends by itself. Requests go on to the SDK, which
// refuses them for want of a handler.
func (sv *server) hears(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		switch p := r.GetParams().(type) {
		case *sdk.ProgressNotificationParams:
			sv.ears.tell(progress(p))
		default:
			sv.said(p)
		}
		if what := declined[method]; what != "" {
			sv.ears.remark(fmt.Sprintf("the tool server %s asked for %s, which was declined", quote(sv.spec.Name), what))
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
