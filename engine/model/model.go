// Package model defines where replies come from: the interfaces through which a session asks, and
// the sources that need no network. The package below it asks servers.
package model

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"playhead/parse/plan"
)

// Source answers model calls.
type Source interface {
	// Reply answers a request. It writes the text to out as it arrives, and calls the request's
	// functions. It returns when the reply is complete, the call has failed, or ctx is done.
	Reply(ctx context.Context, r Request, out io.Writer) Reply
}

// Request is one call of a model. It is complete, and a source only transports it.
type Request struct {
	Label     string         // the label of the step, such as 2a
	Part      string         // which of the step's calls it is, if there are several
	Nth       int            // the number of the call with that label and part, from 1
	Model     string         // as the document names it; empty: the source's own
	Alias     bool           // a configuration may map Model to another name; unmapped, it counts as empty
	System    string         // the system message; empty: none
	Thread    []plan.Message // the earlier messages of this conversation
	Prompt    string         // the user message; empty: the thread ends with the message to answer
	Schema    []byte         // the JSON Schema of a structured reply; nil: free text
	Functions []Function     // what the model may call instead of replying
	Notify    func(Notice)   // shows progress; may be nil
	Think     func(string)   // receives new reasoning text as it arrives; may be nil
}

// Function is a function that a model may call.
type Function struct {
	Name        string // letters, digits, _ and -, at most 64
	Description string
	Schema      []byte // of its arguments, a JSON Schema
}

// Notice is something to show during a call.
type Notice struct {
	Text  string    `json:"text"`           // what happened: the server is busy …
	Until time.Time `json:"until,omitzero"` // when the call is retried
	Skip  func()    `json:"-"`              // retries at once
}

// How a server is told the schema of replies.
const (
	SchemaSent     = "response_format"
	SchemaInPrompt = "prompt" // for a server that accepts no response format
)

// Reply is the result of a call.
type Reply struct {
	Text      string
	Calls     []plan.ToolCall // of functions, in the model's order
	Report    string          // the arguments of a prepared report; empty: none
	Reasoning string          // what the server sent in addition to the reply
	Err       error           // why there is no complete reply, for a person
	Cancelled bool            // ctx ended
	Model     string          // the model that answered
	Finish    string          // why it ended: stop, length …
	Schema    string          // how the server was told the request's: SchemaSent, SchemaInPrompt; empty: it has none
	In, Out   int             // tokens; 0: unknown
	Cost      *float64        // in USD; nil: unknown
	By        string          // "file" or "person", if no model replied
	Notes     []string        // what the call had to do without, for a person
	RunNotes  []string        // like Notes, but true for every call, so a run shows each once
}

// ErrNoList is the error for a server that answers but does not list its models.
var ErrNoList = errors.New("the server does not say which models it has")

// Manual is the name of the source that is a person.
const Manual = "manual"

// Origin is a source that a person can choose by its name.
type Origin struct {
	Name  string                 // as in --source: openai, replay:7f3a
	About string                 // a short description
	Open  func() (Source, error) // opens the source

	Stored bool // no model is asked, because the replies are stored
}

// WithManual returns the sources to choose from, with the person as the last one.
func WithManual(sources []Origin) []Origin {
	return append(slices.Clip(sources), Origin{Name: Manual, About: "you reply"})
}

// Replies are prepared replies, from a file or an earlier run. The nth reply is for the nth call,
// and the last one also for all later calls.
type Replies struct {
	By  string             // where they come from: "file", or the run
	All map[string][]Reply // by Key
}

// Has reports whether there is a reply to the request.
func (r *Replies) Has(q Request) bool { return r != nil && len(r.All[Key(q.Label, q.Part)]) > 0 }

// Key returns the key of a call in files of replies: LABEL, or LABEL/PART if a step makes several
// calls.
func Key(label, part string) string {
	if part == "" {
		return label
	}
	return label + "/" + part
}

// Reply implements Source.
func (r *Replies) Reply(_ context.Context, q Request, out io.Writer) Reply {
	all := r.All[Key(q.Label, q.Part)]
	reply := all[min(max(q.Nth, 1), len(all))-1]
	reply.By, reply.Calls = r.By, slices.Clone(reply.Calls)
	_, reply.Err = io.WriteString(out, reply.Text)
	return reply
}
