package main

import (
	"slices"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// wanting refuses a run whose inputs have no value.
func wanting(missing []plan.Input) error {
	if len(missing) == 0 {
		return nil
	}
	flags := make([]string, len(missing))
	for i, in := range missing {
		flags[i] = "--input " + in.Name + "=…"
	}
	what := "an input has no value"
	if len(missing) > 1 {
		what = wording.Count(len(missing), "input") + " have no value"
	}
	return usage("%s: use %s", what, strings.Join(flags, " "))
}

// allFit refuses values of these names that are none for their inputs.
func allFit(p *plan.Plan, values map[string]any, names []string) error {
	for _, in := range p.Inputs {
		if !slices.Contains(names, in.Name) {
			continue
		}
		if problem := in.Unfit(plan.TextOf(values[in.Name])); problem != "" {
			return usage("input %s: %s", in.Name, veiled(problem, values, names))
		}
	}
	return nil
}

// veiled is what is wrong with values, without those that are secret.
func veiled(problem string, values map[string]any, secrets []string) string {
	for _, name := range secrets {
		problem = logs.Masked(problem, plan.TextOf(values[name]))
	}
	return problem
}
