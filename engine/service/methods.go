package service

import (
	"encoding/json"
	"errors"

	"playhead/engine"
	"playhead/engine/drive"
)

// methods are the requests that a client can make. A result is encoded as JSON, and a *drive.Feed
// is followed.
var methods = map[string]func(*conn, json.RawMessage) (any, error){
	"hello":   (*conn).hello,
	"state":   func(c *conn, _ json.RawMessage) (any, error) { return c.server.driver.State(), nil },
	"actions": func(c *conn, _ json.RawMessage) (any, error) { return c.server.driver.Actions(c.client()), nil },
	"do":      (*conn).do,
	"events":  (*conn).events,
	"log":     (*conn).log,
	"step":    (*conn).step,
	"attach":  (*conn).attach,
	"trust":   (*conn).trust,
	"called":  (*conn).called,
	"type":    (*conn).typeText,
}

// hello tells the server who the client is, and returns what it is connected to.
func (c *conn) hello(data json.RawMessage) (any, error) {
	var p struct {
		Client   string `json:"client"`
		Protocol int    `json:"protocol"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	if p.Protocol > Protocol {
		return nil, &Error{Code: CodeParams, Message: "this Playhead is older: it speaks an earlier version of the protocol", Data: Protocol}
	}
	if !c.screen { // the run knows a screen in control by its name
		c.name = clientName(p.Client)
	}
	return struct {
		Protocol int    `json:"protocol"`
		Version  string `json:"version"`
		Run      string `json:"run"`
	}{Protocol, c.server.version, c.server.run.ID()}, nil
}

func (c *conn) do(data json.RawMessage) (any, error) {
	var o drive.Order
	if err := params(data, &o); err != nil {
		return nil, err
	}
	client := c.client()
	if c.screen && !client.Controls {
		return nil, &drive.RefusedError{Reason: "Another screen controls the run now."}
	}
	return c.server.driver.Do(client, o)
}

func (c *conn) events(data json.RawMessage) (any, error) {
	var p struct {
		From int `json:"from"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.following {
		return nil, &drive.RefusedError{Reason: "this connection already follows the events"}
	}
	c.following = true
	return c.server.driver.Feed(p.From), nil
}

func (c *conn) log(data json.RawMessage) (any, error) {
	var p struct {
		File  string `json:"file"`
		From  int    `json:"from"`
		Lines int    `json:"lines"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	return c.server.driver.Log(p.File, p.From, p.Lines)
}

func (c *conn) step(data json.RawMessage) (any, error) {
	var p struct {
		Step string `json:"step"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	return c.server.driver.Step(p.Step)
}

// attach gives control of the run to the client's screen, until the client disconnects or another
// one takes control.
func (c *conn) attach(json.RawMessage) (any, error) {
	if err := c.session().TakeControl(); err != nil {
		return nil, err
	}
	c.screen = true
	return c.server.driver.State(), nil
}

// trust returns which commands a person has to trust, and accepts their yes from a terminal.
func (c *conn) trust(data json.RawMessage) (any, error) {
	var p struct {
		Allow bool `json:"allow"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	return c.server.driver.Trust(c.client(), p.Allow)
}

// called records that the client called a tool for an agent, for those who look on.
func (c *conn) called(data json.RawMessage) (any, error) {
	var p struct {
		Tool string `json:"tool"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	return struct{}{}, c.server.driver.NoteCall(c.client(), clientName(p.Tool))
}

// typeText writes to the terminal of the running command.
func (c *conn) typeText(data json.RawMessage) (any, error) {
	var p struct {
		Text []byte `json:"text"`
	}
	if err := params(data, &p); err != nil {
		return nil, err
	}
	return struct{}{}, c.session().Type(p.Text)
}

// errorOf returns an error in the form of the protocol.
func errorOf(err error) *Error {
	var own *Error
	var stale *engine.StaleError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &stale):
		return &Error{Code: CodeStale, Message: err.Error(), Data: map[string]int{"seq": stale.Newest}}
	case errors.Is(err, engine.ErrClosed):
		return &Error{Code: CodeOver, Message: err.Error()}
	}
	return &Error{Code: CodeRefused, Message: err.Error()}
}
