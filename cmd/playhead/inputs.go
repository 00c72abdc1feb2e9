package main

import (
	"strings"

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
	return usage("an input has no value; say %s", strings.Join(flags, " "))
}
