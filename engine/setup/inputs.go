package setup

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine/logs"
	"playhead/engine/scenario"
	"playhead/parse/infile"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// RequireInputs returns an error if inputs have no value.
func RequireInputs(missing []plan.Input) error {
	if len(missing) == 0 {
		return nil
	}
	flags := make([]string, len(missing))
	for i, in := range missing {
		flags[i] = "--input " + in.Name + "=…"
	}
	what := "an input has no value"
	if len(missing) > 1 {
		what = plan.CountText(len(missing), "input") + " have no value"
	}
	return Errorf("%s: use %s", what, strings.Join(flags, " "))
}

// checkInputValues returns an error if one of the named values is invalid for its input in p. The names are those
// of secrets, so the error does not show the values.
func checkInputValues(p *plan.Plan, values map[string]any, secrets []string) error {
	for _, in := range p.Inputs {
		if !slices.Contains(secrets, in.Name) {
			continue
		}
		if problem := in.ValueProblem(plan.ValueText(values[in.Name])); problem != "" {
			return Errorf("input %s: %s", in.Name, hideSecrets(problem, values, secrets))
		}
	}
	return nil
}

// hideSecrets masks secret values in the text of a problem.
func hideSecrets(problem string, values map[string]any, secrets []string) string {
	for _, name := range secrets {
		problem = logs.MaskText(problem, plan.ValueText(values[name]))
	}
	return problem
}

// InputFlag is the name of the flag that sets an input.
const InputFlag = "input"

// InputOptions are the flags that set inputs.
type InputOptions struct {
	Inputs     []string // NAME=VALUE
	InputsFile string
}

// inputValues returns the inputs that flags and files set. It returns an error if the document has no
// such input.
func (o InputOptions) inputValues(p *plan.Plan) (map[string]any, error) {
	out, err := o.readInputs()
	for name := range out {
		if err == nil && !p.AcceptsInput(name) {
			err = Errorf("%s has no input %q: %s", p.Path, name, near.Suggestion(name, inputNames(p)))
		}
	}
	return out, err
}

// unusedInputNotes returns a note for each value that nothing in the document uses. If the document declares
// its inputs, other values were refused before.
func unusedInputNotes(p *plan.Plan, values map[string]any) (notes []string) {
	isRead := func(name string) bool { return p.UsedVariables == nil || slices.Contains(p.UsedVariables, name) }
	for _, name := range slices.DeleteFunc(slices.Sorted(maps.Keys(values)), isRead) {
		known := slices.DeleteFunc(inputNames(p), func(name string) bool { return !isRead(name) })
		if meant := near.MostSimilar(name, p.UsedVariables); meant != "" {
			known = []string{meant}
		}
		notes = append(notes, fmt.Sprintf("nothing in %s uses the input %q: %s", p.Path, name, near.Suggestion(name, known)))
	}
	return notes
}

func inputNames(p *plan.Plan) []string {
	names := make([]string, len(p.Inputs))
	for i, in := range p.Inputs {
		names[i] = in.Name
	}
	return names
}

// readInputs returns the values of --input, and those of the file for other inputs.
func (o InputOptions) readInputs() (map[string]any, error) {
	out, err := o.readInputsFile()
	if err != nil {
		return nil, err
	}
	flags, err := parseInputFlags(o.Inputs)
	if err != nil {
		return nil, err
	}
	for name, value := range flags {
		out[name] = value
	}
	return out, nil
}

// readInputsFile reads the file of inputs. A scalar is the text as written, so that 1.10 stays a version.
// Anything else is encoded as JSON.
func (o InputOptions) readInputsFile() (map[string]any, error) {
	out := map[string]any{}
	if o.InputsFile == "" {
		return out, nil
	}
	source, err := infile.Read(o.InputsFile, infile.MaxPersonFileSize)
	if err != nil {
		return nil, Errorf("cannot read the inputs: %w", err)
	}
	var nodes map[string]yaml.Node
	if err := scenario.DecodeYAML(source, &nodes); err != nil {
		return nil, Errorf("%s is not a mapping of inputs to values: %w", o.InputsFile, scenario.ExplainShapeError(err))
	}
	for name, n := range nodes {
		value, err := inputValueOf(&n)
		if err != nil {
			return nil, Errorf("%s: %s: %w", o.InputsFile, name, err)
		}
		if value != nil { // null means no value
			out[name] = value
		}
	}
	return out, nil
}

// inputValueOf returns the value of an input in the file, nil for null.
func inputValueOf(n *yaml.Node) (any, error) {
	var value any
	err := n.Decode(&value)
	if n.Kind != yaml.ScalarNode || value == nil || err != nil {
		return value, err
	}
	if yes, boolean := value.(bool); boolean {
		return strconv.FormatBool(yes), nil
	}
	return n.Value, nil
}

// parseInputFlags reads flags of the form NAME=VALUE.
func parseInputFlags(flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, flag := range flags {
		name, value, found := strings.Cut(flag, "=")
		if !found || name == "" {
			return nil, Errorf("--input %q is not NAME=VALUE: write it like --input version=1.2", flag)
		}
		out[name] = value
	}
	return out, nil
}
