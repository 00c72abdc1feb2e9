package setup

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// alwaysPassedEnvNames are the variables that --clean-env passes on, in addition to those that begin with
// LC_.
var alwaysPassedEnvNames = []string{"PATH", "HOME", "USER", "SHELL", "TERM", "TMPDIR", "LANG"}

// EnvironmentOptions are the flags about the environment of commands, and about what is masked in their output.
type EnvironmentOptions struct {
	WorkingDir     string
	PassedEnvNames []string // names of variables that are passed on despite --clean-env
	CleanEnv       bool
	SecretNames    []string // names of inputs and variables
	EndsLeftovers  bool     // leftover processes end with the run
}

// startFolder returns the start directory: the working directory of commands, and the second place to
// look for children after the document's own folder.
func (o EnvironmentOptions) startFolder() (string, error) {
	dir, err := filepath.Abs(o.WorkingDir)
	if err != nil {
		return "", Errorf("the working folder is unknown: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return "", Errorf("--cwd: %s: %w", o.WorkingDir, errors.Unwrap(err))
	} else if !info.IsDir() {
		return "", Errorf("--cwd: %s is not a folder", o.WorkingDir)
	}
	return dir, nil
}

// absoluteDir returns the absolute path of the folder in --cwd, "" if the flag is not set. The run stores it, so
// that it means the same folder wherever the run is resumed.
func (o EnvironmentOptions) absoluteDir() string {
	if dir, err := filepath.Abs(o.WorkingDir); o.WorkingDir != "" && err == nil {
		return dir
	}
	return o.WorkingDir
}

// WorkingFolder returns the folder in which the program was started.
func WorkingFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", Errorf("the working folder is unknown: %w", err)
	}
	return dir, nil
}

// commandEnv returns the environment of commands, as NAME=VALUE.
func (o EnvironmentOptions) commandEnv() ([]string, error) {
	for _, name := range o.PassedEnvNames {
		if strings.Contains(name, "=") {
			return nil, Errorf("--env takes the name of an environment variable: to set one, write %s in front of playhead", name)
		}
	}
	if !o.CleanEnv {
		return os.Environ(), nil
	}
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(alwaysPassedEnvNames, name) && !strings.HasPrefix(name, "LC_") && !slices.Contains(o.PassedEnvNames, name)
	}), nil
}

// maskedValues returns the values to mask: those that --secret names, and those of the environment variables in
// keys that are long enough not to be ordinary words. A missing input of p is masked when it gets its value.
func (o EnvironmentOptions) maskedValues(p *plan.Plan, inputs map[string]any, missing []plan.Input, keys []string) ([]string, error) {
	var values []string
	for _, name := range o.SecretNames {
		value, set := secretValue(name, inputs)
		set = set || slices.ContainsFunc(missing, func(in plan.Input) bool { return in.Name == name })
		if !set {
			return nil, Errorf("--secret %s: no input or environment variable has this name; --secret does not mask variables that steps set", name)
		}
		values = append(values, maskedTexts(inputByName(p, name), value)...)
	}
	for _, name := range keys {
		if value := os.Getenv(name); !logs.IsShortSecret(value) {
			values = append(values, value)
		}
	}
	return slices.DeleteFunc(values, func(v string) bool { return v == "" }), nil
}

// maskedTexts returns what to mask of a secret value of an input: the value and, because an item of a list may be printed
// alone, its items as lines. Each line of a secret is masked.
func maskedTexts(in plan.Input, value string) []string {
	return []string{value, strings.Join(in.Items(value), "\n")}
}

// inputByName returns the input of that name, the zero Input if p does not declare it.
func inputByName(p *plan.Plan, name string) plan.Input {
	if i := slices.IndexFunc(p.Inputs, func(in plan.Input) bool { return in.Name == name }); i >= 0 {
		return p.Inputs[i]
	}
	return plan.Input{Name: name}
}

// secretValue returns the value of the input or environment variable of that name, and whether it is set.
func secretValue(name string, inputs map[string]any) (value string, set bool) {
	if value, set = inputs[name].(string); !set {
		value, set = os.LookupEnv(name)
	}
	return value, set
}

// secretWarnings returns a warning for each secret that is short, or that is a list of p with short items.
func (o EnvironmentOptions) secretWarnings(p *plan.Plan, inputs map[string]any) (notes []string) {
	for _, name := range o.SecretNames {
		value, _ := secretValue(name, inputs)
		notes = append(notes, cmp.Or(logs.ShortSecretWarning(name, value), logs.ShortItemWarning(name, inputByName(p, name).Items(value))))
	}
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}

// apply sets the environment, the working folder and the shell of the session.
func (o EnvironmentOptions) apply(c *engine.Config) error {
	var err error
	if c.WorkingDir, err = o.startFolder(); err != nil {
		return err
	}
	c.CommandEnv, err = o.commandEnv()
	c.Shell = shell.NewRunner(0)
	return err
}

// inheritFrom completes the flags with the options with which the run was started, and with its start folder.
func (o *EnvironmentOptions) inheritFrom(from machine.Options, start string) {
	o.WorkingDir = cmp.Or(o.WorkingDir, from.WorkingDir, start)
	o.CleanEnv = o.CleanEnv || from.CleanEnv
	o.PassedEnvNames = append(o.PassedEnvNames, from.EnvNames...)
	for _, name := range from.SecretNames {
		if _, set := os.LookupEnv(name); set { // an unset variable cannot be printed either
			o.SecretNames = append(o.SecretNames, name)
		}
	}
}
