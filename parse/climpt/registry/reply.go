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
	asWholeReply  = "in an object that is the whole reply"
	inFencedBlock = "in a fenced block"
	asLastObject  = "in the last JSON object of the reply"
)

// findReplyObject returns the JSON object of a reply (spec §6): the whole text, else the first fenced
// block that is an object, else the last object in the text. where is "" if there is none.
func findReplyObject(text string) (o map[string]any, where string) {
	if o, ok := objects.Parse(text); ok {
		return o, asWholeReply
	}
	for _, b := range objects.FencedBlocks(text) {
		if b.Language != "" && !strings.EqualFold(b.Language, "json") {
			continue
		}
		if o, ok := objects.Parse(b.Text); ok {
			return o, inFencedBlock
		}
	}
	if o, ok := objects.Parse(objects.LastObject(text)); ok {
		return o, asLastObject
	}
	return nil, ""
}

// valueAtPath returns the value at a dotted path, and false if there is none. A number is an array index.
func valueAtPath(o map[string]any, path string) (any, bool) {
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

// reasonPaths are where a reply may give its reason, in order of precedence.
var reasonPaths = []string{"next_action.reason", "reason", "message", "next_action.details.reason"}

// replyReason returns the reason that a reply gives, or "" (spec §7, 7).
func replyReason(o map[string]any) string {
	for _, path := range reasonPaths {
		if v, _ := valueAtPath(o, path); v != nil {
			if s, ok := v.(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

// schemaProblem returns how a value violates a schema, "" if it does not or there is no schema.
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

// parseReply reads a reply's object, corrects the step ID in it, and validates it. where is as for
// findReplyObject.
func parseReply(text, step string, schema []byte) (o map[string]any, where string, warnings []plan.RunWarning) {
	if o, where = findReplyObject(text); where == "" {
		return nil, "", nil
	}
	if id, has := o["stepId"]; has && id != step {
		o["stepId"] = step
		warnings = append(warnings, newWarning("step-id-corrected", "the reply had the wrong stepId %q; Playhead corrected it", plan.ValueText(id)))
	}
	if problem := schemaProblem(schema, o); problem != "" {
		warnings = append(warnings, newWarning("output-mismatch", "schema validation of the reply failed: %s", problem))
	}
	return o, where, warnings
}
