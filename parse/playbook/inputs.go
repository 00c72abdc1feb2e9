package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

var inputLine = regexp.MustCompile("^-\\s+`([a-zA-Z][a-zA-Z0-9_]*)`\\s+\\(([^)]+)\\)(?::\\s*(.+))?$")

// input is a value that a person gives before the run (spec §2).
type input struct {
	plan.Input
	at     place           // of the name
	values map[string]bool // the only ones it can have; nil: any
}

// readInputs reads the lines of an INPUTS section.
func (d *document) readInputs(first, last int) {
	if d.input == nil {
		d.input = map[string]*input{}
	}
	for i := first; i <= last; i++ {
		text := d.text[i]
		if d.code[i] || !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "*") {
			continue
		}
		m := inputLine.FindStringSubmatch(text)
		if m == nil { // blanks at its end are easily overlooked
			m = inputLine.FindStringSubmatch(strings.TrimRight(text, " \t"))
		}
		if m == nil {
			d.add(place{Line: i}, finding{"input-line", "this is not an input, so it is ignored", "write it like: - `name` (string): what it is"})
			continue
		}
		d.addInput(newInput(m[1], m[2], m[3], place{i, strings.Index(text, m[1])}))
	}
}

func (d *document) addInput(in *input) {
	if other := d.input[in.Name]; other != nil {
		d.add(in.at, finding{"duplicate-input", fmt.Sprintf("there is already an input %q on line %d", in.Name, other.Line), "give it another name, or remove one of the two"})
		return
	}
	if in.Type == "enum" && len(in.Options) == 0 {
		d.add(in.at, finding{"enum-empty", fmt.Sprintf("the enum %q has no options", in.Name), "list them after a colon: (enum: one, two)"})
	}
	if problem := in.Unfit(in.Default); in.Default != "" && problem != "" {
		d.add(in.at, finding{"input-default", "the default " + problem + ": it is used as it is", "write a default of the type " + in.Type})
	}
	d.input[in.Name] = in
	d.inputs = append(d.inputs, in)
}

// newInput reads what stands between the parentheses: a type, then its default or
// its options.
func newInput(name, kind, description string, at place) *input {
	kind, rest, _ := strings.Cut(kind, ":")
	rest = strings.TrimSpace(rest)
	in := &input{at: at, Input: plan.Input{
		Name: name, Type: inputType(kind), Description: strings.TrimSpace(description), Required: true, Line: at.Line + 1,
	}}
	switch in.Type {
	case "enum":
		in.Options = options(rest)
		in.values = setOf(in.Options)
		return in
	case "boolean":
		if lower := strings.ToLower(rest); lower == "true" || lower == "false" || lower == "" {
			rest = lower
			in.values = setOf([]string{"true", "false"})
		}
	}
	in.Default, in.Required = rest, rest == ""
	return in
}

// inputType is the canonical type of an input.
func inputType(word string) string {
	switch t := canonical(word); t {
	case "json":
		return "string"
	default:
		return t
	}
}

// canonical is the type that a word means, in any case; unknown ones are strings.
func canonical(word string) string {
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "text", "number", "boolean", "enum", "json":
		return word
	case "num", "int", "float":
		return "number"
	case "bool":
		return "boolean"
	case "select", "choice":
		return "enum"
	}
	return "string"
}

// options is a list separated by commas.
func options(list string) []string {
	var out []string
	for o := range strings.SplitSeq(list, ",") {
		if o = strings.TrimSpace(o); o != "" {
			out = append(out, o)
		}
	}
	return out
}

// setOf returns values as a set; none are nil, which stands for all.
func setOf(values []string) map[string]bool {
	if len(values) == 0 {
		return nil
	}
	out := make(map[string]bool, len(values))
	for _, v := range values {
		out[v] = true
	}
	return out
}
