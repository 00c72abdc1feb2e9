package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"playhead/engine/config"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/tui/notify"
	"playhead/tui/preferences"
)

func newConfigCmd(a *app) *cobra.Command {
	var o setup.ModelOptions
	var keys, schema bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the configuration file, and show what is in effect",
		Long: `Check the configuration file, and show what is in effect: where the file is,
which models there are, and whether the environment variables with API keys
are set.
Keys are never shown.`,
		Args: noArgs,
		RunE: a.runE(func(cmd *cobra.Command, _ []string) error {
			switch err := excludeEachOther(cmd, "keys", "schema"); {
			case err != nil:
				return err
			case schema:
				_, err := io.WriteString(a.out, config.JSONSchema)
				return err
			case keys:
				return a.showKeys(&o)
			}
			return a.showConfig(&o)
		}),
	}
	registerConfig(cmd.Flags(), &o.Settings)
	cmd.Flags().BoolVar(&keys, "keys", false, "list the actions of the screen, by name, with their keys")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the configuration file, for editors")
	return cmd
}

// showKeys prints every action of the screen with its keys.
func (a *app) showKeys(o *setup.ModelOptions) error {
	p, err := preferences.Read(&o.Settings, "")
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, p.Keys.TableText())
	return err
}

// showConfig prints the settings that are in effect.
func (a *app) showConfig(o *setup.ModelOptions) error {
	p, err := preferences.Read(&o.Settings, "")
	if err != nil {
		return err
	}
	var screen []show.SettingEntry
	for _, text := range p.Keys.ReboundLines() {
		screen = append(screen, show.SettingEntry{Name: "key", Text: text})
	}
	screen = append(screen,
		show.SettingEntry{Name: "theme", Text: p.ThemePair.Dark.Name + " on dark backgrounds, " + p.ThemePair.Light.Name + " on light ones"},
		show.SettingEntry{Name: "notify", Text: cmp.Or(o.Config.NotifyMethod, notify.Auto) + ": when a step that took " + p.NotifyAfter.String() + " or more ends"},
	)
	_, err = io.WriteString(a.out, show.SettingsText(o, screen))
	return err
}
