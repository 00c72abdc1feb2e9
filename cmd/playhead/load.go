package main

import (
	"os"
	"path/filepath"
	"strings"

	"playhead/examples"
	"playhead/parse"
	"playhead/parse/plan"
)

// loadOptions say how a document is loaded.
type loadOptions struct {
	format string // overrules what the file looks like
	start  string // the start directory, where children are looked for too
}

// examplePrefix marks the name of a built-in example in the place of a FILE.
const examplePrefix = "example:"

// load loads a document. Whatever is wrong with the file is among the plan's
// diagnostics; an error is about a built-in example that cannot be had.
func load(file string, o loadOptions) (*plan.Plan, error) {
	if name, builtIn := strings.CutPrefix(file, examplePrefix); builtIn {
		path, err := unpack(name)
		if err != nil {
			return nil, usage("%s: %w", file, err)
		}
		file = path
	}
	return parse.Load(file, parse.Options{Format: o.format, Start: o.start}), nil
}

// unpack writes the examples to the person's cache, where they are documents like
// any other: to be read, edited elsewhere, and resumed.
func unpack(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return examples.Write(filepath.Join(cache, "playhead", "examples"), name)
}
