package openai

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
)

// A wording is how a request is put to a server. The zero value is the newest; each field
// gives up something that a server may not know.
type wording struct {
	oldLimit bool // max_tokens instead of max_completion_tokens
	noUsage  bool // without stream_options
	inPrompt bool // the schema as part of the prompt
}

const schemaNote = "the server takes no JSON Schema for its replies, so it was put into the prompt"

// reword finds another wording for a request that was refused for its wording.
func (k *call) reword(err error) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	w := &k.wording
	switch {
	case !w.oldLimit && r.names("max_completion_tokens"):
		w.oldLimit = true
	case !w.noUsage && r.names("stream_options", "include_usage"):
		w.noUsage = true
	case !w.inPrompt && k.request.Schema != nil && r.names("response_format", "schema", "grammar", "structured"):
		w.inPrompt = true
		k.notes = append(k.notes, schemaNote)
	default:
		return false
	}
	return true
}

// names reports whether the request was refused with one of these words. The whole answer
// counts: some servers name what they do not know beside their message.
func (r *refusal) names(words ...string) bool {
	switch r.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
		body := bytes.ToLower(r.body)
		return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(body, []byte(word)) })
	}
	return false
}

// wordingFor is the wording to begin with.
func (c *Client) wordingFor() wording {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wording
}

// keepWording remembers a wording that worked. Schemas are tried again: a server may refuse one and
// take another.
func (c *Client) keepWording(w wording) {
	w.inPrompt = false
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wording = w
}
