package workflow

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// template is the Prompt of a text with placeholders (§4). Inserted values are not parsed again.
type template string

// placeholders returns the offsets and names of the placeholders in a text.
func placeholders(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(text); {
			open := strings.IndexByte(text[at:], '[')
			if open < 0 {
				return
			}
			at += open
			name := leadingPlaceholderName(text[at+1:])
			end := at + 1 + len(name)
			if name != "" && strings.HasPrefix(text[end:], "]") && !yield(at, name) {
				return
			}
			at = end
		}
	}
}

// leadingPlaceholderName returns the name of the placeholder with which a text begins: _*[A-Z][A-Z0-9_]*.
func leadingPlaceholderName(text string) string {
	n := len(text) - len(strings.TrimLeft(text, "_"))
	if n == len(text) || text[n] < 'A' || text[n] > 'Z' {
		return ""
	}
	for n < len(text) && (text[n] == '_' || text[n] >= 'A' && text[n] <= 'Z' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return text[:n]
}

// isPlaceholderName reports whether a placeholder can have the name.
func isPlaceholderName(name string) bool { return name != "" && leadingPlaceholderName(name) == name }

// Render implements plan.Prompt. For a nil scope, placeholders stay as written.
func (t template) Render(scope plan.Scope) (plan.Rendered, error) {
	f := placeholderFiller{scope: scope}
	return plan.Rendered{Text: f.fill(string(t), nil), Warnings: f.warnings}, nil
}

// placeholderFiller fills in templates, and collects a warning for each name without a value.
type placeholderFiller struct {
	scope         plan.Scope
	warnings      []plan.RunWarning
	notedMessages map[string]bool
}

// fill replaces the placeholders in a text by the values of their variables. If allowed is not nil, it decides which
// variables may be used. A placeholder without a usable value stays, with a warning.
func (f *placeholderFiller) fill(text string, allowed func(name string) bool) string {
	if f.scope == nil {
		return text
	}
	var b strings.Builder
	done := 0
	for at, name := range placeholders(text) {
		value, ok := f.scope.Var(name)
		switch {
		case !ok || value == nil:
			f.addWarning(fmt.Sprintf("%s has no value: [%s] stays as it is", name, name))
		case allowed != nil && !allowed(name):
			f.addWarning(fmt.Sprintf("the value of %s comes from a model, so it is not used in a tool's name", name))
		default:
			b.WriteString(text[done:at])
			b.WriteString(plan.ValueText(value))
			done = at + len(name) + 2
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

// addWarning adds a warning, once for each message.
func (f *placeholderFiller) addWarning(message string) {
	if f.notedMessages[message] {
		return
	}
	if f.notedMessages == nil {
		f.notedMessages = map[string]bool{}
	}
	f.notedMessages[message] = true
	f.warnings = append(f.warnings, plan.RunWarning{Code: Format + "/unknown-placeholder", Message: message})
}

// toolNamePrompt is the Prompt of a tool's name (§4). A value that a model reported must not choose the
// next tool, so such a placeholder stays.
type toolNamePrompt string

// Render implements plan.Prompt.
func (t toolNamePrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	f := placeholderFiller{scope: scope}
	return plan.Rendered{Text: f.fillToolName(string(t)), Warnings: f.warnings}, nil
}

// fillToolName fills in the placeholders whose values a person set.
func (f *placeholderFiller) fillToolName(name string) string {
	return f.fill(name, func(variable string) bool { return plan.IsSetByPerson(f.scope, variable) })
}

// variableFlow follows values through the steps, in order (§4).
type variableFlow struct {
	*document
	initialVariables      map[string]bool // variables with a value before the run
	stepSuppliedVariables map[string]bool // variables that an earlier step supplies
	runInputNames         map[string]bool // inputs that no step supplies, which are asked for before the run
	usedNames             map[string]bool // names used anywhere in the document
}

// checkVariables reports names that nothing supplies or that nothing uses.
func (d *document) checkVariables() {
	f := variableFlow{d, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	initial := d.options.initialVariables()
	for _, name := range initial {
		f.initialVariables[name] = true
	}
	for _, s := range d.steps {
		for _, in := range s.inputs {
			f.checkInput(s, in)
		}
		f.checkPlaceholders(s)
		for _, out := range s.outputs {
			f.stepSuppliedVariables[out.Variable], f.usedNames[out.Variable] = true, true
		}
	}
	d.usedVariables = slices.Sorted(maps.Keys(f.usedNames))
	for _, name := range initial {
		if !f.usedNames[name] {
			d.add(place{}, nil, finding{"unused-input", fmt.Sprintf("nothing uses the given input %s", name), "correct the name, or leave it out"})
		}
		if !f.runInputNames[name] && isValidName(name) {
			d.runInputs = append(d.runInputs, plan.Input{Name: name, Type: "string"})
		}
	}
}

// checkInput checks that an input has a value. If no step supplies it, it is asked for before the run.
func (f variableFlow) checkInput(s *step, in placedInput) {
	f.usedNames[in.Name] = true
	if f.stepSuppliedVariables[in.Name] {
		return
	}
	if !f.initialVariables[in.Name] {
		f.add(in.place, s, finding{"missing-input", "input " + in.Name + " has no value",
			"list " + in.Name + " under OUTPUTS of an earlier step, or pass --input " + in.Name + "=value"})
	}
	if !f.runInputNames[in.Name] {
		f.runInputNames[in.Name] = true
		line, _ := f.position(in.place)
		f.runInputs = append(f.runInputs, plan.Input{Name: in.Name, Type: "string", Description: in.Description, Required: true, AllowsEmpty: true, DeclaredAt: plan.WholeLine(line)})
	}
}

// checkPlaceholders checks the placeholders of a step, each name once.
func (f variableFlow) checkPlaceholders(s *step) {
	seen := map[string]bool{}
	check := func(line, from, to int) {
		for at, name := range placeholders(f.lines[line][from:to]) {
			f.usedNames[name] = true
			if !seen[name] && !f.stepSuppliedVariables[name] && !f.runInputNames[name] && !f.initialVariables[name] {
				f.add(place{line, from + at}, s, finding{"unknown-placeholder", fmt.Sprintf("nothing gives [%s] a value", name), "correct the name, or list it under INPUTS"})
			}
			seen[name] = true
		}
	}
	if s.descriptionFence != nil {
		for i := s.descriptionFence.firstLine + 1; i < s.descriptionFence.contentEnd; i++ {
			check(i, 0, len(f.lines[i]))
		}
	}
	for _, t := range s.tools {
		check(t.place.Line, t.place.Offset, t.place.Offset+len(t.name))
	}
	for _, a := range s.assertions {
		for _, p := range a.parts {
			check(p.line, p.start, p.end)
		}
	}
}
