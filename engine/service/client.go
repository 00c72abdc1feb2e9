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
	"playhead/parse/plan"
)

// ErrNoOwner says that no process drives the run.
var ErrNoOwner = errors.New("this run is not open in any Playhead process")

// ErrOwnerGone is the error of requests after the Playhead process that had this run open has ended.
var ErrOwnerGone = errors.New("the Playhead process that had this run open has ended")

// A Client sends requests to the process that drives a run. Its methods may be called from any
// goroutine.
type Client struct {
	socket *net.UnixConn

	writeMu sync.Mutex

	lastRequestID atomic.Int64

	mu                sync.Mutex
	answerByRequestID map[int64]chan message // the requests without an answer
	takeBatch         func(drive.EventBatch) // set by Follow
	closeError        error                  // why requests get no more answers
	closed            chan struct{}
}

// Dial connects to the process that drives a run, under the client's name. The error is ErrNoOwner
// if no process does.
func Dial(run journal.Folder, name string) (*Client, error) {
	path, err := readSocketPath(run)
	if err != nil {
		return nil, ErrNoOwner
	}
	sock, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, ErrNoOwner
	}
	c := &Client{socket: sock, answerByRequestID: map[int64]chan message{}, closed: make(chan struct{})}
	go c.readMessages()
	if err := c.Call("hello", map[string]any{"client": name, "protocol": ProtocolVersion}, nil); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the connection.
func (c *Client) Close() error { return c.socket.Close() }

// Closed returns a channel that is closed when the connection has ended.
func (c *Client) Closed() <-chan struct{} { return c.closed }

// Call makes a request and stores the result in result, which may be nil. The error is an *Error if
// the server refuses the request.
func (c *Client) Call(method string, params, result any) error {
	data, err := plan.EncodeJSON(params)
	if err != nil {
		return err
	}
	id := c.lastRequestID.Add(1)
	line, err := plan.EncodeJSON(message{JSONRPCVersion: "2.0", ID: json.RawMessage(fmt.Sprint(id)), Method: method, Params: data})
	if err != nil {
		return err
	}
	if len(line) >= MaxMessageBytes {
		return fmt.Errorf("the request is too long: it may have at most %d bytes", MaxMessageBytes)
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.closeError != nil {
		defer c.mu.Unlock()
		return c.closeError
	}
	c.answerByRequestID[id] = answer
	c.mu.Unlock()
	c.writeMu.Lock()
	_, _ = c.socket.Write(append(line, '\n')) // if this fails, waiting for the answer gives the better error
	c.writeMu.Unlock()
	m, more := <-answer
	switch {
	case !more:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.closeError
	case m.Error != nil:
		return m.Error
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// Do makes the process that drives the run carry out an action.
func (c *Client) Do(o drive.ActionRequest) (done drive.ActionResult, err error) {
	return done, c.Call("do", o, &done)
}

// State returns what the run does at the moment, and what it needs.
func (c *Client) State() (s drive.State, err error) { return s, c.Call("state", nil, &s) }

// Follow calls take, always from the same goroutine, with everything that happens after the event with number from,
// until the connection ends. It returns as soon as the server has accepted the request. A second call is an error.
func (c *Client) Follow(from int, take func(drive.EventBatch)) error {
	c.mu.Lock()
	c.takeBatch = take
	c.mu.Unlock()
	return c.Call("events", map[string]int{"from": from}, nil)
}

// maxAnswerBytes limits the length of a message of the server in bytes. A message may contain whole
// events.
const maxAnswerBytes = 1 << 30

// readMessages reads the server's messages until the connection ends.
func (c *Client) readMessages() {
	in := bufio.NewReaderSize(c.socket, 64<<10)
	var whole drive.EventBatch
	var err error
	for err == nil {
		var line []byte
		if line, err = readLine(in, maxAnswerBytes); err != nil {
			break
		}
		var m message
		if err = json.Unmarshal(line, &m); err != nil {
			break
		}
		if m.Method == "events" {
			err = c.addEvents(m, &whole)
			continue
		}
		err = c.passAnswer(m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeError = ErrOwnerGone
	if refused := (*Error)(nil); errors.As(err, &refused) {
		c.closeError = refused
	}
	for _, answer := range c.answerByRequestID {
		close(answer)
	}
	c.answerByRequestID = nil
	close(c.closed)
	_ = c.socket.Close()
}

// addEvents adds the events of a message to whole, and passes on the batch when it is complete.
func (c *Client) addEvents(m message, whole *drive.EventBatch) error {
	var b drive.EventBatch
	if err := json.Unmarshal(m.Params, &b); err != nil {
		return err
	}
	if b.HasWholeBranch {
		whole.Events, whole.HasWholeBranch = nil, true
	}
	whole.Events, whole.State = append(whole.Events, b.Events...), b.State
	if b.HasMore {
		return nil
	}
	c.mu.Lock()
	take := c.takeBatch
	c.mu.Unlock()
	take(*whole)
	*whole = drive.EventBatch{}
	return nil
}

// passAnswer passes an answer to the request that waits for it. An error without a request ends the
// connection.
func (c *Client) passAnswer(m message) error {
	var id int64
	if json.Unmarshal(m.ID, &id) != nil || string(m.ID) == "null" {
		if m.Error != nil {
			return m.Error
		}
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.answerByRequestID[id]; answer != nil {
		delete(c.answerByRequestID, id)
		answer <- m
	}
	return nil
}
