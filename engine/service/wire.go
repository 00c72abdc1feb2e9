// Package service serves a run to other processes of the same person: JSON-RPC 2.0 over a Unix
// socket, one message a line (docs/protocol.md). Server is the process that drives the run; Client is
// one of the others.
//
// What a client does costs the run nothing: every connection has its own goroutines, a bounded
// message at a time and a deadline for each write, and the run never waits for any of them.
package service

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Protocol is the number of the protocol's version. It grows when something is not as before; what is
// only added does not change it.
const Protocol = 1

// MaxMessage is how long a message of a client may be, in bytes.
const MaxMessage = 1 << 20

// message is a request, a notification or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Error is why a request failed.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// The codes of errors. Those below -32099 are of JSON-RPC itself.
const (
	CodeParse    = -32700 // the message is not JSON
	CodeRequest  = -32600 // it is not a request, or too long
	CodeMethod   = -32601 // there is no such method
	CodeParams   = -32602 // its parameters are not as they should be
	CodeRefused  = -32000 // the action cannot be done, or not with these arguments
	CodeStale    = -32001 // the run has had events that the client has not seen
	CodeStranger = -32002 // this process may not connect
	CodeOver     = -32003 // the session has ended
)

// errTooLong is the error of a message that is longer than it may be.
var errTooLong = errors.New("too long")

// readLine returns the next line, of at most so many bytes. One that is not complete is none.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, errTooLong
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

// encode writes a value as JSON on one line.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// params reads the parameters of a request, and refuses those it does not have.
func params(data json.RawMessage, to any) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return &Error{Code: CodeParams, Message: fmt.Sprintf("the parameters cannot be read: %v", err)}
	}
	return nil
}
