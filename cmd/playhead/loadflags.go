package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// loadFlags are the flags that say how a document is loaded: --format, and those
// that the formats have.
type loadFlags struct {
	format string
	set    *pflag.FlagSet
	own    []string // flags that the command has whatever the format
}

// formatHelp is the help of --format.
var formatHelp = "treat the file as this FORMAT, whatever it looks like: " + strings.Join(parse.Formats(), ", ")

// register goes last: a flag that the command has itself is not registered again.
func (o *loadFlags) register(f *pflag.FlagSet) {
	o.set = f
	f.StringVar(&o.format, "format", "", formatHelp)
	for _, flag := range parse.Flags() {
		switch {
		case f.Lookup(flag.Name) != nil:
			o.own = append(o.own, flag.Name)
		case flag.Kind == plan.Many:
			f.StringArray(flag.Name, nil, flag.Help)
		case flag.Kind == plan.Switch:
			f.Bool(flag.Name, false, flag.Help)
		default:
			f.String(flag.Name, "", flag.Help)
		}
	}
}

// options are what the flags make of parse.Options. in is standard input, where a
// flag takes that.
func (o loadFlags) options(in io.Reader) (parse.Options, error) {
	out := parse.Options{Format: o.format, Flags: map[string][]string{}}
	for _, flag := range parse.Flags() {
		f := o.set.Lookup(flag.Name)
		if !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		if flag.Stdin != "" && values[0] == "-" {
			text, err := infile.From(in, "standard input", infile.Given)
			if err != nil {
				return out, usage("cannot read standard input: %w", err)
			}
			out.Flags[flag.Stdin] = []string{string(text)}
			continue
		}
		out.Flags[flag.Name] = values
	}
	return out, nil
}

// fit refuses flags that the document's format does not have, since they would mean
// nothing, and values that it cannot read.
func (o loadFlags) fit(p *plan.Plan) error {
	for _, flag := range parse.Flags() {
		formats := parse.Having(flag.Name)
		if p.Format != "" && o.set.Changed(flag.Name) && !slices.Contains(o.own, flag.Name) && !slices.Contains(formats, p.Format) {
			return usage("--%s is for %s, and %s is a %s", flag.Name, strings.Join(formats, " and "), p.Path, p.Format)
		}
	}
	return o.pairs(p)
}

// pairs refuses what is not NAME=VALUE where the document's format takes that.
func (o loadFlags) pairs(p *plan.Plan) error {
	for _, flag := range parse.FlagsOf(p.Format) {
		many, ok := o.set.Lookup(flag.Name).Value.(pflag.SliceValue)
		if flag.Pair == nil || !ok {
			continue
		}
		for _, text := range many.GetSlice() {
			if name, _, found := strings.Cut(text, "="); !found || !flag.Pair(name) {
				return usage("--%s %q is not NAME=VALUE, with a NAME like HOST or db_2: write it like --%s VERSION=1.2", flag.Name, text, flag.Name)
			}
		}
	}
	return nil
}
