package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine/logs"
	"playhead/parse/plan"
)

// cleanNames are the variables that --clean-env passes on; LC_ ones too.
var cleanNames = []string{"PATH", "HOME", "USER", "SHELL", "TERM", "TMPDIR", "LANG"}

// dir is the start directory: where commands run, and where children are looked
// for after the document's own folder.
func (o environOptions) dir() (string, error) {
	dir, err := filepath.Abs(o.cwd)
	if err != nil {
		return "", nowhere(err)
	}
	if info, err := os.Stat(dir); err != nil {
		return "", usage("--cwd: %s: %w", o.cwd, errors.Unwrap(err))
	} else if !info.IsDir() {
		return "", usage("--cwd: %s is not a folder", o.cwd)
	}
	return dir, nil
}

// keptDir is the folder that --cwd names, wherever the run is resumed; empty: it names none.
func (o environOptions) keptDir() string {
	if dir, err := filepath.Abs(o.cwd); o.cwd != "" && err == nil {
		return dir
	}
	return o.cwd
}

// nowhere says that the folder one is in is gone, or unknown.
func nowhere(err error) error { return usage("the working folder is unknown: %w", err) }

// environ is the environment of commands.
func (o environOptions) environ() ([]string, error) {
	for _, name := range o.env {
		if strings.Contains(name, "=") {
			return nil, usage("--env takes the name of a variable: to set one, write %s in front of playhead", name)
		}
	}
	if !o.cleanEnv {
		return os.Environ(), nil
	}
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(cleanNames, name) && !strings.HasPrefix(name, "LC_") && !slices.Contains(o.env, name)
	}), nil
}

// masked are the values that must not be seen: those that --secret names, whatever they
// are, and those of keys in the environment that are unlike other words. What is missing
// yet is masked once it is there.
func (o environOptions) masked(inputs map[string]any, missing []plan.Input, keys []string) ([]string, error) {
	var values []string
	for _, name := range o.secrets {
		value, set := secret(name, inputs)
		set = set || slices.ContainsFunc(missing, func(in plan.Input) bool { return in.Name == name })
		if !set {
			return nil, usage("--secret %s: there is no input and no environment variable of that name; what a step stores is not masked", name)
		}
		values = append(values, value)
	}
	for _, name := range keys {
		if value := os.Getenv(name); !logs.Short(value) {
			values = append(values, value)
		}
	}
	return slices.DeleteFunc(values, func(v string) bool { return v == "" }), nil
}

// secret is the value that --secret names.
func secret(name string, inputs map[string]any) (value string, set bool) {
	if value, set = inputs[name].(string); !set {
		value, set = os.LookupEnv(name)
	}
	return value, set
}

// warnings are what a person should know of the secrets.
func (o environOptions) warnings(inputs map[string]any) (notes []string) {
	for _, name := range o.secrets {
		if value, _ := secret(name, inputs); logs.Warning(name, value) != "" {
			notes = append(notes, logs.Warning(name, value))
		}
	}
	return notes
}
