package openai

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
)

// A requestForm is the form of requests to a server. The zero value is the newest form. Each field
// avoids something that an older server does not know.
type requestForm struct {
	usesOldTokenLimit  bool // max_tokens instead of max_completion_tokens
	omitsUsage         bool // do not send stream_options
	putsSchemaInPrompt bool // the prompt contains the schema, instead of response_format
}

const schemaInPromptNote = "the server does not accept a JSON Schema for its replies, so the schema was added to the prompt"

// useOlderForm changes the form of the request to an older one, if the server's error names what it does not
// know. It returns false if the error names nothing that an older form avoids.
func (m *modelCall) useOlderForm(err error) bool {
	var r *serverError
	if !errors.As(err, &r) {
		return false
	}
	form := &m.requestForm
	switch {
	case !form.usesOldTokenLimit && r.mentionsAny("max_completion_tokens"):
		form.usesOldTokenLimit = true
	case !form.omitsUsage && r.mentionsAny("stream_options", "include_usage"):
		form.omitsUsage = true
	case !form.putsSchemaInPrompt && m.request.ReplySchema != nil && r.mentionsAny("response_format", "schema", "grammar", "structured"):
		form.putsSchemaInPrompt = true
		m.warnings = append(m.warnings, schemaInPromptNote)
	default:
		return false
	}
	return true
}

// mentionsAny reports whether the answer that refuses the request contains one of the words. It searches the
// whole answer, because some servers name the unknown parameter outside of the message.
func (s *serverError) mentionsAny(words ...string) bool {
	switch s.httpStatus {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
		body := bytes.ToLower(s.body)
		return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(body, []byte(word)) })
	}
	return false
}

// initialForm returns the form that a call begins with.
func (c *Client) initialForm() requestForm {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.acceptedForm
}

// storeForm stores a form that worked, except that the next call tries to send its schema again: a
// server may refuse one schema and accept another.
func (c *Client) storeForm(f requestForm) {
	f.putsSchemaInPrompt = false
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acceptedForm = f
}

const maxSchemaNameLength = 64

// schemaName names a schema by the step it is for, in the characters that servers allow.
func schemaName(label string) string {
	name := strings.Map(schemaNameRune, label)
	return cmp.Or(name[:min(len(name), maxSchemaNameLength)], "reply")
}

// schemaNameRune returns r if names may contain it, else an underscore.
func schemaNameRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
		return r
	}
	return '_'
}

// canBeStrict reports whether a server can enforce the schema strictly: it is an object, and every object
// in it requires all its properties and allows no others. A value that only looks like a schema, such
// as one in an enum, can only make the result false.
func canBeStrict(schema any) bool {
	root, ok := schema.(map[string]any)
	return ok && root["type"] == "object" && allObjectsAreClosed(schema)
}

// allObjectsAreClosed reports whether isClosedObject holds for all objects in a value.
func allObjectsAreClosed(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		if !isClosedObject(value) {
			return false
		}
		for _, part := range value {
			if !allObjectsAreClosed(part) {
				return false
			}
		}
	case []any:
		for _, part := range value {
			if !allObjectsAreClosed(part) {
				return false
			}
		}
	}
	return true
}

// isClosedObject reports whether one object of a schema allows no other properties and requires all of
// its own.
func isClosedObject(schema map[string]any) bool {
	properties, has := schema["properties"].(map[string]any)
	if !has && !typeAllowsObject(schema["type"]) {
		return true
	}
	if schema["additionalProperties"] != false {
		return false
	}
	required, _ := schema["required"].([]any)
	for name := range properties {
		if !slices.ContainsFunc(required, func(r any) bool { return r == any(name) }) {
			return false
		}
	}
	return true
}

// typeAllowsObject reports whether a type is object, or has it among others.
func typeAllowsObject(kind any) bool {
	kinds, _ := kind.([]any)
	return kind == "object" || slices.ContainsFunc(kinds, func(k any) bool { return k == "object" })
}
