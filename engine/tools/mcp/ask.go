package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// timeoutError is the cause of a context that ended because a server took too long.
type timeoutError struct{ limit time.Duration }

func (t *timeoutError) Error() string { return fmt.Sprintf("it did not answer within %s", t.limit) }

// cancelGracePeriod is how long a cancelled request may take to return. A request that writes to a program
// which does not read would never return.
const cancelGracePeriod = time.Second

// callWithContext calls f. It returns at most cancelGracePeriod after ctx ends, even if f does not return.
func callWithContext[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := f()
		answers <- answer{value, err}
	}()
	var a answer
	select {
	case a = <-answers:
		return a.value, a.err
	case <-ctx.Done():
	}
	select {
	case a = <-answers:
		return a.value, a.err
	case <-time.After(cancelGracePeriod):
		return a.value, errNotAccepting
	}
}

var errNotAccepting = errors.New("it does not accept requests")

// makeRequest connects and makes a request within the limit (0 is the default). If the server has forgotten
// the session, the request is repeated once in a new session. If the connection is unusable, it is
// closed. The error says what happened without naming the server.
func makeRequest[T any](ctx context.Context, sv *server, limit time.Duration, request func(context.Context, *sdk.ClientSession) (T, error)) (T, error) {
	limit = cmp.Or(limit, sv.servers.config.CallTimeout)
	for again := false; ; again = true {
		c, err := sv.connect(ctx)
		if err != nil {
			var none T
			return none, err
		}
		limited, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
		value, err := callWithContext(limited, func() (T, error) { return request(limited, c.session) })
		if err == nil {
			cancel()
			return value, nil
		}
		err = sv.handleRequestError(limited, c, err)
		cancel()
		if !again && errors.Is(err, sdk.ErrSessionMissing) {
			continue
		}
		return value, err
	}
}

// undeliveredCode is the code of the SDK's error for a request that was not delivered.
const undeliveredCode = -32005

// handleRequestError returns the error of a request that failed with err, and closes the connection if it is no longer
// usable. ctx is the request's own. The error is the server's refusal (a jsonrpc.Error), sdk.ErrSessionMissing or a
// noAnswerError.
func (sv *server) handleRequestError(ctx context.Context, c *connection, err error) error {
	var refused *jsonrpc.Error
	var late *timeoutError
	if errors.As(err, &refused) && refused.Code != undeliveredCode && c.isUsable() {
		return refused
	}
	reason := sv.noAnswerReason(ctx, c, err)
	if ctx.Err() == nil || errors.As(context.Cause(ctx), &late) || errors.Is(err, errNotAccepting) {
		sv.closeConnection()
	}
	if errors.Is(err, sdk.ErrSessionMissing) {
		return err
	}
	return &noAnswerError{reason}
}

// noAnswerError is the error of a request without an answer. Another attempt may succeed.
type noAnswerError struct{ reason error }

func (n *noAnswerError) Error() string { return n.reason.Error() }
func (n *noAnswerError) Unwrap() error { return n.reason }

// reasonError is a text for a person. It wraps the error of the context, if that had ended.
type reasonError struct {
	text       string
	contextErr error
}

func (r *reasonError) Error() string { return r.text }
func (r *reasonError) Unwrap() error { return r.contextErr }

// noAnswerReason returns an error that says to a person why there is no answer.
func (sv *server) noAnswerReason(ctx context.Context, c *connection, err error) error {
	return &reasonError{sv.noAnswerText(ctx, c, err), ctx.Err()}
}

func (sv *server) noAnswerText(ctx context.Context, c *connection, err error) string {
	var late *timeoutError
	var refused *jsonrpc.Error
	text := err.Error()
	switch {
	case errors.As(context.Cause(ctx), &late):
		text = late.Error()
	case c.program != nil && c.program.hasEnded():
		text = c.program.exitText()
	case c.program != nil && errors.As(err, &refused):
		text = "it refused the request: " + refused.Message
	case c.program != nil:
		text = "the connection broke: " + text
	default:
		return c.httpServer.unreachableText(err)
	}
	if last := sv.log.lastOutput(); last != "" {
		text += "; its last output: " + strings.TrimRight(last, ".")
	}
	return text
}

// unreachableError returns the error for a server that cannot be started or reached.
func (sv *server) unreachableError(reason error) error {
	return fmt.Errorf("the tool server %s (%s:%d) is not available: %w", quote(sv.spec.Name), sv.spec.File, sv.spec.Line, reason)
}
