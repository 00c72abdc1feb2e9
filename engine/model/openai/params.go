package openai

import (
	"encoding/json"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"playhead/engine/model"
)

var errSchema = errors.New("the JSON Schema for the reply is not JSON")

const schemaInWords = "\n\nAnswer with one JSON value and nothing else: no code fence, no words around it. It must be valid by this JSON Schema:\n\n"

// params puts a request into words for a server.
func (w wording) params(conf Config, r model.Request) (openai.ChatCompletionNewParams, error) {
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
func (w wording) options(p *openai.ChatCompletionNewParams, conf Config) {
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
	asked := shared.ResponseFormatJSONSchemaJSONSchemaParam{
		Name:   schemaName(r.Label),
		Schema: json.RawMessage(r.Schema), // keeps the order of the properties
	}
	if isStrict(schema) {
		asked.Strict = openai.Bool(true)
	}
	return &shared.ResponseFormatJSONSchemaParam{JSONSchema: asked}
}
