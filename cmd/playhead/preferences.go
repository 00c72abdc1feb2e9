package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"playhead/engine/config"
	"playhead/engine/setup"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/notify"
)

// preferences are how a person wants the screen: its keys, theme and notifications.
type preferences struct {
	notify      notify.Terminal // calls a person who looks elsewhere
	notifyAfter time.Duration
	bell        bool // was asked for
	keys        keymap.Map
	editor      string // opens a document at a line
	pair        themes.Pair
	all         func() []themes.Palette
}

// defaultNotifyAfter is how long a step takes whose end is told, if nothing else is said.
const defaultNotifyAfter = 10 * time.Second

func registerConfig(f *pflag.FlagSet, s *setup.Settings) {
	f.StringVar(&s.ConfigFile, "config", "", "use this configuration FILE (default $PLAYHEAD_CONFIG)")
}

// readSettings reads the configuration file, and refuses it if anything in it is wrong.
func readSettings(s *setup.Settings) error { return new(preferences).read(s) }

// read reads the configuration file, with the keys and themes that it names.
func (l *preferences) read(s *setup.Settings) error {
	return s.Read(func(c config.Config) []config.Problem { return append(l.bind(c), l.choose(s)...) })
}

// readPreferences reads the configuration file, and returns the preferences in it. theme is the one
// that a flag names, else the environment may.
func readPreferences(s *setup.Settings, theme string) (preferences, error) {
	l := preferences{pair: themes.Usual()}
	if err := l.read(s); err != nil {
		return l, err
	}
	c := s.Config
	l.notify = notify.For(cmp.Or(c.Notify, notify.Auto), os.Getenv)
	l.bell = c.Notify == notify.Bell
	l.editor = c.Editor
	l.notifyAfter = cmp.Or(c.NotifyAfter, defaultNotifyAfter)
	l.all = func() []themes.Palette {
		all, _ := themeFolder(s).All() // playhead themes tells what is wrong with one
		return all
	}
	if name := cmp.Or(theme, os.Getenv("PLAYHEAD_THEME")); name != "" {
		p, err := themeFolder(s).Load(name)
		if err != nil {
			return l, usage("%w", err)
		}
		l.pair = themes.Pair{Dark: p, Light: p}
	}
	return l, nil
}

// bind binds the keys of the screen as the configuration says, and returns what cannot be bound.
func (l *preferences) bind(c config.Config) (problems []config.Problem) {
	var bindings []keymap.Binding
	for _, b := range c.Bound.Bindings {
		bindings = append(bindings, keymap.Binding{Action: b.Action, Keys: b.Keys})
	}
	l.keys = keymap.New(c.Bound.Style, bindings, func(i int, problem string) {
		b := c.Bound.Bindings[i]
		problems = append(problems, config.Problem{Line: b.Line, Column: b.Column, Message: "keys: " + problem})
	})
	return problems
}

// choose loads the palettes that the configuration names, and returns what is wrong with them. One
// name for both is told once.
func (l *preferences) choose(s *setup.Settings) (problems []config.Problem) {
	for _, side := range []struct {
		config.ThemeName
		to *themes.Palette
	}{{s.Config.Theme.Dark, &l.pair.Dark}, {s.Config.Theme.Light, &l.pair.Light}} {
		if side.Name == "" {
			continue
		}
		p, err := themeFolder(s).Load(side.Name)
		*side.to = p
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

// themeFolder is where a person's own themes are: beside the configuration file.
func themeFolder(s *setup.Settings) themes.Folder {
	path, _ := s.Path()
	return themes.Folder(filepath.Join(filepath.Dir(path), "themes"))
}
