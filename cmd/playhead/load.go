package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"playhead/examples"
	"playhead/parse"
	"playhead/parse/plan"
)

// examplePrefix marks the name of a built-in example in the place of a FILE.
const examplePrefix = "example:"

// load loads a document. Whatever is wrong with the file is among the plan's
// diagnostics; an error is about a built-in example that cannot be had. The path of
// the plan is as it was given.
func load(file string, o parse.Options) (*plan.Plan, error) {
	path, err := fileOf(file)
	if err != nil {
		return nil, err
	}
	p := parse.Load(path, parse.Options(o))
	p.Path = file
	return p, nil
}

// promised is a document whose inputs get values later: it is loaded again as if they
// had them, and taken so if that is all that was wrong.
func promised(p *plan.Plan, file string, o parse.Options) (*plan.Plan, parse.Options, error) {
	if p.Runnable() || len(p.Inputs) == 0 {
		return p, o, nil
	}
	names := make([]string, len(p.Inputs))
	for i, in := range p.Inputs {
		names[i] = in.Name
	}
	given := giving(o, names)
	again, err := load(file, given)
	if err != nil || !again.Runnable() {
		return p, o, err
	}
	return again, given, nil
}

// giving returns the options with a value promised for each input of these names.
func giving(o parse.Options, names []string) parse.Options {
	given := o
	given.Flags = maps.Clone(o.Flags)
	for _, name := range names {
		given.Flags[inputFlag] = append([]string{name + "="}, given.Flags[inputFlag]...)
	}
	return given
}

// fileOf is the file that is meant by what stands in the place of a FILE.
func fileOf(file string) (string, error) {
	name, builtIn := strings.CutPrefix(file, examplePrefix)
	if !builtIn {
		return file, nil
	}
	path, err := unpack(name)
	if err != nil {
		return "", usage("%s: %w", file, err)
	}
	return path, nil
}

// unpack writes the examples to the person's cache, where they are documents like
// any other: to be read, edited elsewhere, and resumed.
func unpack(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path, err := examples.Write(filepath.Join(cache, "playhead", "examples"), name)
	if errors.As(err, new(*fs.PathError)) {
		return "", fmt.Errorf("examples are unpacked below $XDG_CACHE_HOME, else ~/.cache, and cannot be there: %w: make that writable, or name another folder", err)
	}
	return path, err
}
