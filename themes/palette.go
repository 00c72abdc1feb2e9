// Package themes turns a palette into every style Playhead draws with.
//
// A palette is a small data file with one colour for each role. Screens, Markdown
// and forms take their styles from the same palette, so a new theme is a new file
// and a row in docs/themes.md; a person's own is read in read.go. Without colours
// the same roles are told apart by weight and reverse video, and every status has
// its sign and its word anyway.
package themes

import (
	"embed"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"

	"playhead/parse/near"
)

//go:embed *.yaml
var paletteFiles embed.FS

// Palette is a colour for every role: #rrggbb, or the name of one of the terminal's sixteen. An empty
// colour is the terminal's own; for Muted and Subtle it is a faint one.
type Palette struct {
	Name        string
	Description string // a description in one line
	IsForDark   bool   // the background it is meant for
	Background  string // that background, as #rrggbb

	Text                string // ordinary text
	Muted               string // less important text
	Subtle              string // lines and borders
	SelectionBackground string // the background of a selection; empty: reverse video
	Accent              string // focus, and the next thing to happen
	OnAccent            string // text on accent

	Pass, Fail, Warn, Wait string

	Command, Model, Tool, Person string // a tint for each kind of work
}

// The default palettes.
const (
	DefaultDark  = "dark"
	DefaultLight = "light"
)

// PlainPaletteName is the name of the palette without colours.
const PlainPaletteName = "plain"

// BuiltInNames returns the palettes that come with Playhead, with the two defaults first and the one
// without colours last.
func BuiltInNames() []string {
	names := []string{DefaultDark, DefaultLight}
	entries, err := paletteFiles.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), paletteSuffix); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append(names, PlainPaletteName)
}

// paletteSuffix is the suffix of the files of palettes.
const paletteSuffix = ".yaml"

// LoadBuiltIn returns a palette that comes with Playhead. The error for an unknown name lists them.
func LoadBuiltIn(name string) (Palette, error) {
	if name == PlainPaletteName {
		return PlainPalette(), nil
	}
	source, err := paletteFiles.ReadFile(name + paletteSuffix)
	if err != nil {
		return Palette{}, fmt.Errorf("there is no theme %q: %s", name, near.Suggestion(name, BuiltInNames()))
	}
	return ParsePalette(name+paletteSuffix, source)
}

// mustLoadBuiltIn returns a palette that comes with Playhead.
func mustLoadBuiltIn(name string) Palette {
	p, err := LoadBuiltIn(name)
	if err != nil {
		panic(err) // a file of this package: its test reads them all
	}
	return p
}

// PlainPalette returns the palette without colours.
func PlainPalette() Palette {
	return Palette{Name: PlainPaletteName, Description: "No colours: bold, underlines and reverse video."}
}

// IsColourless reports whether the palette has no colours.
func (p Palette) IsColourless() bool { return p.Text == "" && p.Accent == "" }

// BackgroundAndTextColours returns the colours to give the terminal if its background is of the other kind,
// nil if it fits.
func (p Palette) BackgroundAndTextColours(dark bool) (back, text color.Color) {
	if p.Background == "" || p.IsForDark == dark {
		return nil, nil
	}
	return lipgloss.Color(p.Background), parseColour(p.Text)
}

// Pair has a palette for each background that a terminal may have.
type Pair struct{ Dark, Light Palette }

// DefaultPair returns the pair that is used if nobody chooses a theme.
var DefaultPair = sync.OnceValue(func() Pair { return Pair{mustLoadBuiltIn(DefaultDark), mustLoadBuiltIn(DefaultLight)} })

// UniformPair returns a pair with the same palette for every background.
func UniformPair(p Palette) Pair { return Pair{p, p} }

// ForBackground returns the palette for a dark or light background.
func (p Pair) ForBackground(dark bool) Palette {
	if dark {
		return p.Dark
	}
	return p.Light
}

// MinLegibleContrast is the minimum contrast of text that is easy to read.
const MinLegibleContrast = 4.5

// LowContrastTexts describes the roles whose text has less than a contrast, each with the worst background
// that it stands on. The terminal's own colours are unknown, so they are left out.
func (p Palette) LowContrastTexts(least float64) []string {
	roles := p.colourByRole()
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
			if c := contrastOrMax(*roles[role], *roles[ground]); c < worst {
				worst, under = c, ground
			}
		}
		if under != "" {
			out = append(out, fmt.Sprintf("%s on %s has a contrast of %.1f:1", role, under, worst))
		}
	}
	return out
}

// contrastOrMax returns the contrast of two colours. If one is the terminal's own, it returns the
// largest contrast.
func contrastOrMax(a, b string) float64 {
	if !strings.HasPrefix(a, "#") || !strings.HasPrefix(b, "#") {
		return 21
	}
	return contrast(a, b)
}
