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
	spec    ServerSpec
	servers *Servers
	log     serverLog
	tracker callTracker

	mu         sync.Mutex // held while connecting
	connection *connection
}

// connection is a connection to a running program or to an HTTP server.
type connection struct {
	session    *sdk.ClientSession
	program    *serverProgram // nil for an HTTP server
	httpServer *httpServer
	closed     chan struct{} // closed when the connection has ended
}

// connect returns the connection. If there is none that works, it opens the log and makes a connection.
func (sv *server) connect(ctx context.Context) (*connection, error) {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if c := sv.connection; c != nil {
		if c.isUsable() {
			return c, nil
		}
		sv.endConnection(c)
		sv.tracker.addWarning(fmt.Sprintf("the connection to the tool server %s has ended: Playhead is opening a new one", quote(sv.spec.Name)))
	}
	err := sv.log.open(sv.servers.config.LogFile(sv.spec.Name), sv.servers.config.Secrets())
	if err != nil {
		return nil, err
	}
	sv.connection, err = sv.dial(ctx)
	return sv.connection, err
}

// dial makes a connection.
func (sv *server) dial(ctx context.Context) (*connection, error) {
	if sv.spec.Problem != nil { // it names the server
		return nil, sv.spec.Problem
	}
	limit := sv.servers.config.StartTimeout
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{limit})
	defer cancel()
	c, transport, err := sv.openTransport()
	if err != nil {
		return nil, sv.unreachableError(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "playhead", Version: sv.servers.config.Version}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no capabilities: a server may not call tools of ours, sample, or ask for roots
	})
	client.AddReceivingMiddleware(sv.handleMessages)
	c.session, err = callWithContext(ctx, func() (*sdk.ClientSession, error) { return client.Connect(ctx, transport, nil) })
	if err != nil {
		err = sv.unreachableError(sv.noAnswerReason(ctx, c, err))
		sv.endConnection(c)
		return nil, err
	}
	go func() {
		_ = c.session.Wait() // whoever needs the connection reports why it ended
		close(c.closed)
	}()
	return c, nil
}

// openTransport starts the server's program, or prepares requests to its URL.
func (sv *server) openTransport() (*connection, sdk.Transport, error) {
	c := &connection{closed: make(chan struct{})}
	if !sv.spec.StartsProgram() {
		if sv.spec.Type == "sse" {
			return nil, nil, errors.New("it uses SSE, which Playhead does not support: give the URL of its streamable HTTP endpoint")
		}
		sv.tracker.showMessage(fmt.Sprintf("Connecting to the tool server %s.", sv.spec.Name))
		c.httpServer = newHTTPServer(sv.spec)
		return c, c.httpServer.transport(), nil
	}
	sv.tracker.showMessage(fmt.Sprintf("Starting the tool server %s.", sv.spec.Name))
	var err error
	if c.program, err = startProgram(sv.spec, sv.servers.config.Env, sv.servers.config.EndTimeout, &sv.log); err != nil {
		return nil, nil, err
	}
	return c, c.program.transport(), nil
}

// isUsable reports whether the connection can be used.
func (c *connection) isUsable() bool {
	select {
	case <-c.closed:
		return false
	default:
		return c.program == nil || !c.program.hasEnded()
	}
}

// closeConnection closes the connection, if there is one. It does not wait.
func (sv *server) closeConnection() {
	sv.mu.Lock()
	defer sv.mu.Unlock()
	if sv.connection != nil {
		sv.endConnection(sv.connection)
		sv.connection = nil
	}
}

// endConnection closes a connection and ends its program, without waiting for that.
func (sv *server) endConnection(c *connection) {
	sv.servers.closingConnections.Go(func() {
		if c.program != nil {
			c.program.stop()
		}
		if c.session != nil {
			_ = c.session.Close() // the connection ends in any case
		}
		if c.program != nil {
			_ = c.program.stdout.Close()
		} else {
			c.httpServer.baseTransport.CloseIdleConnections()
		}
	})
}
