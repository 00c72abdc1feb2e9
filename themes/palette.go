// Package themes turns a palette into every style Playhead draws with.
//
// A palette is a small data file: one colour a role. Screens, Markdown and forms
// take their styles from the same palette, so a new theme is a new file and
// nothing else; a person's own is read in read.go. Without colours the same roles
// are told apart by weight and reverse video, and every status has its glyph and
// word anyway.
package themes

import (
	"embed"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"playhead/parse/near"
)

//go:embed *.yaml
var files embed.FS

// Palette is a colour for every role: #rrggbb, or one of the terminal's sixteen by
// name. An empty colour is the terminal's own; for what stands back, a faint one.
type Palette struct {
	Name  string
	About string // a line
	Dark  bool   // the background it is meant for
	Back  string // that background, as #rrggbb; see Ground

	Text   string // what is read
	Muted  string // what is there if one looks for it
	Subtle string // lines and borders
	Raised string // the background of a selection; empty: reverse video
	Accent string // focus, and the next thing to happen
	OnHigh string // text on accent

	Pass, Fail, Warn, Wait string

	Command, Model, Tool, Person string // one quiet tint a kind of work
}

// The palettes that are chosen when nobody chooses.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
)

// PlainName is the palette without colours.
const PlainName = "plain"

// Names returns the palettes that come with Playhead, with the two defaults first and the one
// without colours last.
func Names() []string {
	names := []string{DefaultDark, DefaultLight}
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), suffix); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append(names, PlainName)
}

// suffix is how the file of a palette ends.
const suffix = ".yaml"

// Load returns a palette that comes with Playhead. The error for an unknown name lists them.
func Load(name string) (Palette, error) {
	if name == PlainName {
		return Plain(), nil
	}
	source, err := files.ReadFile(name + suffix)
	if err != nil {
		return Palette{}, fmt.Errorf("there is no theme %q: %s", name, near.Hint(name, Names()))
	}
	return Read(name+suffix, source)
}

// builtIn returns a palette that comes with Playhead.
func builtIn(name string) Palette {
	p, err := Load(name)
	if err != nil {
		panic(err) // a file of this package: its test reads them all
	}
	return p
}

// Plain returns the palette without colours.
func Plain() Palette {
	return Palette{Name: PlainName, About: "No colours: weight, underlines and reverse video."}
}

// Colourless reports whether the palette has no colours.
func (p Palette) Colourless() bool { return p.Text == "" && p.Accent == "" }

// TerminalColours returns the colours to give the terminal if its background is of the other kind,
// nil if it fits.
func (p Palette) TerminalColours(dark bool) (back, text color.Color) {
	if p.Back == "" || p.Dark == dark {
		return nil, nil
	}
	return lipgloss.Color(p.Back), parseColour(p.Text)
}

// Pair is what is painted with: a palette for each background that a terminal may have.
type Pair struct{ Dark, Light Palette }

// Usual returns the pair that is used if nobody chooses a theme.
func Usual() Pair { return Pair{builtIn(DefaultDark), builtIn(DefaultLight)} }

// Always returns a pair with the same palette for every background.
func Always(p Palette) Pair { return Pair{p, p} }

// For returns the palette for a dark or light background.
func (p Pair) For(dark bool) Palette {
	if dark {
		return p.Dark
	}
	return p.Light
}

// Legible is the contrast from which on text reads well.
const Legible = 4.5

// Faint describes the roles whose text has less than a contrast, each with the worst background
// that it stands on. The terminal's own colours are unknown, so they are left out.
func (p Palette) Faint(least float64) []string {
	roles := p.roles()
	var out []string
	for _, role := range roleNames {
		var on []string
		switch {
		case slices.Contains([]string{"back", "subtle", "raised"}, role):
		case role == "onhigh":
			on = []string{"accent"}
		default:
			on = []string{"back", "raised"}
		}
		worst, under := least, ""
		for _, ground := range on {
			if c := contrastOf(*roles[role], *roles[ground]); c < worst {
				worst, under = c, ground
			}
		}
		if under != "" {
			out = append(out, fmt.Sprintf("%s on %s has a contrast of %.1f:1", role, under, worst))
		}
	}
	return out
}

// contrastOf returns the contrast of two colours. If one is the terminal's own, it returns the
// largest contrast.
func contrastOf(a, b string) float64 {
	if !strings.HasPrefix(a, "#") || !strings.HasPrefix(b, "#") {
		return 21
	}
	return contrast(a, b)
}
