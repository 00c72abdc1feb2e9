package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is one server of a run: how it is described, and the connection to it
// while there is one.
type server struct {
	spec    Spec
	set     *Servers
	log     serverLog
	tracker callTracker

	mu   sync.Mutex // held while a connection is made
	link *link
}

type link struct {
	session *sdk.ClientSession
	program *program // one of the two
	address *address
	closed  chan struct{} // when the connection has ended
}

// connect gives the connection, which it makes if there is none that works.
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
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &slow{limit})
	defer cancel()
	l, transport, err := sv.open()
	if err != nil {
		return nil, sv.unreachable(err.Error())
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "playhead", Version: sv.set.cfg.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // a server may call tools of ours, sample, or ask for roots: none of it
	})
	client.AddReceivingMiddleware(sv.handleMessages)
	l.session, err = withTimeout(ctx, func() (*sdk.ClientSession, error) { return client.Connect(ctx, transport, nil) })
	if err != nil {
		err = sv.unreachable(sv.reason(ctx, l, err))
		sv.closeLink(l)
		return nil, err
	}
	go func() {
		_ = l.session.Wait() // why it ended is told by whoever needs it
		close(l.closed)
	}()
	return l, nil
}

// open starts the server's program, or makes ready to ask its address.
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

// closeConnection ends the connection, if there is one. It does not wait.
func (sv *server) closeConnection() {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if sv.link != nil {
		sv.closeLink(sv.link)
		sv.link = nil
	}
}

// closeLink ends a connection to a program or an address.
func (sv *server) closeLink(l *link) {
	set := sv.set
	set.ends.Go(func() {
		if l.program != nil {
			l.program.end(set.cfg.Grace)
		}
		if l.session != nil {
			_ = l.session.Close() // it ends, whatever it says
		}
		if l.program != nil {
			_ = l.program.stdout.Close()
		} else {
			l.address.base.CloseIdleConnections()
		}
	})
}
