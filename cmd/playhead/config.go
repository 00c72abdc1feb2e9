package main

import (
	"io"

	"github.com/spf13/cobra"

	"playhead/engine/config"
	"playhead/engine/setup"
	"playhead/engine/show"
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
are set. API keys are never shown.`,
		Args: noArgs,
		RunE: a.runE(func(*cobra.Command, []string) error {
			if schema {
				_, err := io.WriteString(a.stdout, config.JSONSchema)
				return err
			}
			p, err := preferences.Read(&o.Settings, "")
			if err != nil {
				return err
			}
			text := settingsText(&o, p)
			if keys {
				text = p.Keys.TableText()
			}
			_, err = io.WriteString(a.stdout, text)
			return err
		}),
	}
	registerConfig(cmd.Flags(), &o.Settings)
	cmd.Flags().BoolVar(&keys, "keys", false, "list the actions of the full-screen view, by name, with their keys")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of the configuration file, for editors")
	allowAtMostOneFlag(cmd, "keys", "schema")
	return cmd
}

// settingsText returns the settings that are in effect.
func settingsText(o *setup.ModelOptions, p preferences.Preferences) string {
	var screen []show.SettingEntry
	for _, text := range p.Keys.ReboundLines() {
		screen = append(screen, show.SettingEntry{Name: "key", Text: text})
	}
	return show.SettingsText(o, append(screen,
		show.SettingEntry{Name: "theme", Text: p.ThemePair.Dark.Name + " on dark backgrounds, " + p.ThemePair.Light.Name + " on light ones"},
		show.SettingEntry{Name: "notify", Text: p.NotifyText()},
	))
}
