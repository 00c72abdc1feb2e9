package openai

import (
	"cmp"
	"encoding/json"
)

// A piece is one event of a stream, as far as it matters here.
type piece struct {
	Model   string
	Choices []choice
	Usage   struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
	Error json.RawMessage
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
