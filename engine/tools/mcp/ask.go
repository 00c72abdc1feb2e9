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

// slow is the cause of a context that ended because a server took too long.
type slow struct{ limit time.Duration }

func (s *slow) Error() string { return fmt.Sprintf("it did not answer within %s", s.limit) }

// patience is how long a request that was cancelled may take to notice. One that
// writes to a program which does not read would not.
const patience = time.Second

// withTimeout calls f and returns a little after ctx ends at the latest.
func withTimeout[T any](ctx context.Context, f func() (T, error)) (T, error) {
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
	case <-time.After(patience):
		return a.value, errStuck
	}
}

var errStuck = errors.New("it does not accept requests")

// ask connects and makes a request that may take as long as limit says, or as is
// usual where that is 0. A server that has forgotten the session is
// asked once more in a new one; a connection of which nothing more can be expected
// is ended. The error says what happened, without naming the server.
func ask[T any](ctx context.Context, sv *server, limit time.Duration, request func(context.Context, *sdk.ClientSession) (T, error)) (T, error) {
	limit = cmp.Or(limit, sv.set.cfg.CallLimit)
	for again := false; ; again = true {
		l, err := sv.connect(ctx)
		if err != nil {
			var none T
			return none, err
		}
		limited, cancel := context.WithTimeoutCause(ctx, limit, &slow{limit})
		value, err := withTimeout(limited, func() (T, error) { return request(limited, l.session) })
		if err == nil {
			cancel()
			return value, nil
		}
		err = sv.failed(limited, l, err)
		cancel()
		if !again && errors.Is(err, sdk.ErrSessionMissing) {
			continue
		}
		return value, err
	}
}

// undelivered is the code of what the SDK makes of a request that did not arrive.
const undelivered = -32005

// failed ends a connection that is of no more use, and words the error.
func (sv *server) failed(ctx context.Context, l *link, err error) error {
	var refused *jsonrpc.Error
	var late *slow
	if errors.As(err, &refused) && refused.Code != undelivered && l.isUsable() {
		return refused
	}
	reason := sv.reason(ctx, l, err)
	if ctx.Err() == nil || errors.As(context.Cause(ctx), &late) || errors.Is(err, errStuck) {
		sv.closeConnection()
	}
	if errors.Is(err, sdk.ErrSessionMissing) {
		return err
	}
	return &broken{reason}
}

// broken is a request without an answer: the server may do better when it is asked
// again.
type broken struct{ reason string }

func (b *broken) Error() string { return b.reason }

// reason says why there is no answer.
func (sv *server) reason(ctx context.Context, l *link, err error) string {
	var late *slow
	var refused *jsonrpc.Error
	text := err.Error()
	switch {
	case errors.As(context.Cause(ctx), &late):
		text = late.Error()
	case l.program != nil && l.program.hasEnded():
		text = l.program.exitText()
	case l.program != nil && errors.As(err, &refused):
		text = "it refused: " + refused.Message
	case l.program != nil:
		text = "the connection broke: " + text
	default:
		return l.address.unreachable(err)
	}
	if last := sv.log.last(); last != "" {
		text += "; it printed last: " + strings.TrimRight(last, ".")
	}
	return text
}

// unreachable is a server that cannot be started, or reached.
func (sv *server) unreachable(reason string) error {
	return fmt.Errorf("the tool server %s (%s:%d) did not start: %s", quote(sv.spec.Name), sv.spec.File, sv.spec.Line, reason)
}
