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

var errSchema = errors.New("the JSON Schema for the reply is not JSON")

const schemaInWords = "\n\nAnswer with one JSON value and nothing else: no code fence, no words around it. It must be valid by this JSON Schema:\n\n"

// params puts a request into words for a server.
func (w requestForm) params(conf Config, r model.Request) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: r.Model}
	prompt := r.Prompt
	if r.Schema != nil {
		if !json.Valid(r.Schema) {
			return p, errSchema
		}
		if w.inPrompt {
			prompt += schemaInWords + string(r.Schema)
		} else {
			p.ResponseFormat.OfJSONSchema = format(r)
		}
	}
	p.Messages = messages(r.System, r.Thread, prompt)
	w.options(&p, conf)
	var err error
	p.Tools, err = functions(r.Functions)
	return p, err
}

// options sets what is the same for every request.
func (w requestForm) options(p *openai.ChatCompletionNewParams, conf Config) {
	limit := openai.Int(int64(conf.MaxTokens))
	if w.oldLimit {
		p.MaxTokens = limit
	} else {
		p.MaxCompletionTokens = limit
	}
	if conf.Temperature != nil {
		p.Temperature = openai.Float(*conf.Temperature)
	}
	if !w.noUsage {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
}

// format asks for a reply that is valid by the schema.
func format(r model.Request) *shared.ResponseFormatJSONSchemaParam {
	var schema any
	_ = json.Unmarshal(r.Schema, &schema) // it is valid
	format := shared.ResponseFormatJSONSchemaJSONSchemaParam{
		Name:   schemaName(r.Label),
		Schema: json.RawMessage(r.Schema), // keeps the order of the properties
	}
	if isStrict(schema) {
		format.Strict = openai.Bool(true)
	}
	return &shared.ResponseFormatJSONSchemaParam{JSONSchema: format}
}

// messages returns a conversation as it is sent, with the prompt at its end.
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

// assistant returns an earlier message of the model. Some servers refuse a message with calls and
// an empty text.
func assistant(m plan.Message) openai.ChatCompletionMessageParamUnion {
	message := openai.AssistantMessage(m.Text)
	if m.Text == "" && len(m.Calls) > 0 {
		message = openai.ChatCompletionMessageParamUnion{OfAssistant: &openai.ChatCompletionAssistantMessageParam{}}
	}
	for _, c := range m.Calls {
		message.OfAssistant.ToolCalls = append(message.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments},
			},
		})
	}
	return message
}

// functions returns what the model may call, as it is sent.
func functions(all []model.Function) ([]openai.ChatCompletionToolUnionParam, error) {
	var out []openai.ChatCompletionToolUnionParam
	for _, f := range all {
		definition := shared.FunctionDefinitionParam{Name: f.Name}
		if f.Description != "" {
			definition.Description = openai.String(f.Description)
		}
		if f.Schema != nil {
			if err := json.Unmarshal(f.Schema, &definition.Parameters); err != nil {
				return nil, fmt.Errorf("the JSON Schema of %s is not a JSON object: %w", f.Name, err)
			}
		}
		out = append(out, openai.ChatCompletionFunctionTool(definition))
	}
	return out, nil
}

// maxCalls is how many functions one reply may call: a server that counts on
// must not make a list that long.
const maxCalls = 128

var errCalls = errors.New("the server sent a tool call at an impossible place")

// A callPiece is a part of a function call. The first part of a call has its ID and
// name, the others more of its arguments. Some servers leave the index out and
// send each call whole.
type callPiece struct {
	Index    *int
	ID       string
	Function struct{ Name, Arguments string }
}

// addCall adds parts to the calls that the reply makes.
func (r *partialReply) addCall(parts []callPiece) error {
	for _, p := range parts {
		i := len(r.calls)
		switch {
		case p.Index != nil:
			i = *p.Index
		case p.ID == "" && i > 0: // more of the last one
			i--
		}
		if i < 0 || i > len(r.calls) || i >= maxCalls {
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

// toolCalls returns the calls that the reply makes, with complete arguments. A call without an ID
// gets one.
func (r *partialReply) toolCalls() []plan.ToolCall {
	for i := range r.calls {
		if r.calls[i].ID == "" { // the result has to be told whose it is
			r.calls[i].ID = fmt.Sprintf("call_%d", i+1)
		}
		r.calls[i].Arguments = string(r.arguments[i])
	}
	return r.calls
}
