package playbook

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/near"
	"playhead/parse/plan"
)

var inputPattern = regexp.MustCompile("^-\\s+`([a-zA-Z][a-zA-Z0-9_]*)`\\s+\\(([^)]+)\\)(?::\\s*(.+))?$")

// input is a value that a person gives before the run (spec §2).
type input struct {
	plan.Input
	place         place           // of the name
	allowedValues map[string]bool // nil: any
}

// readInputs reads the lines of an INPUTS section.
func (d *document) readInputs(first, last int) {
	if d.inputByName == nil {
		d.inputByName = map[string]*input{}
	}
	for i := first; i <= last; i++ {
		text := d.lines[i]
		if d.isCodeLine[i] || !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "*") {
			continue
		}
		m := inputPattern.FindStringSubmatch(text)
		if m == nil { // trailing blanks are easily overlooked
			m = inputPattern.FindStringSubmatch(strings.TrimRight(text, " \t"))
		}
		if m == nil {
			d.add(place{Line: i}, finding{"input-line", "this is not an input, so it is ignored", "write it like: - `name` (string): what it is"})
			continue
		}
		d.warnUnknownType("input", inputTypes, place{i, strings.Index(text, "(") + 1}, m[2])
		d.addInput(newInput(m[1], m[2], m[3], place{i, strings.Index(text, m[1])}))
	}
}

func (d *document) addInput(in *input) {
	if other := d.inputByName[in.Name]; other != nil {
		d.add(in.place, finding{"duplicate-input", fmt.Sprintf("there is already an input %q on line %d", in.Name, other.DeclaredAt.Span.Line), "give this one another name, or remove one of the two"})
		return
	}
	if in.Type == "enum" && len(in.Options) == 0 {
		d.add(in.place, emptyEnumFinding(in.Name, "list them after a colon: (enum: one, two)"))
	}
	if problem := in.ValueProblem(in.Default); in.Default != "" && problem != "" {
		d.add(in.place, finding{"input-default", "the default " + problem + ", but it is used anyway", "write a default that the type " + in.Type + " allows"})
	}
	d.inputByName[in.Name] = in
	d.inputs = append(d.inputs, in)
}

// emptyEnumFinding returns the finding about an enum without options, which is an input or an output.
func emptyEnumFinding(name, suggestion string) finding {
	return finding{"enum-empty", fmt.Sprintf("the enum %q has no options", name), suggestion}
}

// newInput returns an input. inner is the content of the parentheses: a type, then a default or options after a colon.
func newInput(name, inner, description string, at place) *input {
	kind, rest, _ := strings.Cut(inner, ":")
	rest = strings.TrimSpace(rest)
	in := &input{place: at, Input: plan.Input{
		Name: name, Type: inputType(kind), Description: strings.TrimSpace(description), Required: true, BlankIsMissing: true, DeclaredAt: plan.WholeLine(at.Line + 1),
	}}
	switch in.Type {
	case "enum":
		in.Options = splitOptions(rest)
		in.allowedValues = allowedValueSet(in.Options)
		return in
	case "boolean":
		if lower := strings.ToLower(rest); lower == "true" || lower == "false" || lower == "" {
			rest = lower
			in.allowedValues = allowedValueSet([]string{"true", "false"})
		}
	}
	in.Default, in.Required = rest, rest == ""
	return in
}

// The types that documents can write, without aliases.
var (
	inputTypes  = []string{"string", "text", "number", "boolean", "enum"}
	outputTypes = append(slices.Clone(inputTypes), "json")
)

// warnUnknownType warns of a type that is none of typeByWord. The type is the word up to a colon, if there is one.
func (d *document) warnUnknownType(what string, types []string, at place, word string) {
	word, _, _ = strings.Cut(word, ":")
	at.Offset += len(word) - len(strings.TrimLeft(word, " \t"))
	if word = strings.TrimSpace(word); typeByWord[strings.ToLower(word)] != "" {
		return
	}
	suggestion := "write string if one line of text is meant"
	if meant := near.MostSimilar(word, slices.Sorted(maps.Keys(typeByWord))); meant != "" {
		suggestion = "did you mean " + typeByWord[meant] + "?"
		if !slices.Contains(types, typeByWord[meant]) { // an input of type json is a string
			suggestion = "write string"
		}
	}
	d.add(at, finding{what + "-type", fmt.Sprintf("%q is not a type of %s, so it counts as string; the types are %s", word, what, strings.Join(types, ", ")), suggestion})
}

// inputType returns the canonical type of an input. For inputs, json is an alias of string (spec §2).
func inputType(word string) string {
	if t := canonicalType(word); t != "json" {
		return t
	}
	return "string"
}

// typeByWord maps all words for types to the canonical types.
var typeByWord = map[string]string{
	"string": "string", "text": "text", "json": "json",
	"number": "number", "num": "number", "int": "number", "float": "number",
	"boolean": "boolean", "bool": "boolean",
	"enum": "enum", "select": "enum", "choice": "enum",
}

// canonicalType returns the type that a word means in any case. An unknown type is string.
func canonicalType(word string) string {
	return cmp.Or(typeByWord[strings.ToLower(strings.TrimSpace(word))], "string")
}

// splitOptions splits a list at commas.
func splitOptions(list string) []string {
	var out []string
	for o := range strings.SplitSeq(list, ",") {
		if o = strings.TrimSpace(o); o != "" {
			out = append(out, o)
		}
	}
	return out
}

// allowedValueSet returns values as a set. It returns nil, for any value, if there are none.
func allowedValueSet(values []string) map[string]bool {
	if len(values) == 0 {
		return nil
	}
	out := make(map[string]bool, len(values))
	for _, v := range values {
		out[v] = true
	}
	return out
}
