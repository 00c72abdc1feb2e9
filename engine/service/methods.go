package service

import (
	"encoding/json"
	"errors"

	"playhead/engine"
	"playhead/engine/drive"
)

// methodByName are the requests that a client can make (docs/protocol.md). A result is encoded as JSON. For a
// *drive.EventFeed, the client gets an empty result, and then what the feed reports.
var methodByName = map[string]func(*clientConn, json.RawMessage) (any, error){
	"hello": withParams((*clientConn).identifyClient),
	"state": func(c *clientConn, _ json.RawMessage) (any, error) { return c.server.driver.State(), nil },
	"actions": func(c *clientConn, _ json.RawMessage) (any, error) {
		return c.server.driver.Actions(c.asDriveClient()), nil
	},
	"do":     withParams((*clientConn).doAction),
	"events": withParams((*clientConn).followEvents),
	"log":    withParams((*clientConn).readLog),
	"step":   withParams((*clientConn).readStep),
	"attach": (*clientConn).takeControl,
	"trust":  withParams((*clientConn).trustCommands),
	"called": withParams((*clientConn).recordPlayheadToolCall),
	"type":   withParams((*clientConn).typeText),
}

// withParams returns a method that decodes its parameters and passes them to call.
func withParams[P any](call func(*clientConn, P) (any, error)) func(*clientConn, json.RawMessage) (any, error) {
	return func(c *clientConn, data json.RawMessage) (any, error) {
		var p P
		if err := decodeParams(data, &p); err != nil {
			return nil, err
		}
		return call(c, p)
	}
}

// identifyClient tells the server who the client is, and returns what it is connected to.
func (c *clientConn) identifyClient(p struct {
	Client   string `json:"client"`
	Protocol int    `json:"protocol"`
}) (any, error) {
	if p.Protocol > ProtocolVersion {
		return nil, &Error{Code: CodeInvalidParams, Message: "this run is open in an older version of Playhead: quit Playhead there first, then use playhead resume", Data: ProtocolVersion}
	}
	if !c.hasTakenControl { // the run knows a screen in control by its name
		c.name = sanitizeName(p.Client)
	}
	return struct {
		Protocol int    `json:"protocol"`
		Version  string `json:"version"`
		Run      string `json:"run"`
	}{ProtocolVersion, c.server.version, c.server.run.ID()}, nil
}

func (c *clientConn) doAction(o drive.ActionRequest) (any, error) {
	client := c.asDriveClient()
	if c.hasTakenControl && !client.IsController {
		return nil, &drive.RefusedError{Reason: "Another screen controls the run now."}
	}
	return c.server.driver.Do(client, o)
}

func (c *clientConn) followEvents(p struct {
	From int `json:"from"`
}) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.followsEvents {
		return nil, &drive.RefusedError{Reason: "this connection already receives the events"}
	}
	c.followsEvents = true
	return c.server.driver.NewFeed(p.From), nil
}

func (c *clientConn) readLog(p struct {
	File  string `json:"file"`
	From  int    `json:"from"`
	Lines int    `json:"lines"`
}) (any, error) {
	return c.server.driver.ReadLog(p.File, p.From, p.Lines)
}

func (c *clientConn) readStep(p struct {
	Step string `json:"step"`
}) (any, error) {
	return c.server.driver.Step(p.Step)
}

// takeControl gives control of the run to the client's screen, until the client disconnects or another
// one takes control.
func (c *clientConn) takeControl(json.RawMessage) (any, error) {
	if err := c.sessionAsClient().TakeControl(); err != nil {
		return nil, err
	}
	c.hasTakenControl = true
	return c.server.driver.State(), nil
}

// trustCommands returns which commands a person has to trust. With allow, it also stores that the person at the
// client's terminal trusts them.
func (c *clientConn) trustCommands(p struct {
	Allow bool `json:"allow"`
}) (any, error) {
	return c.server.driver.TrustOrListCommands(c.asDriveClient(), p.Allow)
}

// recordPlayheadToolCall records that the client called a tool of Playhead for an agent, so that watchers see it.
func (c *clientConn) recordPlayheadToolCall(p struct {
	Tool string `json:"tool"`
}) (any, error) {
	return struct{}{}, c.server.driver.RecordPlayheadToolCall(c.asDriveClient(), sanitizeName(p.Tool))
}

// typeText writes to the terminal of the running command.
func (c *clientConn) typeText(p struct {
	Text []byte `json:"text"`
}) (any, error) {
	return struct{}{}, c.sessionAsClient().TypeIntoCommand(p.Text)
}

// protocolError returns an error in the form of the protocol.
func protocolError(err error) *Error {
	var own *Error
	var stale *engine.StaleError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &stale):
		return &Error{Code: CodeStale, Message: err.Error(), Data: map[string]int{"seq": stale.NewestSeq}}
	case errors.Is(err, engine.ErrClosed):
		return &Error{Code: CodeSessionEnded, Message: err.Error()}
	}
	return &Error{Code: CodeRefused, Message: err.Error()}
}
