package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"playhead/parse/plan"
)

var (
	errEarly    = errors.New("the server ended the reply before it was complete")
	errNotReply = errors.New("the server sent something that is not part of a reply")
)

// A sinkError is that what came could not be passed on.
type sinkError struct{ error }

// partialReply is what has come of a reply.
type partialReply struct {
	text, reasoning, refusal strings.Builder
	calls                    []plan.ToolCall
	arguments                [][]byte // of calls, as far as they have come
	size                     int      // of all that has come, in bytes
	empty                    int      // pieces that had nothing in them
	model, finish            string
	in, out                  int
	hasBadTokens             bool // the server counted tokens that cannot be
}

// hasBegun reports whether something of the reply is there, so that asking again would be a
// second reply.
func (r *partialReply) hasBegun() bool {
	return r.text.Len()+r.reasoning.Len()+r.refusal.Len() > 0 || len(r.calls) > 0 || r.finish != ""
}

// read takes pieces until the stream says that it is done, or ends. A reply that has said why
// it finished is whole, whatever becomes of the connection afterwards.
func (k *call) read(answer *http.Response) error {
	const escaped = 4 // a character takes more in JSON, and a piece may have more than text
	body := &pieceReader{ReadCloser: answer.Body, limit: escaped * k.conf.bound()}
	answer.Body = body
	events := ssestream.NewDecoder(answer)
	defer events.Close()
	for body.next(); events.Next(); body.next() {
		event := events.Event()
		data := bytes.TrimSpace(event.Data)
		switch {
		case len(data) == 0: // keeps the connection open
		case string(data) == "[DONE]":
			return nil
		case event.Type == "error":
			return streamError(data)
		default:
			if err := k.take(data); err != nil {
				return err
			}
		}
	}
	switch {
	case k.reply.finish != "":
		return nil
	case events.Err() != nil:
		return events.Err()
	}
	return errEarly
}

// take adds a piece to the reply.
func (k *call) take(data []byte) error {
	var p piece
	if json.Unmarshal(data, &p) != nil {
		return errNotReply
	}
	if isPresent(p.Error) {
		return streamError(data)
	}
	r := &k.reply
	if r.model == "" {
		r.model = p.Model
	}
	switch u := p.Usage; {
	case u.Prompt < 0 || u.Completion < 0:
		r.hasBadTokens = true
	case u.Prompt+u.Completion > 0:
		r.in, r.out = int(u.Prompt), int(u.Completion)
	}
	for _, c := range p.Choices {
		if c.Index != 0 {
			continue
		}
		if err := k.add(c); err != nil {
			return err
		}
	}
	return nil
}

// add adds what is new, and passes the text on.
func (k *call) add(c choice) error {
	fits := k.makeRoom(&c.Delta)
	k.think(c.Delta.reasoning())
	k.reply.refusal.WriteString(c.Delta.Refusal)
	if err := k.reply.addCall(c.Delta.Calls); err != nil {
		return err
	}
	if c.Finish != "" {
		k.reply.finish = c.Finish
	}
	if c.Delta.Content != "" {
		k.reply.text.WriteString(c.Delta.Content)
		if _, err := io.WriteString(k.out, c.Delta.Content); err != nil {
			return &sinkError{err}
		}
	}
	if !fits {
		return errEndless
	}
	return nil
}

// think keeps reasoning, and passes it on.
func (k *call) think(text string) {
	k.reply.reasoning.WriteString(text)
	if text != "" && k.request.Think != nil {
		k.request.Think(text)
	}
}

// streamError returns the error that a server sent in place of a piece of the stream.
func streamError(data []byte) error {
	f := readFault(data)
	return &refusal{status: f.status(), body: data, fault: f}
}

// A piece is one event of a stream, as far as it matters here.
type piece struct {
	Model   string
	Choices []choice
	Usage   struct {
		Prompt     tokens `json:"prompt_tokens"`
		Completion tokens `json:"completion_tokens"`
	}
	Error json.RawMessage
}

// tokens is a number of tokens, negative for what is none.
type tokens int

// maxTokens is how many one call can use at most: what is more is an error of the server.
const maxTokens = 100_000_000

// UnmarshalJSON implements json.Unmarshaler. A wrong number is no reason to lose the reply.
func (t *tokens) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(string(data), 64)
	switch {
	case string(data) == "null":
		n = 0
	case err != nil, n < 0, n > maxTokens, n != math.Trunc(n):
		n = -1
	}
	*t = tokens(n)
	return nil
}

type choice struct {
	Index  int
	Delta  delta
	Finish string `json:"finish_reason"`
}

// A delta is what is new. Servers call reasoning by one of two names; those that use both say
// the same in both.
type delta struct {
	Content          string
	Refusal          string
	Reasoning        string
	ReasoningContent string      `json:"reasoning_content"`
	Calls            []callPiece `json:"tool_calls"`
}

func (d delta) reasoning() string { return cmp.Or(d.ReasoningContent, d.Reasoning) }
