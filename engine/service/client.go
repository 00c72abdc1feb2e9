package service

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"playhead/engine/drive"
	"playhead/engine/journal"
)

// ErrNoOwner says that no process drives the run.
var ErrNoOwner = errors.New("no process drives this run")

// ErrGone is the error of requests after the process that drives the run has ended.
var ErrGone = errors.New("the process that drives the run has ended")

// A Client sends requests to the process that drives a run. Its methods may be called from any
// goroutine.
type Client struct {
	sock *net.UnixConn

	writing sync.Mutex

	last atomic.Int64 // the id of a request

	mu      sync.Mutex
	calls   map[int64]chan message // the requests without an answer
	batches func(drive.Batch)
	err     error // why requests get no more answers
	closed  chan struct{}
}

// Dial connects to the process that drives a run, under the client's name. The error is ErrNoOwner
// if no process does.
func Dial(run journal.Folder, name string) (*Client, error) {
	path, err := socketOf(run)
	if err != nil {
		return nil, ErrNoOwner
	}
	sock, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, ErrNoOwner
	}
	c := &Client{sock: sock, calls: map[int64]chan message{}, closed: make(chan struct{})}
	go c.read()
	if err := c.Call("hello", map[string]any{"client": name, "protocol": Protocol}, nil); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the connection.
func (c *Client) Close() error { return c.sock.Close() }

// Closed returns a channel that is closed when the connection has ended.
func (c *Client) Closed() <-chan struct{} { return c.closed }

// Call makes a request and stores the result in result, which may be nil. The error is an *Error if
// the server refuses the request.
func (c *Client) Call(method string, params, result any) error {
	data, err := encode(params)
	if err != nil {
		return err
	}
	id := c.last.Add(1)
	line, err := encode(message{Version: "2.0", ID: json.RawMessage(fmt.Sprint(id)), Method: method, Params: data})
	if err != nil {
		return err
	}
	if len(line) >= MaxMessage {
		return fmt.Errorf("this is too long: a message has at most %d bytes", MaxMessage)
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return c.err
	}
	c.calls[id] = answer
	c.mu.Unlock()
	c.writing.Lock()
	_, _ = c.sock.Write(append(line, '\n')) // if this fails, waiting for the answer gives the better error
	c.writing.Unlock()
	m, more := <-answer
	switch {
	case !more:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.err
	case m.Error != nil:
		return m.Error
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// Do carries out an action.
func (c *Client) Do(o drive.Order) (done drive.ActionResult, err error) {
	return done, c.Call("do", o, &done)
}

// State returns what the run does and needs.
func (c *Client) State() (s drive.State, err error) { return s, c.Call("state", nil, &s) }

// Follow calls take, always from the same goroutine, with everything that happens after the event
// with number from.
func (c *Client) Follow(from int, take func(drive.Batch)) error {
	c.mu.Lock()
	c.batches = take
	c.mu.Unlock()
	return c.Call("events", map[string]int{"from": from}, nil)
}

// maxAnswer limits the length of a message of the server in bytes. A message may contain whole
// events.
const maxAnswer = 1 << 30

// read reads the server's messages until the connection ends.
func (c *Client) read() {
	in := bufio.NewReaderSize(c.sock, 64<<10)
	var whole drive.Batch
	var err error
	for err == nil {
		var line []byte
		if line, err = readLine(in, maxAnswer); err != nil {
			break
		}
		var m message
		if err = json.Unmarshal(line, &m); err != nil {
			break
		}
		if m.Method == "events" {
			err = c.takeEvents(m, &whole)
			continue
		}
		err = c.takeAnswer(m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = ErrGone
	if refused := (*Error)(nil); errors.As(err, &refused) {
		c.err = refused
	}
	for _, answer := range c.calls {
		close(answer)
	}
	c.calls = nil
	close(c.closed)
	_ = c.sock.Close()
}

// takeEvents collects events until their batch is complete.
func (c *Client) takeEvents(m message, whole *drive.Batch) error {
	var b drive.Batch
	if err := json.Unmarshal(m.Params, &b); err != nil {
		return err
	}
	if b.Restarted {
		whole.Events, whole.Restarted = nil, true
	}
	whole.Events, whole.State = append(whole.Events, b.Events...), b.State
	if b.More {
		return nil
	}
	c.mu.Lock()
	take := c.batches
	c.mu.Unlock()
	take(*whole)
	*whole = drive.Batch{}
	return nil
}

// takeAnswer passes an answer to the request that waits for it. An error without a request ends the
// connection.
func (c *Client) takeAnswer(m message) error {
	var id int64
	if json.Unmarshal(m.ID, &id) != nil || string(m.ID) == "null" {
		if m.Error != nil {
			return m.Error
		}
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.calls[id]; answer != nil {
		delete(c.calls, id)
		answer <- m
	}
	return nil
}
