package main

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"playhead/engine/setup"
	"playhead/themes"
	"playhead/tui/preferences"
)

func newThemesCmd(a *app) *cobra.Command {
	var s setup.Settings
	var o viewOptions
	cmd := &cobra.Command{
		Use:   "themes [NAME]",
		Short: "List the themes, or show what one looks like",
		Long: `List the themes, or show what one looks like.

Choose a theme for a run with --theme NAME, $PLAYHEAD_THEME, or theme: NAME
in the configuration file. To make your own, write themes/NAME.yaml beside
that file.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactlyOneArg("a NAME")(cmd, args)
		},
		RunE: a.runE(func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.printThemePreview(&s, args[0], a.mayUseColours(o))
			}
			return a.listThemes(&s, a.mayUseColours(o))
		}),
		ValidArgsFunction: completeThemeNames,
	}
	registerConfig(cmd.Flags(), &s)
	cmd.Flags().BoolVar(&o.noColor, "no-color", false, noColorHelp)
	return cmd
}

func completeThemeNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	all, _ := preferences.ThemeFolder(&setup.Settings{}).LoadAll()
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// listThemes prints a line for each theme, and in colour a sample of each.
func (a *app) listThemes(s *setup.Settings, coloured bool) error {
	all, err := preferences.ThemeFolder(s).LoadAll()
	out := a.colourWriter()
	profile := &out.Profile
	if !coloured {
		profile = nil
	}
	if _, err := io.WriteString(out, themes.ListText(all, profile, a.terminalWidth())); err != nil {
		return err
	}
	for _, p := range all {
		a.warnLowContrast(p)
	}
	if err != nil {
		return usageError("%w", err)
	}
	return nil
}

// printThemePreview prints a small screen in a theme.
func (a *app) printThemePreview(s *setup.Settings, name string, coloured bool) error {
	p, err := preferences.ThemeFolder(s).Load(name)
	if err != nil {
		return usageError("%w", err)
	}
	a.warnLowContrast(p)
	if !coloured {
		p = themes.PlainPalette()
	}
	out := a.colourWriter()
	_, err = io.WriteString(out, strings.Join(themes.NewStyles(p.ForProfile(out.Profile)).Preview(), "\n")+"\n")
	return err
}

// warnLowContrast prints which text of a theme has too little contrast.
func (a *app) warnLowContrast(p themes.Palette) {
	for _, text := range p.LowContrastTexts(themes.MinLegibleContrast) {
		a.printNote("theme %s: %s; contrast should be at least %.1f:1", p.Name, text, themes.MinLegibleContrast)
	}
}

// colourWriter returns a writer for the output that knows how many colours it can show.
func (a *app) colourWriter() *colorprofile.Writer {
	return colorprofile.NewWriter(a.stdout, os.Environ())
}
