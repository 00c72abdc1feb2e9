package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Takes reports whether a run of the document takes an input of that name.
func (p *Plan) Takes(name string) bool {
	return p.OpenInputs || slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Name == name })
}

// Fill makes the values that a run starts with: what was given, else defaults. It
// names the inputs that have neither; an error is about a value that is no input's.
func (p *Plan) Fill(given map[string]any) (values map[string]any, missing []Input, err error) {
	values = map[string]any{}
	for name, value := range given {
		values[name] = TextOf(value)
	}
	for _, in := range p.Inputs {
		value, ok := given[in.Name]
		switch {
		case ok:
			if problem := in.Unfit(TextOf(value)); problem != "" {
				return nil, nil, fmt.Errorf("input %s: %s", in.Name, problem)
			}
			values[in.Name] = in.Text(TextOf(value))
		case in.Default != "":
			values[in.Name] = in.Default
		case in.Required:
			missing = append(missing, in)
		}
	}
	return values, missing, nil
}

// Text is a value as the input's: an array, which may be given as JSON, is a list with
// commas.
func (in Input) Text(value string) string {
	var items []any
	if in.Type != "array" || json.Unmarshal([]byte(value), &items) != nil {
		return value
	}
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = TextOf(item)
	}
	return strings.Join(parts, ",")
}

// Unfit says what keeps a value from being the input's, "" if nothing does.
func (in Input) Unfit(value string) string {
	switch in.Type {
	case "number":
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil || math.IsInf(n, 0) || math.IsNaN(n) || strings.ContainsAny(value, "xXpP_"):
			return strconv.Quote(value) + " is no number"
		case in.Min != nil && n < *in.Min:
			return fmt.Sprintf("%s is less than %v", value, *in.Min)
		case in.Max != nil && n > *in.Max:
			return fmt.Sprintf("%s is more than %v", value, *in.Max)
		}
	case "boolean":
		if value != "true" && value != "false" {
			return strconv.Quote(value) + " is neither true nor false"
		}
	case "enum":
		if len(in.Options) > 0 && !slices.Contains(in.Options, value) {
			return strconv.Quote(value) + " is none of " + strings.Join(in.Options, ", ")
		}
	}
	if in.Pattern != "" {
		if ok, err := regexp.MatchString(in.Pattern, value); err != nil || !ok {
			return strconv.Quote(value) + " does not match " + in.Pattern
		}
	}
	return ""
}
