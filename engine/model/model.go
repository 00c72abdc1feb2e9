// Package model is where replies come from: what a session asks, what it gets
// back, and the sources that need no network. A server is asked by the package
// below it.
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
	// Reply answers a request. The text is written to out as it comes, and the
	// request's functions are called before it returns: when the reply is whole, the
	// call has failed, or ctx is done.
	Reply(ctx context.Context, r Request, out io.Writer) Reply
}

// Request is one call, whole: a source only carries it.
type Request struct {
	Label     string         // the unit it is for: 2a
	Part      string         // which of the unit's calls it is, where it makes several
	Nth       int            // which call of that label and part it is, from 1
	Model     string         // as the document names it; empty: the source's own
	Alias     bool           // Model is one that a configuration may map; unmapped it is as good as none
	System    string         // the system message; empty: none
	Thread    []plan.Message // what was said before in this conversation
	Prompt    string         // the user message; empty: the thread ends with what is to be answered
	Schema    []byte         // the JSON Schema of a structured reply; nil: free text
	Functions []Function     // what the model may call instead of replying
	Notify    func(Notice)   // what there is to say meanwhile; nil: nobody listens
	Think     func(string)   // reasoning as it comes, only what is new; nil: nobody listens
}

// Function is something that a model may call.
type Function struct {
	Name        string // letters, digits, _ and -, at most 64
	Description string
	Schema      []byte // of its arguments, a JSON Schema
}

// Notice is something to show while a call is under way.
type Notice struct {
	Text  string    `json:"text"`           // what happened: the server is busy …
	Until time.Time `json:"until,omitzero"` // when it is tried again
	Skip  func()    `json:"-"`              // tries at once
}

// How a schema of replies is told to a server.
const (
	SchemaSent     = "response_format"
	SchemaInPrompt = "prompt" // by a server that takes no response format
)

// Reply is what came back.
type Reply struct {
	Text      string
	Calls     []plan.ToolCall // of functions, in the model's order
	Report    string          // the arguments of a report that is there already; empty: none
	Reasoning string          // what a server sent beside the reply
	Err       error           // why there is no whole reply, in words for a person
	Cancelled bool            // ctx was done
	Model     string          // that answered
	Finish    string          // why it ended: stop, length …
	Schema    string          // how the server was told the request's: SchemaSent, SchemaInPrompt; empty: it has none
	In, Out   int             // tokens; 0: not known
	Cost      *float64        // in USD; nil: not known
	By        string          // file or person, when it was no model's
	Notes     []string        // what the call had to do without, in words for a person
	RunNotes  []string        // the same, of what holds for every call: a run says each once
}

// ErrNoList is the error of a server that answers and does not say which models it has.
var ErrNoList = errors.New("the server does not say which models it has")

// Manual is the name of the source that is a person.
const Manual = "manual"

// Origin is a source that a person can choose by its name.
type Origin struct {
	Name  string                 // as --source takes it: openai, replay:7f3a
	About string                 // what there is to know of it, in a few words
	Open  func() (Source, error) // makes it ready

	Stored bool // no model is asked: its replies are there already
}

// Offered are sources to choose from, and last of all a person.
func Offered(sources []Origin) []Origin {
	return append(slices.Clip(sources), Origin{Name: Manual, About: "you reply"})
}

// Replies are replies that are there already: of a file, or of an earlier run. The
// n-th is for the n-th call, the last one for all later ones.
type Replies struct {
	By  string             // who they are from: file, or the run
	All map[string][]Reply // by Key
}

// Has reports whether there is a reply to the request.
func (r *Replies) Has(q Request) bool { return r != nil && len(r.All[Key(q.Label, q.Part)]) > 0 }

// Key is the name of a call in files of replies: LABEL, or LABEL/PART where a unit
// makes several calls.
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
