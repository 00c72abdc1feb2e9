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

// An Entry is a setting, or a part of one.
type Entry struct{ Name, Text string }

// Settings returns the settings that are in effect as text; screen are those of the screen.
func Settings(o *setup.ModelOptions, screen []Entry) string {
	path, _ := o.Path()
	all := o.Endpoints()
	var out strings.Builder
	writeEntry(&out, "file", path+textIf(!exists(path), " (does not exist: these are the defaults)"))
	writeEntry(&out, "model", modelTitle(all.Default))
	for _, e := range screen {
		writeEntry(&out, e.Name, e.Text)
	}
	writeEntry(&out, "approve", cmp.Or(o.Config.Approve, machine.ApproveOnce))
	if d := o.Config.ValidatorTimeout; d != nil {
		writeEntry(&out, "timeout", "of validators: "+formatLimit(*d))
	}
	if l := o.Config.Limits; l != (config.Limits{}) {
		writeEntry(&out, "limits", l.String())
	}
	for _, dir := range o.Config.Prompts {
		writeEntry(&out, "prompts", dir+textIf(!exists(dir), " (does not exist)"))
	}
	if all.Default.Profile.Name == "" && all.Default.Err == nil {
		writeModel(&out, all.Default, "usual")
	}
	for _, name := range all.Names() {
		writeModel(&out, all.ByName[name], name)
	}
	return out.String()
}

// writeEntry prints a setting with its name.
func writeEntry(w io.Writer, name, text string) {
	fmt.Fprintf(w, "%-8s %s\n", sanitize.Plain(name), sanitize.Plain(text))
}

// formatLimit returns a time limit as text; 0 means that there is none.
func formatLimit(d time.Duration) string {
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
		key = "key $" + e.Key + " (" + textIf(c.Key == "", "not ") + "set)"
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
