package openai

import (
	"errors"
	"fmt"

	"playhead/parse/plan"
)

// mostCalls is how many functions one reply may call: a server that counts on
// must not make a list that long.
const mostCalls = 128

var errCalls = errors.New("the server sent a call that has no place")

// A callPiece is a part of a function call. The first part of a call has its ID and
// name, the others more of its arguments. Some servers leave the index out and
// send each call whole.
type callPiece struct {
	Index    *int
	ID       string
	Function struct{ Name, Arguments string }
}

// call adds parts to the calls that the reply makes.
func (r *received) call(parts []callPiece) error {
	for _, p := range parts {
		i := len(r.calls)
		switch {
		case p.Index != nil:
			i = *p.Index
		case p.ID == "" && i > 0: // more of the last one
			i--
		}
		if i < 0 || i > len(r.calls) || i >= mostCalls {
			return errCalls
		}
		if i == len(r.calls) {
			r.calls = append(r.calls, plan.ToolCall{})
			r.arguments = append(r.arguments, nil)
		}
		c := &r.calls[i]
		if p.ID != "" {
			c.ID = p.ID
		}
		if p.Function.Name != c.Name { // some repeat it with every part
			c.Name += p.Function.Name
		}
		r.arguments[i] = append(r.arguments[i], p.Function.Arguments...)
	}
	return nil
}

// called are the calls that the reply makes, whole.
func (r *received) called() []plan.ToolCall {
	for i := range r.calls {
		if r.calls[i].ID == "" { // the result has to be told whose it is
			r.calls[i].ID = fmt.Sprintf("call_%d", i+1)
		}
		r.calls[i].Arguments = string(r.arguments[i])
	}
	return r.calls
}
