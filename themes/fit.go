package themes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// ForProfile returns the palette as a terminal can show it. With 16 colours it is the terminal's
// own palette.
func (p Palette) ForProfile(profile colorprofile.Profile) Palette {
	switch {
	case profile < colorprofile.ANSI:
		return PlainPalette()
	case profile == colorprofile.ANSI && p.hasRGB():
		return mustLoadBuiltIn(terminalPaletteName)
	case profile == colorprofile.ANSI256 && p.hasRGB():
		return p.in256Colours()
	}
	return p
}

// terminalPaletteName is the palette of the terminal's sixteen colours.
const terminalPaletteName = "terminal"

// hasRGB reports whether a role has a colour that is none of the terminal's sixteen.
func (p Palette) hasRGB() bool {
	for role, c := range p.colourByRole() {
		if role != "back" && strings.HasPrefix(*c, "#") {
			return true
		}
	}
	return false
}

// in256Colours returns the palette in 256 colours. It keeps greys grey, text readable, and signal
// colours distinct.
func (p Palette) in256Colours() Palette {
	original := p
	p.Name += " in 256 colours"
	before, after := original.colourByRole(), p.colourByRole()
	for _, role := range []string{"raised", "subtle", "muted", "text"} {
		*after[role] = nearestColour(*before[role], greyColours(), readabilityCheck(role, original, p))
	}
	for i, role := range signalRoles {
		isReadable := readabilityCheck(role, original, p)
		isApart := func(other string, c string) bool {
			return colourDistance(c, *after[other]) >= min(minSignalDistance, colourDistance(*before[role], *before[other]))
		}
		*after[role] = nearestColour(*before[role], colourCube(), func(c string) bool {
			return isReadable(c) && !slices.ContainsFunc(signalRoles[:i], func(other string) bool { return !isApart(other, c) })
		})
	}
	for _, role := range []string{"command", "model", "tool"} {
		isReadable := readabilityCheck(role, original, p)
		*after[role] = nearestColour(*before[role], colourCube(), func(c string) bool { return isReadable(c) && c != p.Wait })
	}
	return p
}

// signalRoles are the roles whose colours must be easy to tell apart.
var signalRoles = []string{"wait", "accent", "pass", "fail", "warn", "person"}

// minSignalDistance is the minimum colourDistance between the colours of two signals.
const minSignalDistance = 0.09

// maxRequiredContrast is the highest contrast that is required of a role. If more were required, there
// would be no dark yellow among the 256 colours.
const maxRequiredContrast = 4.6

// minContrastByRole is the minimum contrast with the background of a selection and of the lines between
// panes.
var minContrastByRole = map[string]float64{"raised": 1.5, "subtle": 2}

// minLightSelectionContrast is the minimum contrast of a selection on a light background, where text leaves
// less room.
const minLightSelectionContrast = 1.35

// readabilityCheck returns a check whether a colour is as readable in a role of the converted palette as the role's own
// colour is in the original.
func readabilityCheck(role string, original, converted Palette) func(string) bool {
	c := *original.colourByRole()[role]
	if least := minContrastByRole[role]; least > 0 && converted.Background != "" && strings.HasPrefix(c, "#") {
		if role == "raised" && !converted.IsForDark {
			least = minLightSelectionContrast
		}
		need := min(least, contrast(c, original.Background))
		return func(c string) bool { return contrast(c, converted.Background) >= need }
	}
	if minContrastByRole[role] > 0 || converted.Background == "" || !strings.HasPrefix(c, "#") || !strings.HasPrefix(converted.SelectionBackground, "#") {
		return func(string) bool { return true }
	}
	need := min(maxRequiredContrast, contrast(c, original.SelectionBackground))
	return func(c string) bool {
		return contrast(c, converted.SelectionBackground) >= need && contrast(c, converted.Background) >= need
	}
}

// nearestColour returns the acceptable one of some colours that is nearest to a colour, or the colour itself if none is
// acceptable. The terminal's own sixteen colours are returned unchanged.
func nearestColour(to string, of []string, isAcceptable func(string) bool) string {
	if !strings.HasPrefix(to, "#") {
		return to
	}
	best, least := to, math.Inf(1)
	for _, c := range of {
		if d := colourDistance(c, to); d < least && isAcceptable(c) {
			best, least = c, d
		}
	}
	return best
}

// greyColours returns the greys of the 256 colours: a ramp of 24, and those in the cube.
func greyColours() (all []string) {
	for i := range 24 {
		all = append(all, hexColour(8+10*i, 8+10*i, 8+10*i))
	}
	for _, v := range cubeLevels {
		all = append(all, hexColour(v, v, v))
	}
	return all
}

// cubeLevels are the levels of red, green and blue in the cube.
var cubeLevels = []int{0, 0x5f, 0x87, 0xaf, 0xd7, 0xff}

// colourCube returns the colours of the 6x6x6 cube that are not grey.
func colourCube() (all []string) {
	for _, r := range cubeLevels {
		for _, g := range cubeLevels {
			for _, b := range cubeLevels {
				if r != g || g != b {
					all = append(all, hexColour(r, g, b))
				}
			}
		}
	}
	return all
}

func hexColour(r, g, b int) string { return fmt.Sprintf("#%02x%02x%02x", r, g, b) }

// colourDistance returns how different two colours look. A different hue counts more than a different
// lightness.
func colourDistance(a, b string) float64 {
	x, y := colourComponents(a), colourComponents(b)
	lighter := (x[0] + x[1] + x[2] - y[0] - y[1] - y[2]) / 3
	d := square(lighter)
	for i := range x {
		d += 3 * square(x[i]-y[i]-lighter)
	}
	return d
}

func square(v float64) float64 { return v * v }

// contrast returns the contrast of two colours as WCAG defines it, from 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c string) float64 {
	v := colourComponents(c)
	for i := range v {
		if v[i] <= 0.03928 {
			v[i] /= 12.92
		} else {
			v[i] = math.Pow((v[i]+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2]
}

// colourComponents returns red, green and blue, each from 0 to 1.
func colourComponents(c string) [3]float64 {
	r, g, b, _ := lipgloss.Color(c).RGBA()
	return [3]float64{float64(r) / 0xffff, float64(g) / 0xffff, float64(b) / 0xffff}
}
