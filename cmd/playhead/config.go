package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/tui/keymap"
	"playhead/tui/notify"
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
		RunE: a.do(func(cmd *cobra.Command, _ []string) error {
			switch err := excludeEachOther(cmd, "keys", "schema"); {
			case err != nil:
				return err
			case schema:
				_, err := io.WriteString(a.out, config.Schema)
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
	var l preferences
	if err := l.read(&o.Settings); err != nil {
		return err
	}
	_, err := io.WriteString(a.out, keyTable(l.keys))
	return err
}

// showConfig prints the settings that are in effect.
func (a *app) showConfig(o *setup.ModelOptions) error {
	preferences, err := readPreferences(&o.Settings, "")
	if err != nil {
		return err
	}
	path, _ := o.Path()
	all := o.Profiles()
	var out strings.Builder
	writeEntry(&out, "file", path+when(!exists(path), " (does not exist: these are the defaults)"))
	writeEntry(&out, "model", modelTitle(all.Default))
	for _, k := range preferences.keys.List() {
		if !k.Usual {
			writeEntry(&out, "key", k.Action+": "+cmp.Or(strings.Join(k.Keys, " "), "none")+uncommonKeys(k.Keys))
		}
	}
	writeEntry(&out, "theme", preferences.pair.Dark.Name+" on dark backgrounds, "+preferences.pair.Light.Name+" on light ones")
	writeEntry(&out, "notify", cmp.Or(o.Config.Notify, notify.Auto)+": when a step that took "+preferences.notifyAfter.String()+" or more ends")
	writeEntry(&out, "approve", cmp.Or(o.Config.Approve, machine.ApproveOnce))
	if d := o.Config.ValidatorTimeout; d != nil {
		writeEntry(&out, "timeout", "of validators: "+formatLimit(*d))
	}
	if l := o.Config.Limits; l != (config.Limits{}) {
		writeEntry(&out, "limits", l.String())
	}
	for _, dir := range o.Config.Prompts {
		writeEntry(&out, "prompts", dir+when(!exists(dir), " (not there)"))
	}
	if all.Default.Profile.Name == "" && all.Default.Err == nil {
		writeModel(&out, all.Default, "usual")
	}
	for _, name := range all.Names() {
		writeModel(&out, all.Named[name], name)
	}
	_, err = io.WriteString(a.out, out.String())
	return err
}

// writeEntry prints a setting with its name.
func writeEntry(w io.Writer, name, text string) {
	fmt.Fprintf(w, "%-8s %s\n", sanitize.Plain(name), sanitize.Plain(text))
}

// formatLimit is how long something may take, of which 0 is any time.
func formatLimit(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return d.String()
}

// uncommonKeys says which keys not every terminal sends.
func uncommonKeys(keys []string) string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !keymap.Uncommon(key) })
	if len(keys) == 0 {
		return ""
	}
	return " (many terminals do not send " + strings.Join(keys, " ") + ")"
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func modelTitle(e *setup.Endpoint) string {
	switch {
	case e.Err != nil:
		return "none: " + e.Err.Error()
	case e.Profile.Name != "":
		return e.Profile.Name
	default:
		return e.Profile.Model
	}
}

// writeModel prints what the model is, where it is and how it is asked.
func writeModel(w io.Writer, e *setup.Endpoint, name string) {
	c := e.Config.WithDefaults()
	key := "no key"
	if e.Key != "" {
		key = "key $" + e.Key + " (" + when(c.Key == "", "not ") + "set)"
	}
	temperature := "the server's own temperature"
	if c.Temperature != nil {
		temperature = fmt.Sprintf("temperature %g", *c.Temperature)
	}
	fmt.Fprintln(w)
	writeEntry(w, name, c.Model)
	writeEntry(w, "", "at "+c.Server()+", "+key)
	writeEntry(w, "", fmt.Sprintf("%s, at most %d tokens, %s to connect, %s of silence", temperature, c.MaxTokens, c.Connect, c.Silence))
	if p := e.Profile.Price; p != nil {
		writeEntry(w, "", fmt.Sprintf("$%g for a million tokens in, $%g out", p.In, p.Out))
	}
}

// keyTable is a list of all actions with their keys. Those that are bound otherwise than
// usual are marked.
func keyTable(keys keymap.Map) string {
	var out strings.Builder
	group := ""
	for _, k := range keys.List() {
		if k.Group != group {
			if group = k.Group; out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintln(&out, group)
		}
		mark := " "
		if !k.Usual {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s %-16s %-14s %s\n", mark, k.Action, strings.Join(k.Keys, " "), k.Help)
	}
	return out.String()
}
