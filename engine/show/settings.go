package show

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
)

// A SettingEntry is a line of SettingsText: the name of a setting and what is set.
type SettingEntry struct{ Name, Text string }

// SettingsText returns the settings in effect as text, one per line. screen are the settings of the screen.
func SettingsText(o *setup.ModelOptions, screen []SettingEntry) string {
	path, _ := o.ConfigPath()
	all := o.Endpoints()
	var out strings.Builder
	writeSettingEntry(&out, "file", path+textIf(!pathExists(path), " (does not exist: these are the defaults)"))
	writeSettingEntry(&out, "model", modelTitle(all.Default))
	for _, e := range screen {
		writeSettingEntry(&out, e.Name, e.Text)
	}
	writeSettingEntry(&out, "approve", cmp.Or(o.Config.ApprovalPolicy, machine.ApproveOnce))
	if d := o.Config.ValidatorTimeout; d != nil {
		writeSettingEntry(&out, "timeout", formatTimeLimit(*d)+" for validators")
	}
	if d := o.Config.ExpiresAfter; d != nil {
		text := "never"
		if *d > 0 {
			text = d.String() + " after the last event of a run"
		}
		writeSettingEntry(&out, "expiry", text)
	}
	if l := o.Config.ConversationLimits; l != (config.ConversationLimits{}) {
		writeSettingEntry(&out, "limits", l.String())
	}
	for _, dir := range o.Config.PromptFolders {
		writeSettingEntry(&out, "prompts", dir+textIf(!pathExists(dir), " (does not exist)"))
	}
	if all.Default.Profile.Name == "" && all.Default.Err == nil {
		writeModelSettings(&out, all.Default, "default")
	}
	for _, name := range all.ProfileNames() {
		writeModelSettings(&out, all.ByName[name], name)
	}
	return out.String()
}

// writeSettingEntry writes a setting with its name, safe to show.
func writeSettingEntry(w io.Writer, name, text string) {
	fmt.Fprintf(w, "%-8s %s\n", sanitize.Plain(name), sanitize.Plain(text))
}

// formatTimeLimit returns a time limit as text; 0 means that there is none.
func formatTimeLimit(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return d.String()
}

func textIf(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// modelTitle returns the name of a model for people, or why there is none.
func modelTitle(e *setup.Endpoint) string {
	switch {
	case e.Err != nil:
		return "none: " + e.Err.Error()
	case e.Profile.Name != "":
		return e.Profile.Name
	default:
		return e.Profile.ModelName
	}
}

// writeModelSettings writes the settings of a model: its name, its server and its limits.
func writeModelSettings(w io.Writer, e *setup.Endpoint, name string) {
	c := e.Config.WithDefaults()
	key := "no key"
	if e.APIKeyVariable != "" {
		key = "key $" + e.APIKeyVariable + " (" + textIf(c.APIKey == "", "not ") + "set)"
	}
	temperature := "the server's default temperature"
	if c.Temperature != nil {
		temperature = fmt.Sprintf("temperature %g", *c.Temperature)
	}
	fmt.Fprintln(w)
	writeSettingEntry(w, name, c.DefaultModel)
	writeSettingEntry(w, "", "at "+c.PublicURL()+", "+key)
	writeSettingEntry(w, "", fmt.Sprintf("%s, at most %d tokens per reply, connect timeout %s, silence timeout %s", temperature, c.MaxReplyTokens, c.ConnectTimeout, c.SilenceTimeout))
	if p := e.Profile.Price; p != nil {
		writeSettingEntry(w, "", fmt.Sprintf("$%g per million input tokens, $%g per million output tokens", p.InputPrice, p.OutputPrice))
	}
}
