package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Input is a value that is asked for before the run.
type Input struct {
	Name            string
	Type            string // string, text, number, boolean, enum or array
	Default         string
	Options         []string
	Description     string
	Required        bool
	HasEmptyDefault bool         // Default is the empty text, not missing
	AllowsEmpty     bool         // the empty text is a valid value, even if required
	BlankIsMissing  bool         // if required, a given value of only blanks counts as none
	DeclaredAt      TextLocation // what declares it; zero: nothing does
	Min, Max        *float64     // of a number, also of one in Options; nil: no bound
	Pattern         string       // a regular expression that its text has to match; "": any
}

// AcceptsInput reports whether a run of the document accepts an input of this name.
func (p *Plan) AcceptsInput(name string) bool {
	return p.AcceptsAnyInput || slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Name == name })
}

// InitialVariables returns the initial variables of a run: the given inputs, then the defaults. missing lists
// required inputs without a value. err is about a value that does not fit its input.
func (p *Plan) InitialVariables(inputs map[string]any) (values map[string]any, missing []Input, err error) {
	values = map[string]any{}
	for name, value := range inputs {
		values[name] = ValueText(value)
	}
	for _, in := range p.Inputs {
		value, ok := inputs[in.Name]
		switch {
		case ok && in.isMissing(ValueText(value)):
			delete(values, in.Name)
			missing = append(missing, in)
		case ok:
			if err := p.CheckInputValue(in.Name, ValueText(value)); err != nil {
				return nil, nil, err
			}
			values[in.Name] = in.NormalizedText(ValueText(value))
		case in.HasDefault():
			values[in.Name] = in.Default
		case in.Required:
			missing = append(missing, in)
		}
	}
	return values, missing, nil
}

// isMissing reports whether a given value counts as none although the input is required.
func (in Input) isMissing(value string) bool {
	return in.Required && in.BlankIsMissing && strings.TrimSpace(value) == ""
}

// HasDefault reports whether the input has a default, which can be the empty text.
func (in Input) HasDefault() bool { return in.Default != "" || in.HasEmptyDefault }

// NormalizedText returns a value in the form that the run stores: an array given as JSON becomes a comma-separated
// list. Any other value stays as it is.
func (in Input) NormalizedText(value string) string {
	if in.Type != "array" {
		return value
	}
	return strings.Join(in.Items(value), ",")
}

// Items returns the items of a value that is a list, as texts: a JSON array or, for an input of type array, a
// comma-separated list.
func (in Input) Items(value string) []string {
	var items []any
	if json.Unmarshal([]byte(value), &items) != nil {
		if in.Type == "array" {
			return strings.Split(value, ",")
		}
		return nil
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = ValueText(item)
	}
	return texts
}

// HasFixedValues reports whether the document lists all values of the input.
func (in Input) HasFixedValues() bool {
	return in.Type == "boolean" || in.Type == "enum"
}

// ValueProblem returns why a value does not fit the input, "" if it does.
func (in Input) ValueProblem(value string) string {
	n, isNumber := ParseNumber(value)
	switch in.Type {
	case "number":
		if !isNumber {
			return strconv.Quote(value) + " is not a number"
		}
	case "boolean":
		if value != "true" && value != "false" {
			return strconv.Quote(value) + " is neither true nor false"
		}
	case "enum", "array":
		items := []string{value}
		if in.Type == "array" {
			items = in.Items(value)
		}
		for _, item := range items {
			if len(in.Options) > 0 && !slices.Contains(in.Options, item) {
				return strconv.Quote(item) + " is not one of " + strings.Join(in.Options, ", ")
			}
		}
	}
	if isNumber && (in.Type == "number" || in.Type == "enum") {
		switch {
		case in.Min != nil && n < *in.Min:
			return fmt.Sprintf("%s is less than the minimum %v", value, *in.Min)
		case in.Max != nil && n > *in.Max:
			return fmt.Sprintf("%s is more than the maximum %v", value, *in.Max)
		}
	}
	if in.Pattern != "" {
		if ok, err := regexp.MatchString(in.Pattern, in.NormalizedText(value)); err != nil || !ok {
			return strconv.Quote(value) + " does not match " + in.Pattern
		}
	}
	return ""
}

// CheckInputValue returns an error if a value does not fit the input of this name. Any value fits other variables.
func (p *Plan) CheckInputValue(name, value string) error {
	for _, in := range p.Inputs {
		if problem := in.ValueProblem(value); in.Name == name && problem != "" {
			return fmt.Errorf("input %s: %s", name, problem)
		}
	}
	return nil
}

// VariableSetter is a Judge that sets variables.
type VariableSetter interface {
	Judge
	// Sets returns the names of the variables it can set.
	Sets() []string
}

// VariableNames returns the names of all variables that the document can set, each once: inputs, fields
// of questions, and captures.
func (p *Plan) VariableNames() (out []string) {
	add := func(names ...string) {
		for _, name := range names {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	for _, in := range p.Inputs {
		add(in.Name)
	}
	p.Walk(func(s, _ *Step) bool {
		for _, a := range s.Actions {
			if sets, ok := a.Judge.(VariableSetter); ok {
				add(sets.Sets()...)
			}
			if ask, ok := a.Work.(Ask); ok {
				for _, f := range ask.Fields {
					add(f.Name)
				}
			}
		}
		return true
	})
	return out
}

// KnownValues returns the values of a variable that the document mentions: declared options of
// inputs, questions and outputs, and values that routes compare it with.
func (p *Plan) KnownValues(name string) (out []string) {
	add := func(values ...string) {
		for _, v := range values {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	addDeclared := func(kind string, options []string) {
		switch kind {
		case "boolean":
			add("true", "false")
		case "confirm":
			add("yes", "no")
		default:
			add(options...)
		}
	}
	for _, in := range p.Inputs {
		if in.Name == name {
			addDeclared(in.Type, in.Options)
		}
	}
	p.Walk(func(s, _ *Step) bool {
		for _, a := range s.Actions {
			if ask, is := a.Work.(Ask); is {
				for _, f := range ask.Fields {
					if f.Name == name {
						addDeclared(f.Type, f.Options)
					}
				}
			}
			if d, is := a.Judge.(Describer); is && d.Describe().Variable == name {
				addDeclared(d.Describe().Type, d.Describe().Options)
			}
		}
		return true
	})
	add(p.ComparedValues(name)...)
	return out
}

// ComparedValues returns the values that the document's routes compare a variable with.
func (p *Plan) ComparedValues(name string) (out []string) {
	add := func(t *Test) {
		if t != nil && !t.ReadsOutcomeData && t.Path[0] == name && t.Value != "" && !slices.Contains(out, t.Value) {
			out = append(out, t.Value)
		}
	}
	p.Walk(func(s, _ *Step) bool {
		add(s.ArmTest)
		for _, r := range s.Routes {
			add(r.When.Test)
		}
		return true
	})
	return out
}

// Flag is a command line option that changes how a format loads a document. A run records it for
// resuming.
type Flag struct {
	Name   string
	Help   string
	Kind   FlagKind
	IsPath bool // the value is a file or folder, which the run copies

	// IsValidPairName, if set, says that the value is NAME=VALUE, and which names there can be.
	IsValidPairName func(name string) bool

	// StdinTextFlag, if set, is the flag that holds the text of standard input if the value is "-".
	StdinTextFlag string
}

// InputFlagHelp is the Help of the flag that gives an input a value, which several formats have.
const InputFlagHelp = "give an input a value: NAME=VALUE (repeatable)"

// FlagKind says how often a Flag can be given.
type FlagKind int

const (
	// OnceFlag takes a value; the last one counts.
	OnceFlag FlagKind = iota
	// RepeatableFlag takes a value each time.
	RepeatableFlag
	// SwitchFlag takes none.
	SwitchFlag
)

// ModelAliases are the model names of a configuration.
type ModelAliases struct {
	Names      []string // the names that it maps
	HasDefault bool     // there is a default model
}
