package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/parse/near"
)

// wanted says what a flag takes, by the type of its value: libraries tell it in their
// own terms. Flags of other types say it themselves.
var wanted = map[string]string{
	"int":      "a whole number",
	"float64":  "a number",
	"bool":     "true or false",
	"duration": "a time like 10s or 2m",
}

// flagError says what is wrong with a flag, for a person.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var alone *pflag.ValueRequiredError
	help := cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &unknown):
		return usage("there is no flag %s%s", dashed(unknown.GetSpecifiedName()), meant(cmd, unknown.GetSpecifiedName(), help))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if want := wanted[f.Value.Type()]; want != "" {
			return usage("--%s %q: %s is wanted here, as in %s", f.Name, invalid.GetValue(), want, sample(f))
		}
		return usage("--%s %q: %w", f.Name, invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &alone):
		return usage("--%s needs a value: %s says which", alone.GetFlag().Name, help)
	}
	return usage("%w: %s lists what there is", err, help)
}

// dashed is a flag's name as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// meant proposes the flag that is like a mistyped one, else where they are listed.
func meant(cmd *cobra.Command, name, help string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if like := near.Name(name, names); like != "" {
		return ": did you mean --" + like + "?"
	}
	return ": " + help + " lists what there is"
}

// sample is a flag with a value that it takes: its default, where that says something.
func sample(f *pflag.Flag) string {
	value := strings.TrimPrefix(f.DefValue, "[]")
	if value == "" || value == "0s" {
		value = "10s"
	}
	return "--" + f.Name + "=" + value
}
