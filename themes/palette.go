// Package themes turns a palette into every style Playhead draws with.
//
// A palette is a small data file: one colour a role. Screens, Markdown and forms
// take their styles from the same palette, so a new theme is a new file and
// nothing else. Without colours the same roles are told apart by weight and
// reverse video, and every status has its glyph and word anyway.
package themes

import (
	"embed"
	"fmt"

	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var files embed.FS

// Palette is a colour for every role, as #rrggbb. An empty colour is the
// terminal's own.
type Palette struct {
	Name string `yaml:"name"`
	Dark bool   `yaml:"dark"`

	Text   string `yaml:"text"`   // what is read
	Muted  string `yaml:"muted"`  // what is there if one looks for it
	Subtle string `yaml:"subtle"` // lines and borders
	Raised string `yaml:"raised"` // the background of a selection
	Accent string `yaml:"accent"` // focus, and the next thing to happen
	OnHigh string `yaml:"onhigh"` // text on accent or warn

	Pass string `yaml:"pass"`
	Fail string `yaml:"fail"`
	Warn string `yaml:"warn"`
	Wait string `yaml:"wait"`

	Command string `yaml:"command"` // one quiet tint a kind of work
	Model   string `yaml:"model"`
	Tool    string `yaml:"tool"`
	Person  string `yaml:"person"`
}

// The palettes that come with Playhead.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
)

// Load reads one of the palettes that come with Playhead.
func Load(name string) (Palette, error) {
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return Palette{}, fmt.Errorf("there is no theme %q", name)
	}
	var p Palette
	if err := yaml.Unmarshal(data, &p); err != nil {
		return Palette{}, fmt.Errorf("theme %s: %w", name, err)
	}
	return p, nil
}

// For is the default palette for a terminal's background.
func For(dark bool) Palette {
	name := DefaultLight
	if dark {
		name = DefaultDark
	}
	p, err := Load(name)
	if err != nil {
		panic(err) // a file of this package: its test reads them all
	}
	return p
}

// Plain is the palette without colours.
func Plain() Palette { return Palette{Name: "plain"} }

// Colourless reports whether the palette has no colours.
func (p Palette) Colourless() bool { return p.Text == "" && p.Accent == "" }
