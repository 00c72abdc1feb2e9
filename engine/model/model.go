// Package model defines reply sources: the interface through which a session asks for replies, and the
// sources that need no network. Package openai, below it, asks model servers.
package model

import (
	"context"
	"io"
	"slices"
	"time"

	"playhead/parse/plan"
)

// ReplySource is a reply source: it answers model calls.
type ReplySource interface {
	// Reply answers a request. It writes the text to out as it arrives, and calls the request's
	// functions. It returns when the reply is complete, the call has failed, or ctx is done.
	Reply(ctx context.Context, r Request, out io.Writer) Reply
}

// Request is one call of a model. It is complete, and a source only transports it.
type Request struct {
	StepLabel       string         // the label of the step, such as 2a
	CallName        string         // the name of the call, if the step makes several
	CallNumber      int            // the number of the call with that label and name, from 1
	ModelName       string         // the document's name for the model; empty: the source's default
	IsModelAlias    bool           // a configuration may map ModelName to another name; unmapped, it counts as empty
	SystemMessage   string         // the system message; empty: none
	EarlierMessages []plan.Message // the earlier messages of this conversation
	Prompt          string         // the user message; empty: EarlierMessages end with the message to answer
	ReplySchema     []byte         // the JSON Schema of a structured reply; nil: free text
	Functions       []Function     // what the model may call instead of replying
	ShowNotice      func(Notice)   // shows progress; may be nil
	AddReasoning    func(string)   // receives new reasoning text as it arrives; may be nil
}

// Function is a function that a model may call.
type Function struct {
	Name           string // letters, digits, _ and -, at most 64
	Description    string
	ArgumentSchema []byte // the JSON Schema of its arguments
}

// Notice is what to show a person while a call waits for its next attempt.
type Notice struct {
	Text     string    `json:"text"`           // what happened: the server is busy …
	RetryAt  time.Time `json:"until,omitzero"` // when the call is retried
	RetryNow func()    `json:"-"`              // retries at once
}

// How a server is told the schema of replies: the values of Reply.SchemaMethod.
const (
	SchemaInResponseFormat = "response_format"
	SchemaInPrompt         = "prompt" // for a server that accepts no response format
)

// Reply is the result of a call.
type Reply struct {
	Text                      string
	WantedCalls               []plan.ToolCall // the function calls that the model wants, in its order
	ReportArgs                string          // the arguments of a prepared report; empty: none
	Reasoning                 string          // what the server sent in addition to the reply
	Err                       error           // why there is no complete reply, for a person
	IsCancelled               bool            // ctx ended
	ModelName                 string          // the model that answered
	FinishReason              string          // why the model ended the reply: stop, length …
	SchemaMethod              string          // how the server was told the request's schema: SchemaInResponseFormat or SchemaInPrompt; empty: there is none
	InputTokens, OutputTokens int             // numbers of tokens; 0: unknown
	CostUSD                   *float64        // in USD; nil: unknown
	RepliedBy                 string          // who replied instead of a model, such as "file" or "person"; empty: the model
	CallWarnings              []string        // warnings for a person about features that the call could not use
	OncePerRunWarnings        []string        // like CallWarnings, but true for every call, so a run shows each once
}

// ManualReplySource is the name of the reply source that is a person.
const ManualReplySource = "manual"

// ReplySourceOption is a reply source that a person can choose by its name.
type ReplySourceOption struct {
	Name        string                      // as in --source: openai, replay:7f3a
	Description string                      // a short description
	Open        func() (ReplySource, error) // opens the source

	HasStoredReplies bool // no model is asked, because the replies are stored
}

// WithManualReplySource returns the sources to choose from, with the person as the last one.
func WithManualReplySource(sources []ReplySourceOption) []ReplySourceOption {
	return append(slices.Clip(sources), ReplySourceOption{Name: ManualReplySource, Description: "you reply"})
}

// PreparedReplies are prepared replies, from a file or an earlier run. The nth reply of a key is for the nth call
// with that key, and the last one also for all later calls.
type PreparedReplies struct {
	RepliedBy string             // where they come from: "file", or the run
	ByCallKey map[string][]Reply // by CallKey
}

// HasReply reports whether there is a reply to the request.
func (r *PreparedReplies) HasReply(q Request) bool {
	return r != nil && len(r.ByCallKey[CallKey(q.StepLabel, q.CallName)]) > 0
}

// CallKey returns the key of a call in files of replies: LABEL, or LABEL/NAME if a step makes several
// calls.
func CallKey(label, name string) string {
	if name == "" {
		return label
	}
	return label + "/" + name
}

// Reply implements ReplySource. It requires that HasReply is true for q.
func (r *PreparedReplies) Reply(_ context.Context, q Request, out io.Writer) Reply {
	all := r.ByCallKey[CallKey(q.StepLabel, q.CallName)]
	reply := all[min(max(q.CallNumber, 1), len(all))-1]
	reply.RepliedBy, reply.WantedCalls = r.RepliedBy, slices.Clone(reply.WantedCalls)
	_, reply.Err = io.WriteString(out, reply.Text)
	return reply
}
