package openai

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
)

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

// mostTokens is how many one call can use at most: what is more is an error of the server.
const mostTokens = 100_000_000

// UnmarshalJSON implements json.Unmarshaler. A wrong number is no reason to lose the reply.
func (t *tokens) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(string(data), 64)
	switch {
	case string(data) == "null":
		n = 0
	case err != nil, n < 0, n > mostTokens, n != math.Trunc(n):
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
