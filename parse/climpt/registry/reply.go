package registry

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"playhead/parse/objects"
	"playhead/parse/plan"
)

// Where the object of a reply stands.
const (
	inWhole = "as the whole reply"
	inFence = "in a fenced block"
	inText  = "in the last object of the text"
)

// findObject returns the JSON object of a reply (spec §6): the whole text, else the first fenced
// block that is an object, else the last object in the text. where is "" if there is none.
func findObject(text string) (o map[string]any, where string) {
	if o, ok := readObject(text); ok {
		return o, inWhole
	}
	for _, b := range objects.Fenced(text) {
		if b.Tag != "" && !strings.EqualFold(b.Tag, "json") {
			continue
		}
		if o, ok := readObject(b.Text); ok {
			return o, inFence
		}
	}
	if o, ok := readObject(objects.Last(text)); ok {
		return o, inText
	}
	return nil, ""
}

// readObject decodes a text that is exactly one object. Numbers keep their text.
func readObject(text string) (map[string]any, bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !json.Valid([]byte(text)) {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var o map[string]any
	return o, dec.Decode(&o) == nil
}

// valueAt follows a dotted path. A number is an array index.
func valueAt(o map[string]any, path string) (any, bool) {
	var at any = o
	for key := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			value, ok := v[key]
			if !ok {
				return nil, false
			}
			at = value
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(v) {
				return nil, false
			}
			at = v[n]
		default:
			return nil, false
		}
	}
	return at, true
}

// reasonFields are where a reply may give its reason, in order of precedence.
var reasonFields = []string{"next_action.reason", "reason", "message", "next_action.details.reason"}

func replyReason(o map[string]any) string {
	for _, path := range reasonFields {
		if v, _ := valueAt(o, path); v != nil {
			if s, ok := v.(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

// schemaProblem returns how a value violates a schema, "" if it does not.
func schemaProblem(schema []byte, value any) string {
	if schema == nil {
		return ""
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Sprintf("the schema cannot be read: %v", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return fmt.Sprintf("the schema cannot be used: %v", err)
	}
	v, err := toJSONValue(value)
	if err != nil {
		return err.Error()
	}
	if err := resolved.Validate(v); err != nil {
		if all := violations(&s, v, ""); len(all) > 0 {
			return strings.Join(all, "; ")
		}
		return readableError(err)
	}
	return ""
}

// trimPath removes the path from an error of the schema library.
func trimPath(message string) string {
	const way = "validating "
	if i := strings.LastIndex(message, way); i >= 0 {
		return strings.TrimPrefix(message[i+len(way):], "root: ")
	}
	return message
}

// parseReply reads a reply's object, corrects the step ID in it, and validates it. where is as for
// findObject.
func parseReply(text, step string, schema []byte) (o map[string]any, where string, notes []plan.Note) {
	if o, where = findObject(text); where == "" {
		return nil, "", nil
	}
	if id, ok := o["stepId"].(string); ok && id != step {
		o["stepId"] = step
		notes = append(notes, note("step-id-corrected", "the reply names the step %q, which was corrected", id))
	}
	if problem := schemaProblem(schema, o); problem != "" {
		notes = append(notes, note("output-mismatch", "the reply does not match its schema: %s", problem))
	}
	return o, where, notes
}
