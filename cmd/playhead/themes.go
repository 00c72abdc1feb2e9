package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"playhead/engine/config"
	"playhead/engine/sanitize"
	"playhead/parse/infile"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/notify"
)

// looks is how a person has the screen: its keys, and what it is painted with.
type looks struct {
	notify      notify.Terminal // calls a person who looks elsewhere
	notifyAfter time.Duration
	bell        bool // was asked for
	keys        keymap.Map
	pair        themes.Pair
	all         func() []themes.Palette
}

// longStep is how long a step takes whose end is told, if nothing else is said.
const longStep = 10 * time.Second

// open reads the file, and gives the looks that it and the flag name.
func (s *settings) open(theme string) (looks, error) {
	if err := s.read(); err != nil {
		return looks{}, err
	}
	return s.looks(theme)
}

// looks are the keys of the file, and the palettes that the flag, the environment or the
// file name.
func (s *settings) looks(flag string) (looks, error) {
	l := looks{keys: s.keys, pair: themes.Usual()}
	l.notify = notify.For(cmp.Or(s.Notify, notify.Auto), os.Getenv)
	l.bell = s.Notify == notify.Bell
	l.notifyAfter = cmp.Or(s.NotifyAfter, longStep)
	l.all = func() []themes.Palette {
		all, _ := s.palettes() // playhead themes tells what is wrong with one
		return all
	}
	if s.dark != nil {
		l.pair.Dark = *s.dark
	}
	if s.light != nil {
		l.pair.Light = *s.light
	}
	if name := cmp.Or(flag, os.Getenv("PLAYHEAD_THEME")); name != "" {
		p, err := s.palette(name)
		if err != nil {
			return l, usage("%w", err)
		}
		l.pair = themes.Pair{Dark: p, Light: p}
	}
	return l, nil
}

// choose loads the palettes that the file names, and tells what is wrong with them. One
// name for both is told once.
func (s *settings) choose() (problems []config.Problem) {
	for _, side := range []struct {
		config.Named
		to **themes.Palette
	}{{s.Theme.Dark, &s.dark}, {s.Theme.Light, &s.light}} {
		if side.Name == "" {
			continue
		}
		p, err := s.palette(side.Name)
		*side.to = &p
		if err == nil {
			continue
		}
		for _, line := range strings.Split(err.Error(), "\n") {
			problem := config.Problem{Line: side.Line, Column: side.Column, Message: "theme: " + line}
			if !slices.Contains(problems, problem) {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// largest is the size of a theme's file in bytes above which it is refused.
const largest = 64 << 10

// folder is where a person's own themes are: beside the configuration file.
func (s *settings) folder() string {
	path, _ := s.path()
	return filepath.Join(filepath.Dir(path), "themes")
}

// palette is the palette of a name: a person's own, or one of ours.
func (s *settings) palette(name string) (themes.Palette, error) {
	if filepath.Base(name) != name {
		return themes.Load(name)
	}
	path := filepath.Join(s.folder(), name+".yaml")
	source, err := infile.Read(path, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return themes.Load(name)
	}
	if err != nil {
		return themes.Palette{}, err
	}
	return themes.Read(path, source)
}

// palettes are all that can be chosen. What cannot be read is left out, and told.
func (s *settings) palettes() (all []themes.Palette, wrong error) {
	names := themes.Names()
	mine, err := filepath.Glob(filepath.Join(s.folder(), "*.yaml"))
	for _, path := range mine {
		if name := strings.TrimSuffix(filepath.Base(path), ".yaml"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		p, one := s.palette(name)
		if one != nil {
			err = errors.Join(err, one)
			continue
		}
		all = append(all, p)
	}
	return all, err
}

func newThemesCmd(a *app) *cobra.Command {
	var s settings
	var o viewOptions
	cmd := &cobra.Command{
		Use:   "themes [NAME]",
		Short: "List the themes of the screen, or show what one looks like",
		Long: `List the themes of the screen, or show what one looks like.

Choose a theme for a run with --theme NAME, $PLAYHEAD_THEME, or theme: NAME
in the configuration file. To make your own, write themes/NAME.yaml beside
that file.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return oneArg("a NAME")(cmd, args)
		},
		RunE: a.do(func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.showTheme(&s, args[0], a.colours(o))
			}
			return a.listThemes(&s, a.colours(o))
		}),
		ValidArgsFunction: completeThemes,
	}
	s.register(cmd.Flags())
	cmd.Flags().BoolVar(&o.noColor, "no-color", false, "use no colours")
	return cmd
}

// completeThemes has the shell complete the name of a theme.
func completeThemes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var s settings
	all, _ := s.palettes()
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// listThemes prints a line for each theme, and in colour a sample of each.
func (a *app) listThemes(s *settings, coloured bool) error {
	all, wrong := s.palettes()
	var out strings.Builder
	paper := a.paper()
	for _, p := range all {
		fmt.Fprintf(&out, "%-15s %-5s  %s\n", sanitize.Plain(p.Name), background(p), sanitize.Plain(p.About))
		if coloured {
			fmt.Fprintf(&out, "  %s\n\n", themes.New(p.In(paper.Profile)).Sample())
		}
	}
	if _, err := io.WriteString(paper, out.String()); err != nil {
		return err
	}
	for _, p := range all {
		a.warnOfFaint(p)
	}
	if wrong != nil {
		return usage("%w", wrong)
	}
	return nil
}

// showTheme prints a small screen in a theme.
func (a *app) showTheme(s *settings, name string, coloured bool) error {
	p, err := s.palette(name)
	if err != nil {
		return usage("%w", err)
	}
	a.warnOfFaint(p)
	if !coloured {
		p = themes.Plain()
	}
	paper := a.paper()
	_, err = io.WriteString(paper, strings.Join(themes.New(p.In(paper.Profile)).Preview(), "\n")+"\n")
	return err
}

// warnOfFaint says what of a theme is hard to read.
func (a *app) warnOfFaint(p themes.Palette) {
	for _, faint := range p.Faint(themes.Legible) {
		a.note("theme %s: %s; %.1f:1 and more reads well", p.Name, faint, themes.Legible)
	}
}

// paper is the output, which knows how many colours it has.
func (a *app) paper() *colorprofile.Writer { return colorprofile.NewWriter(a.out, os.Environ()) }

// background says what a theme is meant for.
func background(p themes.Palette) string {
	switch {
	case p.Back == "":
		return "any"
	case p.Dark:
		return "dark"
	}
	return "light"
}
