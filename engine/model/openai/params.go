package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"playhead/engine/model"
	"playhead/parse/plan"
)

var errInvalidSchema = errors.New("the JSON Schema for the reply is not JSON")

const schemaInstruction = "\n\nAnswer with one JSON value and nothing else: no code fence, no words around it. It must conform to this JSON Schema:\n\n"

// newParams returns the parameters of a request in this form.
func (f requestForm) newParams(conf config, r model.Request) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: r.ModelName}
	prompt := r.Prompt
	if r.ReplySchema != nil {
		if !json.Valid(r.ReplySchema) {
			return p, errInvalidSchema
		}
		if f.putsSchemaInPrompt {
			prompt += schemaInstruction + string(r.ReplySchema)
		} else {
			p.ResponseFormat.OfJSONSchema = responseFormat(r)
		}
	}
	p.Messages = newMessages(r.SystemMessage, r.EarlierMessages, prompt)
	f.setOptions(&p, conf)
	var err error
	p.Tools, err = newToolParams(r.Functions)
	return p, err
}

// setOptions sets the parameters that are the same for every request.
func (f requestForm) setOptions(p *openai.ChatCompletionNewParams, conf config) {
	limit := openai.Int(int64(conf.MaxReplyTokens))
	if f.usesOldTokenLimit {
		p.MaxTokens = limit
	} else {
		p.MaxCompletionTokens = limit
	}
	if conf.Temperature != nil {
		p.Temperature = openai.Float(*conf.Temperature)
	}
	if !f.omitsUsage {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
}

// responseFormat returns the parameter that asks for a reply that is valid by the schema.
func responseFormat(r model.Request) *shared.ResponseFormatJSONSchemaParam {
	var schema any
	_ = json.Unmarshal(r.ReplySchema, &schema) // it is valid
	format := shared.ResponseFormatJSONSchemaJSONSchemaParam{
		Name:   schemaName(r.StepLabel),
		Schema: json.RawMessage(r.ReplySchema), // keeps the order of the properties
	}
	if canBeStrict(schema) {
		format.Strict = openai.Bool(true)
	}
	return &shared.ResponseFormatJSONSchemaParam{JSONSchema: format}
}

// newMessages returns a conversation as it is sent, with the prompt at its end.
func newMessages(system string, thread []plan.Message, prompt string) []openai.ChatCompletionMessageParamUnion {
	var out []openai.ChatCompletionMessageParamUnion
	if system != "" {
		out = append(out, openai.SystemMessage(system))
	}
	for _, m := range thread {
		switch m.Role {
		case plan.Assistant:
			out = append(out, assistantMessage(m))
		case plan.ToolRole:
			out = append(out, openai.ToolMessage(m.Text, m.CallID))
		default:
			out = append(out, openai.UserMessage(m.Text))
		}
	}
	if prompt != "" || len(thread) == 0 {
		out = append(out, openai.UserMessage(prompt))
	}
	return out
}

// assistantMessage returns an earlier message of the model. Some servers refuse a message with calls and
// an empty text.
func assistantMessage(m plan.Message) openai.ChatCompletionMessageParamUnion {
	message := openai.AssistantMessage(m.Text)
	if m.Text == "" && len(m.ToolCalls) > 0 {
		message = openai.ChatCompletionMessageParamUnion{OfAssistant: &openai.ChatCompletionAssistantMessageParam{}}
	}
	for _, c := range m.ToolCalls {
		message.OfAssistant.ToolCalls = append(message.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments},
			},
		})
	}
	return message
}

// newToolParams returns what the model may call, as it is sent.
func newToolParams(all []model.Function) ([]openai.ChatCompletionToolUnionParam, error) {
	var out []openai.ChatCompletionToolUnionParam
	for _, f := range all {
		definition := shared.FunctionDefinitionParam{Name: f.Name}
		if f.Description != "" {
			definition.Description = openai.String(f.Description)
		}
		if f.ArgumentSchema != nil {
			if err := json.Unmarshal(f.ArgumentSchema, &definition.Parameters); err != nil {
				return nil, fmt.Errorf("the JSON Schema of the tool %s is not a JSON object: %w", f.Name, err)
			}
		}
		out = append(out, openai.ChatCompletionFunctionTool(definition))
	}
	return out, nil
}

// maxCallsPerReply limits the number of function calls in a reply, because a wrong index from a server must not
// create a long list.
const maxCallsPerReply = 128

var errCallIndex = errors.New("the server sent a tool call with an invalid index")

// A callPiece is a part of a function call. The first part of a call has its ID and
// name, the others more of its arguments. Some servers leave the index out and
// send each call whole.
type callPiece struct {
	Index    *int
	ID       string
	Function struct{ Name, Arguments string }
}

// addCallPieces adds parts to the calls that the reply makes.
func (r *partialReply) addCallPieces(parts []callPiece) error {
	for _, p := range parts {
		i := len(r.calls)
		switch {
		case p.Index != nil:
			i = *p.Index
		case p.ID == "" && i > 0: // more of the last call
			i--
		}
		if i < 0 || i > len(r.calls) || i >= maxCallsPerReply {
			return errCallIndex
		}
		if i == len(r.calls) {
			r.calls = append(r.calls, plan.ToolCall{})
			r.callArguments = append(r.callArguments, nil)
		}
		c := &r.calls[i]
		if p.ID != "" {
			c.ID = p.ID
		}
		if p.Function.Name != c.Name { // some servers repeat the name with every part
			c.Name += p.Function.Name
		}
		r.callArguments[i] = append(r.callArguments[i], p.Function.Arguments...)
	}
	return nil
}

// toolCalls returns the calls that the reply makes, with complete arguments. A call without an ID
// gets one.
func (r *partialReply) toolCalls() []plan.ToolCall {
	for i := range r.calls {
		if r.calls[i].ID == "" { // the result of the call refers to its ID
			r.calls[i].ID = fmt.Sprintf("call_%d", i+1)
		}
		r.calls[i].Arguments = string(r.callArguments[i])
	}
	return r.calls
}
