package playbook

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"playhead/parse/objects"
	"playhead/parse/plan"
)

// coerce makes a value, a text or what was extracted, one of an output's type
// (spec §5). One that cannot be is kept, and there is a problem to tell.
func coerce(kind string, options []string, value any) (any, string) {
	switch {
	case kind == "enum" || kind == "" && len(options) > 0:
		return oneOf(options, value)
	case kind == "number":
		return toNumber(value)
	case kind == "boolean":
		return toBoolean(value)
	case kind == "json":
		return toJSON(value)
	case kind == "":
		return value, ""
	}
	return plan.TextOf(value), ""
}

// oneOf finds the option that a value is, in any case.
func oneOf(options []string, value any) (any, string) {
	text := strings.TrimSpace(plan.TextOf(value))
	for _, o := range options {
		if text == o {
			return o, ""
		}
	}
	for _, o := range options {
		if strings.EqualFold(text, strings.TrimSpace(o)) {
			return o, ""
		}
	}
	return text, fmt.Sprintf("the value is not one of %s", strings.Join(options, ", "))
}

func toNumber(value any) (any, string) {
	if n, ok := value.(float64); ok {
		return n, ""
	}
	text := strings.TrimSpace(plan.TextOf(value))
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || strings.ContainsAny(text, "xX_pP") {
		return value, "the value is not a number"
	}
	return n, ""
}

func toBoolean(value any) (any, string) {
	if b, ok := value.(bool); ok {
		return b, ""
	}
	switch strings.ToLower(strings.TrimSpace(plan.TextOf(value))) {
	case "true", "yes":
		return true, ""
	case "false", "no":
		return false, ""
	}
	return value, "the value is neither true nor false"
}

// toJSON reads a reply that is JSON, or holds it: the last object counts.
func toJSON(value any) (any, string) {
	text, ok := value.(string)
	if !ok {
		return value, ""
	}
	var out any
	if raw, ok := objects.JSON(text); ok && json.Unmarshal([]byte(raw), &out) == nil {
		return out, ""
	}
	return value, "there is no JSON in the reply"
}
