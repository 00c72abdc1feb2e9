package themes

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Read reads the file of a palette: a mapping of roles to colours. With base it says
// from which palette of ours the roles come that it leaves out, else they are the
// terminal's own. The error says which line is wrong and what is wanted there.
func Read(name string, source []byte) (Palette, error) {
	var entries map[string]yaml.Node
	if err := yaml.Unmarshal(source, &entries); err != nil {
		return Palette{}, fmt.Errorf("theme %s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var p Palette
	if base, ok := entries["base"]; ok {
		delete(entries, "base")
		var err error
		if p, err = Load(base.Value); err != nil {
			return p, at(name, base, err)
		}
		p.About = ""
	}
	p.Name = name
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if err := p.set(key, entries[key]); err != nil {
			return p, at(name, entries[key], err)
		}
	}
	return p, nil
}

func at(name string, n yaml.Node, err error) error {
	return fmt.Errorf("theme %s, line %d: %w", name, n.Line, err)
}

// set takes over what the file says of one key.
func (p *Palette) set(key string, n yaml.Node) (err error) {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("%s: one word is wanted here", key)
	}
	if n.ShortTag() == "!!null" { // to YAML, # begins a comment
		return fmt.Errorf("%s: there is nothing in it; a colour stands in quotes, and \"\" is the terminal's own", key)
	}
	switch key {
	case "name":
	case "about":
		p.About = n.Value
	case "dark":
		if p.Dark, err = strconv.ParseBool(n.Value); err != nil {
			return fmt.Errorf("dark: true or false is wanted here, not %q", n.Value)
		}
	default:
		role := p.roles()[key]
		if role == nil {
			return fmt.Errorf("there is no role %q: there is %s", key, strings.Join(roleNames, ", "))
		}
		if !isColour(n.Value) {
			return fmt.Errorf("%s: a colour like \"#8fbf7f\" (in quotes), or one of %s, is wanted here, not %q",
				key, strings.Join(sixteen[:], ", "), n.Value)
		}
		*role = n.Value
	}
	return nil
}

// roles are the places of the colours, by their names in files.
func (p *Palette) roles() map[string]*string {
	return map[string]*string{
		"back": &p.Back, "text": &p.Text, "muted": &p.Muted, "subtle": &p.Subtle, "raised": &p.Raised,
		"accent": &p.Accent, "onhigh": &p.OnHigh, "pass": &p.Pass, "fail": &p.Fail, "warn": &p.Warn, "wait": &p.Wait,
		"command": &p.Command, "model": &p.Model, "tool": &p.Tool, "person": &p.Person,
	}
}

// roleNames are the roles in the order of the files.
var roleNames = []string{
	"back", "text", "muted", "subtle", "raised", "accent", "onhigh", "pass", "fail", "warn", "wait",
	"command", "model", "tool", "person",
}

// sixteen are the terminal's sixteen colours in their order.
var sixteen = [...]string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright black", "bright red", "bright green", "bright yellow", "bright blue", "bright magenta", "bright cyan", "bright white",
}

var sixDigits = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

func isColour(s string) bool {
	return s == "" || sixDigits.MatchString(s) || slices.Contains(sixteen[:], s)
}
