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
	errIncompleteReply = errors.New("the server ended the reply before it was complete")
	errNotReply        = errors.New("the server sent something that is not part of a reply")
)

// An outputError is the error of writing the reply to the output.
type outputError struct{ error }

// partialReply is what has arrived of a reply.
type partialReply struct {
	text, reasoning, refusal  strings.Builder
	calls                     []plan.ToolCall
	callArguments             [][]byte // the arguments of calls that have arrived so far
	receivedBytes             int      // the number of bytes that have arrived
	emptyPieceCount           int      // the number of empty pieces
	modelName, finishReason   string
	inputTokens, outputTokens int
	hasInvalidUsage           bool // the server reported impossible numbers of tokens
}

// hasBegun reports whether any part of the reply has arrived. Then another attempt would be a second
// reply.
func (r *partialReply) hasBegun() bool {
	return r.text.Len()+r.reasoning.Len()+r.refusal.Len() > 0 || len(r.calls) > 0 || r.finishReason != ""
}

// readStream reads pieces until the stream ends. A reply with a finish reason is complete, even if the
// connection fails afterwards.
func (m *modelCall) readStream(answer *http.Response) error {
	const escaped = 4 // escapes make text longer in JSON, and a piece contains more than text
	body := &pieceReader{ReadCloser: answer.Body, maxPieceBytes: escaped * m.config.replyByteLimit()}
	answer.Body = body
	events := ssestream.NewDecoder(answer)
	defer events.Close()
	for body.beginPiece(); events.Next(); body.beginPiece() {
		event := events.Event()
		data := bytes.TrimSpace(event.Data)
		switch {
		case len(data) == 0: // an event that only keeps the connection open
		case string(data) == "[DONE]":
			return nil
		case event.Type == "error":
			return streamError(data)
		default:
			if err := m.addPiece(data); err != nil {
				return err
			}
		}
	}
	switch {
	case m.partialReply.finishReason != "":
		return nil
	case events.Err() != nil:
		return events.Err()
	}
	return errIncompleteReply
}

// addPiece adds a piece to the reply.
func (m *modelCall) addPiece(data []byte) error {
	var p streamPiece
	if json.Unmarshal(data, &p) != nil {
		return errNotReply
	}
	if isPresent(p.Error) {
		return streamError(data)
	}
	r := &m.partialReply
	if r.modelName == "" {
		r.modelName = p.Model
	}
	switch u := p.Usage; {
	case u.Prompt < 0 || u.Completion < 0:
		r.hasInvalidUsage = true
	case u.Prompt+u.Completion > 0:
		r.inputTokens, r.outputTokens = int(u.Prompt), int(u.Completion)
	}
	for _, c := range p.Choices {
		if c.Index != 0 { // another alternative: only the first one counts
			continue
		}
		if err := m.addChoice(c); err != nil {
			return err
		}
	}
	return nil
}

// addChoice adds the new parts of a choice to the reply, and writes the text to the output.
func (m *modelCall) addChoice(c choice) error {
	fits := m.fitPiece(&c.Delta)
	m.addReasoning(c.Delta.reasoning())
	m.partialReply.refusal.WriteString(c.Delta.Refusal)
	if err := m.partialReply.addCallPieces(c.Delta.ToolCalls); err != nil {
		return err
	}
	if c.FinishReason != "" {
		m.partialReply.finishReason = c.FinishReason
	}
	if c.Delta.Content != "" {
		m.partialReply.text.WriteString(c.Delta.Content)
		if _, err := io.WriteString(m.output, c.Delta.Content); err != nil {
			return &outputError{err}
		}
	}
	if !fits {
		return errEndlessReply
	}
	return nil
}

// addReasoning adds reasoning to the reply, and passes it to the request.
func (m *modelCall) addReasoning(text string) {
	m.partialReply.reasoning.WriteString(text)
	if text != "" && m.request.AddReasoning != nil {
		m.request.AddReasoning(text)
	}
}

// streamError returns the error that a server sent in place of a piece of the stream, as a serverError.
func streamError(data []byte) error {
	f := parseErrorDetails(data)
	return &serverError{httpStatus: f.statusFromCode(), body: data, details: f}
}

// A streamPiece is one event of a stream, with the fields that are used here.
type streamPiece struct {
	Model   string
	Choices []choice
	Usage   struct {
		Prompt     tokenCount `json:"prompt_tokens"`
		Completion tokenCount `json:"completion_tokens"`
	}
	Error json.RawMessage
}

// tokenCount is a number of tokens; an impossible number is stored as -1.
type tokenCount int

// maxCountedTokens is the largest plausible number of tokens of a call. A larger number is a mistake of the
// server.
const maxCountedTokens = 100_000_000

// UnmarshalJSON implements json.Unmarshaler. A wrong number is not an error, so the reply is kept.
func (t *tokenCount) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(string(data), 64)
	switch {
	case string(data) == "null":
		n = 0
	case err != nil, n < 0, n > maxCountedTokens, n != math.Trunc(n):
		n = -1
	}
	*t = tokenCount(n)
	return nil
}

type choice struct {
	Index        int
	Delta        delta
	FinishReason string `json:"finish_reason"`
}

// A delta is the new part of a reply. Servers use one of two names for reasoning. If a server uses
// both, they have the same content.
type delta struct {
	Content          string
	Refusal          string
	Reasoning        string
	ReasoningContent string      `json:"reasoning_content"`
	ToolCalls        []callPiece `json:"tool_calls"`
}

func (d delta) reasoning() string { return cmp.Or(d.ReasoningContent, d.Reasoning) }
