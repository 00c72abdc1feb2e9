package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is one server of a run: its description, and the connection while there is one.
type server struct {
	spec    Spec
	set     *Servers
	log     serverLog
	tracker callTracker

	mu   sync.Mutex // held while connecting
	link *link
}

type link struct {
	session *sdk.ClientSession
	program *program // nil for an HTTP server
	address *address
	closed  chan struct{} // closed when the connection has ended
}

// connect returns the connection. If there is none that works, it makes one.
func (sv *server) connect(ctx context.Context) (*link, error) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if l := sv.link; l != nil {
		if l.isUsable() {
			return l, nil
		}
		sv.closeLink(l)
		sv.tracker.addRemark(fmt.Sprintf("the tool server %s had ended, and was started again", quote(sv.spec.Name)))
	}
	err := sv.log.open(sv.set.cfg.LogFile(sv.spec.Name), sv.set.cfg.Secrets())
	if err != nil {
		return nil, err
	}
	sv.link, err = sv.dial(ctx)
	return sv.link, err
}

// dial makes a connection.
func (sv *server) dial(ctx context.Context) (*link, error) {
	limit := sv.set.cfg.StartLimit
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	defer cancel()
	l, transport, err := sv.open()
	if err != nil {
		return nil, sv.unreachable(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "playhead", Version: sv.set.cfg.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no capabilities: a server may not call tools of ours, sample, or ask for roots
	})
	client.AddReceivingMiddleware(sv.handleMessages)
	l.session, err = withTimeout(ctx, func() (*sdk.ClientSession, error) { return client.Connect(ctx, transport, nil) })
	if err != nil {
		err = sv.unreachable(sv.reason(ctx, l, err))
		sv.closeLink(l)
		return nil, err
	}
	go func() {
		_ = l.session.Wait() // whoever needs the connection reports why it ended
		close(l.closed)
	}()
	return l, nil
}

// open starts the server's program, or prepares requests to its URL.
func (sv *server) open() (*link, sdk.Transport, error) {
	if sv.spec.Problem != nil {
		return nil, nil, sv.spec.Problem
	}
	l := &link{closed: make(chan struct{})}
	if !sv.spec.Starts() {
		if sv.spec.Type == "sse" {
			return nil, nil, errors.New("it uses SSE, which Playhead does not support: give the URL of its streamable HTTP")
		}
		sv.tracker.show(fmt.Sprintf("Connecting to the tool server %s.", sv.spec.Name))
		l.address = newAddress(sv.spec)
		return l, l.address.transport(), nil
	}
	sv.tracker.show(fmt.Sprintf("Starting the tool server %s.", sv.spec.Name))
	var err error
	if l.program, err = start(sv.spec, sv.set.cfg.Env, sv.set.cfg.Grace, &sv.log); err != nil {
		return nil, nil, err
	}
	return l, l.program.transport(), nil
}

// isUsable reports whether the connection can be used.
func (l *link) isUsable() bool {
	select {
	case <-l.closed:
		return false
	default:
		return l.program == nil || !l.program.hasEnded()
	}
}

// closeConnection closes the connection, if there is one. It does not wait.
func (sv *server) closeConnection() {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if sv.link != nil {
		sv.closeLink(sv.link)
		sv.link = nil
	}
}

// closeLink closes a connection and ends its program.
func (sv *server) closeLink(l *link) {
	set := sv.set
	set.ends.Go(func() {
		if l.program != nil {
			l.program.end()
		}
		if l.session != nil {
			_ = l.session.Close() // the connection ends in any case
		}
		if l.program != nil {
			_ = l.program.stdout.Close()
		} else {
			l.address.base.CloseIdleConnections()
		}
	})
}
