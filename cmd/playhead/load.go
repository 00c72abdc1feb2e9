package main

import (
	"os"

	"playhead/parse/plan"
	"playhead/parse/rundown"
)

type loadOptions struct{ format, start string }

func load(file string, o loadOptions) (*plan.Plan, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("%w", err)
	}
	return rundown.Parse(file, b), nil
}
