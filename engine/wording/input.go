package wording

import (
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// InputKind returns which values an input accepts, such as "one of: search, mail", "" for any text.
func InputKind(in plan.Input) string {
	switch {
	case in.Type == "enum" && len(in.Options) > 0:
		return "one of: " + strings.Join(in.Options, ", ")
	case in.Type == "number":
		return "a number" + bounds(in.Min, in.Max)
	case in.Type == "boolean":
		return "yes or no"
	case in.Type == "array":
		return "a list, as JSON or with commas"
	case in.Pattern != "":
		return "a text that matches " + in.Pattern
	}
	return ""
}

// bounds returns the range of a number as text.
func bounds(least, most *float64) string {
	number := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case least != nil && most != nil:
		return " from " + number(least) + " to " + number(most)
	case least != nil:
		return " of " + number(least) + " or more"
	case most != nil:
		return " of " + number(most) + " or less"
	}
	return ""
}
