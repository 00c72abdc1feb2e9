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
	return text, fmt.Sprintf("the value is none of %s", strings.Join(options, ", "))
}

func toNumber(value any) (any, string) {
	if n, ok := value.(float64); ok {
		return n, ""
	}
	text := strings.TrimSpace(plan.TextOf(value))
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || strings.ContainsAny(text, "xX_pP") {
		return value, "the value is no number"
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
	if json.Unmarshal([]byte(text), &out) == nil {
		return out, ""
	}
	for _, raw := range []string{fenced(text), objects.Last(text)} {
		if raw != "" && json.Unmarshal([]byte(raw), &out) == nil {
			return out, ""
		}
	}
	return value, "there is no JSON in the reply"
}

// fenced is the content of the last fenced block of a text.
func fenced(text string) string {
	lines := strings.Split(text, "\n")
	fence, from, block := "", 0, ""
	for i, l := range lines {
		run := fenceRun(l)
		switch {
		case fence == "" && run != "" && opens(l, run):
			fence, from = run, i+1
		case fence != "" && closes(l, run, fence):
			fence, block = "", strings.Join(lines[from:i], "\n")
		}
	}
	return block
}
