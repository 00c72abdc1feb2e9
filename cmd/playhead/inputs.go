package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// filled are the values that a run starts with: what was given, else defaults. It
// names the inputs that have neither.
func filled(p *plan.Plan, given map[string]any) (values map[string]any, missing []plan.Input, err error) {
	values = map[string]any{}
	for _, in := range p.Inputs {
		value, ok := given[in.Name]
		switch {
		case ok:
			text := plan.TextOf(value)
			if problem := unfit(in, text); problem != "" {
				return nil, nil, usage("input %s: %s", in.Name, problem)
			}
			values[in.Name] = text
		case in.Default != "":
			values[in.Name] = in.Default
		case in.Required:
			missing = append(missing, in)
		}
	}
	for name, value := range given { // those that no input is declared for
		if _, taken := values[name]; !taken {
			values[name] = plan.TextOf(value)
		}
	}
	return values, missing, nil
}

// unfit says what keeps a value from being an input's.
func unfit(in plan.Input, value string) string {
	switch in.Type {
	case "number":
		n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		switch {
		case err != nil:
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

// wanting refuses a run whose inputs have no value.
func wanting(missing []plan.Input) error {
	if len(missing) == 0 {
		return nil
	}
	flags := make([]string, len(missing))
	for i, in := range missing {
		flags[i] = "--input " + in.Name + "=…"
	}
	return usage("an input has no value; say %s", strings.Join(flags, " "))
}
