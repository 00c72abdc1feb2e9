package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/engine/model"
	"playhead/engine/model/openai"
	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// loadFlags are the flags that say how a document is loaded: --format, and those that the formats have.
type loadFlags struct {
	format      string
	flagSet     *pflag.FlagSet
	commonFlags []string // flags that the command has whatever the format
	stdinText   []string // the text of standard input, for all documents and rounds; nil: it is not read yet
}

var formatFlagHelp = "read the file as this FORMAT instead of detecting it: " + strings.Join(parse.FormatNames(), ", ")

// register adds the flags of the formats. It must be called last, because it leaves out flags that the
// command already has.
func (l *loadFlags) register(f *pflag.FlagSet) {
	l.flagSet = f
	f.StringVar(&l.format, "format", "", formatFlagHelp)
	for _, flag := range parse.Flags() {
		switch {
		case f.Lookup(flag.Name) != nil:
			l.commonFlags = append(l.commonFlags, flag.Name)
		case flag.Kind == plan.RepeatableFlag:
			f.StringArray(flag.Name, nil, flag.Help)
		case flag.Kind == plan.SwitchFlag:
			f.Bool(flag.Name, false, flag.Help)
		default:
			f.String(flag.Name, "", flag.Help)
		}
	}
}

// parseOptions returns the parse.Options that the flags describe. A flag may take its value from in, the
// standard input.
func (l *loadFlags) parseOptions(in io.Reader) (parse.Options, error) {
	out := parse.Options{Format: l.format, Flags: map[string][]string{}}
	for _, flag := range parse.Flags() {
		f := l.flagSet.Lookup(flag.Name)
		if !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		if flag.StdinTextFlag != "" && values[0] == "-" {
			if l.stdinText == nil {
				text, err := infile.ReadAllFrom(in, "standard input", infile.MaxPersonFileSize)
				if err != nil {
					return out, usageError("cannot read standard input: %w", err)
				}
				l.stdinText = []string{string(text)}
			}
			out.Flags[flag.StdinTextFlag] = l.stdinText
			continue
		}
		out.Flags[flag.Name] = values
	}
	return out, nil
}

// checkFlagsApply returns an error for flags that the document's format does not have, and for values that it
// cannot read.
func (l loadFlags) checkFlagsApply(p *plan.Plan) error {
	for _, flag := range parse.Flags() {
		formats := parse.FormatsWithFlag(flag.Name)
		if p.Format != "" && l.flagSet.Changed(flag.Name) && !slices.Contains(l.commonFlags, flag.Name) && !slices.Contains(formats, p.Format) {
			return usageError("--%s is only for %s documents, and %s is a %s", flag.Name, strings.Join(formats, " and "), p.Path, p.Format)
		}
	}
	return l.checkPairFlags(p)
}

// checkPairFlags returns an error if the value of a flag is not NAME=VALUE although the document's format
// requires that.
func (l loadFlags) checkPairFlags(p *plan.Plan) error {
	for _, flag := range parse.FlagsOfFormat(p.Format) {
		many, ok := l.flagSet.Lookup(flag.Name).Value.(pflag.SliceValue)
		if flag.IsValidPairName == nil || !ok {
			continue
		}
		for _, text := range many.GetSlice() {
			if name, _, found := strings.Cut(text, "="); !found || !flag.IsValidPairName(name) {
				return usageError("--%s %q is not NAME=VALUE, with a NAME like HOST or db_2: write it like --%s VERSION=1.2", flag.Name, text, flag.Name)
			}
		}
	}
	return nil
}

// valueHelpByType describes the value of a flag by its type, with an example, because the flag library's own
// messages are for programmers. Flags of other types describe their values themselves.
var valueHelpByType = map[string]struct{ text, example string }{
	"int":      {"a whole number", "10"},
	"float64":  {"a number", "2"},
	"bool":     {"true or false", "true"},
	"duration": {"a duration such as 10s or 2m", "10s"},
}

// flagError explains to a person what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var alone *pflag.ValueRequiredError
	help := cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &unknown):
		return usageError("there is no flag %s%s", flagAsTyped(unknown.GetSpecifiedName()), suggestFlag(cmd, unknown.GetSpecifiedName(), help))
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		if kind, ok := valueHelpByType[f.Value.Type()]; ok {
			return usageError("--%s %q: expected %s, as in --%s=%s", f.Name, invalid.GetValue(), kind.text, f.Name, kind.example)
		}
		return usageError("--%s %q: %w", f.Name, invalid.GetValue(), invalid.Unwrap())
	case errors.As(err, &alone):
		return usageError("--%s needs a value: see %s", alone.GetFlag().Name, help)
	}
	return usageError("%w: see %s", err, help)
}

// flagAsTyped returns a flag's name with one or two dashes.
func flagAsTyped(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// suggestFlag proposes the flag that is like a mistyped one, else where they are listed.
func suggestFlag(cmd *cobra.Command, name, help string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if like := near.MostSimilar(name, names); like != "" {
		return ": did you mean --" + like + "?"
	}
	return ": see " + help
}

// Widths in the help of flags: fang's margin, the dashes and gap around a flag's name, and the minimum
// width of its text.
const (
	helpMarginWidth = 4
	flagNamePadding = 5
	minHelpWidth    = 24
)

// wrapHelp adds the defaults of flags to their texts, which fang would show as "(5s)", and wraps the
// texts at the width of the terminal, which fang does not.
func (a *app) wrapHelp(cmd *cobra.Command) {
	width, names := a.terminalWidth(), 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = max(names, len(f.Name)) })
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains([]string{"", "0", "false", "[]"}, f.DefValue) {
			f.Usage += " (default " + f.DefValue + ")"
			f.DefValue = ""
		}
		if width > 0 {
			f.Usage = ansi.Wrap(f.Usage, max(minHelpWidth, width-helpMarginWidth-flagNamePadding-names), "")
		}
	})
	for _, c := range cmd.Commands() {
		a.wrapHelp(c)
	}
}

// registerConfig registers --config. It also sets how model servers are asked: only this package imports the library
// for that.
func registerConfig(f *pflag.FlagSet, s *setup.Settings) {
	s.NewModelServer = func(c model.ServerConfig) model.Server { return openai.New(c) }
	f.StringVar(&s.ConfigFile, "config", "", "use this configuration FILE (default $PLAYHEAD_CONFIG)")
}
