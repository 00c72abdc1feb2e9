// Package service serves a run to other processes of the same person: JSON-RPC 2.0 over a Unix
// socket, one message a line (docs/protocol.md). A Server belongs to the process that drives the run, and
// a Client to one of the others.
//
// Clients cannot slow down the run. Every connection has its own goroutines, a limit for the length
// of messages and a deadline for each write, and the run never waits for them.
package service

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// ProtocolVersion is the version of the protocol. It increases with incompatible changes only, not with
// additions.
const ProtocolVersion = 1

// MaxMessageBytes limits the length of a client's message, in bytes.
const MaxMessageBytes = 1 << 20

// message is a request, a notification or a response.
type message struct {
	JSONRPCVersion string          `json:"jsonrpc"`
	ID             json.RawMessage `json:"id,omitempty"`
	Method         string          `json:"method,omitempty"`
	Params         json.RawMessage `json:"params,omitempty"`
	Result         json.RawMessage `json:"result,omitempty"`
	Error          *Error          `json:"error,omitempty"`
}

// Error says why a request failed.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// The error codes. JSON-RPC defines those below -32099.
const (
	CodeParseError     = -32700 // the message is not JSON
	CodeInvalidRequest = -32600 // it is not a request, or too long
	CodeMethodNotFound = -32601 // there is no such method
	CodeInvalidParams  = -32602 // the parameters of the method cannot be read
	CodeRefused        = -32000 // the action cannot be done, or not with these arguments
	CodeStale          = -32001 // the run has had events that the client has not seen
	CodeForbidden      = -32002 // this process may not connect
	CodeSessionEnded   = -32003 // the session has ended
)

// errMessageTooLong is the error for a message that exceeds the limit.
var errMessageTooLong = errors.New("too long")

// readLine returns the next line without surrounding space. A line of more than maxBytes bytes or without its end is
// an error.
func readLine(r *bufio.Reader, maxBytes int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxBytes {
			return nil, errMessageTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// decodeParams decodes the parameters of a request. Unknown parameters are an error.
func decodeParams(data json.RawMessage, to any) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf("the parameters cannot be read: %v", err)}
	}
	return nil
}
