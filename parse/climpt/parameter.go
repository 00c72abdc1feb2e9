package climpt

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// Parameter is an argument that agent.json declares.
type Parameter struct {
	plan.Input
	Default *Value // nil: none
}

// kindByParameterType are the kinds of the values of each parameter type.
var kindByParameterType = map[string]Kind{"string": String, "number": Number, "boolean": Boolean, "array": Array}

var cliFlagPattern = regexp.MustCompile(`^--[a-z][a-z0-9-]*$`)

func (a *Agent) readParameters() {
	flags := map[string]bool{}
	for _, o := range a.Objects("parameters") {
		p := Parameter{Default: o.Get("default"), Input: plan.Input{
			Name: o.Key(), Description: o.String("description"), Required: o.Bool("required", false), DeclaredAt: MemberLocation(o.Place()),
		}}
		o.Require("type", "cli")
		kind := o.Enum("type", "string", "number", "boolean", "array")
		p.Type = cmp.Or(kind, "string")
		a.checkCLIFlag(o, flags)
		o.Object("validation").readConstraints(&p.Input)
		a.readDefault(o, &p, kindByParameterType[kind])
		a.Parameters = append(a.Parameters, p)
	}
}

// checkCLIFlag checks the flag that Climpt has for the parameter. seen has the flags so far.
func (a *Agent) checkCLIFlag(o Fields, seen map[string]bool) {
	flag := o.String("cli")
	switch {
	case flag == "":
		return
	case !cliFlagPattern.MatchString(flag):
		a.collector.Error(o.Get("cli").Place(), "agent-field", fmt.Sprintf("%q is not a flag", flag), "write it like --base-branch")
	case seen[flag]:
		a.collector.Error(o.Get("cli").Place(), "agent-field", flag+" is already the flag of another parameter", "give each parameter its own flag")
	}
	seen[flag] = true
}

// readDefault checks and sets the default. kind is that of the parameter's type, or Broken if the type is
// not known.
func (a *Agent) readDefault(o Fields, p *Parameter, kind Kind) {
	switch {
	case p.Default == nil:
	case kind != Broken && p.Default.Kind != kind:
		a.collector.Error(p.Default.Place(), "agent-field", fmt.Sprintf("the default of %s is %s, but the parameter's type is %s", p.Name, kindWithArticle(p.Default.Kind), o.String("type")), "give a default of that type")
	default:
		a.setDefault(p, p.Default.VariableText())
	}
	if o.Bool("required", false) && p.Default != nil {
		a.collector.Warn(p.Default.Place(), "agent-note", p.Name+" is required and has a default", "keep one of the two")
	}
	if !o.Has("description") {
		a.collector.Warn(o.Place(), "agent-note", p.Name+" has no description", `add "description"`)
	}
}

// setDefault sets the default of the input. A default that breaks the validation is not used, so the input needs another
// value (climpt-registry.md §2).
func (a *Agent) setDefault(p *Parameter, value string) {
	if problem := p.ValueProblem(value); problem != "" {
		a.collector.Warn(p.Default.Place(), "agent-note", "a run needs a value for "+p.Name+", because its default cannot be used: "+problem, "write a default that the validation allows")
		p.Required = true
		return
	}
	p.Input.Default, p.HasEmptyDefault = value, value == ""
	p.Required = p.Required && !p.HasEmptyDefault
}

// readConstraints reads the validation of a parameter. An enum makes it an input of the type enum, unless it is an array.
func (f Fields) readConstraints(in *plan.Input) {
	bound := func(key string) *float64 {
		if n, ok := f.Get(key).Float(); ok {
			return &n
		}
		f.CheckKinds(Number, key)
		return nil
	}
	in.Min, in.Max = bound("min"), bound("max")
	if in.Pattern = f.String("pattern"); in.Pattern != "" {
		if _, err := regexp.Compile(in.Pattern); err != nil {
			f.collector.Error(f.Get("pattern").Place(), f.codes.Type, fmt.Sprintf("the pattern is not a valid regular expression: %v", err), "")
			in.Pattern = ""
		}
	}
	f.CheckKinds(Array, "enum")
	for _, v := range f.Get("enum").Items() {
		in.Options = append(in.Options, v.VariableText())
	}
	if in.Options != nil && in.Type != "array" {
		in.Type = "enum"
	}
}

// VariableText returns the value as the text of a variable. An array is joined with commas.
func (v *Value) VariableText() string {
	if !v.Is(Array) {
		return plan.ValueText(v.GoValue())
	}
	parts := make([]string, len(v.children))
	for i, item := range v.children {
		parts[i] = item.VariableText()
	}
	return strings.Join(parts, ",")
}
