package openai

import (
	"encoding/json"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"playhead/engine/model"
	"playhead/parse/plan"
)

// messages are a conversation as it is sent, with the prompt at its end.
func messages(system string, thread []plan.Message, prompt string) []openai.ChatCompletionMessageParamUnion {
	var out []openai.ChatCompletionMessageParamUnion
	if system != "" {
		out = append(out, openai.SystemMessage(system))
	}
	for _, m := range thread {
		switch m.Role {
		case plan.Assistant:
			out = append(out, assistant(m))
		case plan.ToolRole:
			out = append(out, openai.ToolMessage(m.Text, m.Call))
		default:
			out = append(out, openai.UserMessage(m.Text))
		}
	}
	if prompt != "" || len(thread) == 0 {
		out = append(out, openai.UserMessage(prompt))
	}
	return out
}

// assistant is what the model said before. Some servers refuse a message with calls
// and an empty text beside them.
func assistant(m plan.Message) openai.ChatCompletionMessageParamUnion {
	said := openai.AssistantMessage(m.Text)
	if m.Text == "" && len(m.Calls) > 0 {
		said = openai.ChatCompletionMessageParamUnion{OfAssistant: &openai.ChatCompletionAssistantMessageParam{}}
	}
	for _, c := range m.Calls {
		said.OfAssistant.ToolCalls = append(said.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments},
			},
		})
	}
	return said
}

// functions are what the model may call, as it is sent.
func functions(all []model.Function) ([]openai.ChatCompletionToolUnionParam, error) {
	var out []openai.ChatCompletionToolUnionParam
	for _, f := range all {
		asked := shared.FunctionDefinitionParam{Name: f.Name}
		if f.Description != "" {
			asked.Description = openai.String(f.Description)
		}
		if f.Schema != nil {
			if err := json.Unmarshal(f.Schema, &asked.Parameters); err != nil {
				return nil, fmt.Errorf("the JSON Schema of %s is no JSON object: %w", f.Name, err)
			}
		}
		out = append(out, openai.ChatCompletionFunctionTool(asked))
	}
	return out, nil
}
