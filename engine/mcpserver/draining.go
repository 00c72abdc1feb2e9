package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainTime is how long calls can still wait for the run after the host has closed its end. The server waits as
// long again for their replies, and then ends without those that are missing.
const drainTime = time.Second

// settleTime is how long a call still waits for its run once waits are to end, so that a run that a queued call has just
// started can reach what it waits for.
const settleTime = drainTime / 4

// A drainingTransport delays the end of the host's messages until all its requests have replies. The SDK
// drops replies that come after the end.
type drainingTransport struct {
	sdk.Transport
	endWaits func() // makes calls that wait for the run reply
}

// Connect implements sdk.Transport.
func (t drainingTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConnection{Connection: c, endWaits: t.endWaits, pendingIDs: map[jsonrpc.ID]bool{}, replied: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type drainingConnection struct {
	sdk.Connection
	endWaits  func()
	replied   chan struct{} // receives after a reply
	closed    chan struct{}
	closeOnce sync.Once

	mu         sync.Mutex
	pendingIDs map[jsonrpc.ID]bool // the requests without a reply
}

// Read implements sdk.Connection.
func (c *drainingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if err != nil {
		if !c.awaitReplies(ctx) {
			c.endWaits()
			c.awaitReplies(ctx)
		}
		return nil, err
	}
	if request, is := message.(*jsonrpc.Request); is && request.IsCall() {
		c.mu.Lock()
		c.pendingIDs[request.ID] = true
		c.mu.Unlock()
	}
	return message, nil
}

// Write implements sdk.Connection.
func (c *drainingConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if response, is := message.(*jsonrpc.Response); is {
		c.mu.Lock()
		delete(c.pendingIDs, response.ID)
		c.mu.Unlock()
		select {
		case c.replied <- struct{}{}:
		default:
		}
	}
	return err
}

// Close implements sdk.Connection.
func (c *drainingConnection) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Connection.Close()
}

// awaitReplies waits until all requests have replies or the connection is closed, and reports whether
// that happened in time.
func (c *drainingConnection) awaitReplies(ctx context.Context) bool {
	timeout := time.NewTimer(drainTime)
	defer timeout.Stop()
	for c.hasPending() {
		select {
		case <-c.replied:
		case <-c.closed:
			return true
		case <-ctx.Done():
			return true
		case <-timeout.C:
			return false
		}
	}
	return true
}

func (c *drainingConnection) hasPending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pendingIDs) > 0
}
