// Package preferences reads a person's preferences for the screen: keys, theme, notifications and editor.
// They are the same for all documents.
package preferences

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine/config"
	"playhead/engine/setup"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/notify"
)

// Preferences is what a person prefers on every screen.
type Preferences struct {
	NotifyMethod  string          // one of the methods of package notify
	Notifier      notify.Notifier // notifies a person who looks elsewhere
	NotifyAfter   time.Duration   // the minimum duration of a step whose end is notified
	Keys          keymap.Map
	EditorCommand string // the command that opens a document at a line
	ThemePair     themes.Pair
	LoadPalettes  func() []themes.Palette // all themes
}

// defaultNotifyAfter is NotifyAfter if the configuration does not set it.
const defaultNotifyAfter = 10 * time.Second

// CheckConfig checks the configuration file. The error is a *setup.Error with all problems.
func CheckConfig(s *setup.Settings) error { return new(Preferences).readConfig(s) }

// Read reads the preferences from the configuration file. theme is the name of the theme from a flag; if it
// is "", $PLAYHEAD_THEME applies. The error is a *setup.Error.
func Read(s *setup.Settings, theme string) (Preferences, error) {
	p := Preferences{ThemePair: themes.DefaultPair()}
	if err := p.readConfig(s); err != nil {
		return p, err
	}
	c := s.Config
	p.NotifyMethod = cmp.Or(c.NotifyMethod, notify.Auto)
	p.Notifier = notify.NewNotifier(p.NotifyMethod, os.Getenv)
	p.EditorCommand = c.EditorCommand
	p.NotifyAfter = cmp.Or(c.NotifyAfterDuration, defaultNotifyAfter)
	p.LoadPalettes = func() []themes.Palette {
		all, _ := ThemeFolder(s).LoadAll() // the command "playhead themes" reports invalid themes
		return all
	}
	if name := cmp.Or(theme, os.Getenv("PLAYHEAD_THEME")); name != "" {
		palette, err := ThemeFolder(s).Load(name)
		if err != nil {
			return p, setup.Errorf("%w", err)
		}
		p.ThemePair = themes.Pair{Dark: palette, Light: palette}
	}
	return p, nil
}

// NotifyText returns how and when the person is notified.
func (p *Preferences) NotifyText() string {
	if p.NotifyMethod == notify.Off {
		return notify.Off
	}
	return p.NotifyMethod + ": when a run needs you or pauses, and when a step or run that took " + p.NotifyAfter.String() + " or more ends"
}

// readConfig reads the configuration file, with the keys and themes that it names.
func (p *Preferences) readConfig(s *setup.Settings) error {
	return s.ReadConfig(func(c config.Config) []config.Problem { return append(p.bindKeys(c), p.loadThemes(s)...) })
}

// bindKeys binds the keys of the configuration, and returns which bindings are not possible.
func (p *Preferences) bindKeys(c config.Config) (problems []config.Problem) {
	var bindings []keymap.Binding
	for _, b := range c.KeyBindings.Bindings {
		bindings = append(bindings, keymap.Binding{Action: b.Action, Keys: b.Keys})
	}
	p.Keys = keymap.New(c.KeyBindings.MovementStyle, bindings, func(i int, problem string) {
		b := c.KeyBindings.Bindings[i]
		problems = append(problems, config.Problem{Line: b.Line, Column: b.Column, Message: "keys: " + problem})
	})
	return problems
}

// loadThemes loads the palettes that the configuration names, and returns the problems with them. If both
// names are the same, a problem is reported once.
func (p *Preferences) loadThemes(s *setup.Settings) (problems []config.Problem) {
	for _, side := range []struct {
		config.ThemeName
		to *themes.Palette
	}{{s.Config.Themes.Dark, &p.ThemePair.Dark}, {s.Config.Themes.Light, &p.ThemePair.Light}} {
		if side.Name == "" {
			continue
		}
		palette, err := ThemeFolder(s).Load(side.Name)
		*side.to = palette
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

// ThemeFolder returns the folder of a person's own themes, beside the configuration file.
func ThemeFolder(s *setup.Settings) themes.Folder {
	path, _ := s.ConfigPath()
	return themes.Folder(filepath.Join(filepath.Dir(path), "themes"))
}
