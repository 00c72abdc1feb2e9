package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// askInputs has a person give, in lines, the inputs that have no value yet.
func (r *runner) askInputs() error {
	for _, in := range r.Missing {
		value, err := r.askInput(in)
		if err != nil {
			return err
		}
		r.Give(in, value)
		if note := logs.Warning(in.Name, in.Text(value)); note != "" && slices.Contains(r.Config.Options.Secrets, in.Name) {
			r.note("%s", note)
		}
	}
	r.Missing = nil
	return nil
}

// lineFor is what is typed for an input. Of a secret one it shows nowhere what it is.
func (r *runner) lineFor(in plan.Input) (string, error) {
	if !slices.Contains(r.Config.Options.Secrets, in.Name) {
		return r.line()
	}
	line, err := readLine(r.typed)
	fmt.Fprintln(r.out, "•••")
	return line, err
}

// askInput asks until the value is one. Of options the number will do.
func (r *runner) askInput(in plan.Input) (string, error) {
	prompt := in.Name
	if in.Description != "" {
		prompt += ": " + in.Description
	}
	if len(in.Options) > 0 {
		prompt += " [" + strings.Join(in.Options, "/") + "]"
	}
	if slices.Contains(r.Config.Options.Secrets, in.Name) {
		defer r.hidden()()
	}
	for {
		line, err := r.answered(sanitize.Plain(prompt), "a value, with = in front where it begins with a colon or =",
			func() (string, error) { return r.lineFor(in) })
		if err != nil {
			return "", usage("nothing was run: the input %s has no value", in.Name)
		}
		value := strings.TrimPrefix(line, "=")
		if n, err := strconv.Atoi(value); err == nil && n >= 1 && n <= len(in.Options) && !slices.Contains(in.Options, value) {
			value = in.Options[n-1]
		}
		problem := setup.HideSecrets(in.Unfit(value), map[string]any{in.Name: value}, r.Config.Options.Secrets)
		if value == "" {
			problem = "a value is needed"
		}
		if problem == "" {
			return value, nil
		}
		fmt.Fprintf(r.out, "  %s\n", sanitize.Plain(problem))
	}
}
