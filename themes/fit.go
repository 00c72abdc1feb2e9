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
		return Plain()
	case profile == colorprofile.ANSI && p.hasRGB():
		return builtIn(terminalName)
	case profile == colorprofile.ANSI256 && p.hasRGB():
		return p.in256Colours()
	}
	return p
}

// terminalName is the palette of the terminal's sixteen colours.
const terminalName = "terminal"

// hasRGB reports whether a role has a colour that is none of the terminal's sixteen.
func (p Palette) hasRGB() bool {
	for role, c := range p.roles() {
		if role != "back" && strings.HasPrefix(*c, "#") {
			return true
		}
	}
	return false
}

// in256Colours returns the palette in 256 colours. It keeps greys grey, text readable, and signal
// colours distinct.
func (p Palette) in256Colours() Palette {
	was := p
	p.Name += " in 256 colours"
	before, after := was.roles(), p.roles()
	for _, role := range []string{"raised", "subtle", "muted", "text"} {
		*after[role] = nearest(*before[role], greys(), readable(role, was, p))
	}
	for i, role := range signals {
		isReadable := readable(role, was, p)
		isApart := func(other string, c string) bool {
			return distance(c, *after[other]) >= min(leastDistance, distance(*before[role], *before[other]))
		}
		*after[role] = nearest(*before[role], colourCube(), func(c string) bool {
			return isReadable(c) && !slices.ContainsFunc(signals[:i], func(other string) bool { return !isApart(other, c) })
		})
	}
	for _, role := range []string{"command", "model", "tool"} {
		isReadable := readable(role, was, p)
		*after[role] = nearest(*before[role], colourCube(), func(c string) bool { return isReadable(c) && c != p.Wait })
	}
	return p
}

// signals are the roles that must not be taken for one another.
var signals = []string{"wait", "accent", "pass", "fail", "warn", "person"}

// leastDistance is the distance of two signals.
const leastDistance = 0.09

// sufficientContrast is the contrast beyond which a hue that is told from others matters more: with a higher one
// there is no dark yellow among 256 colours.
const sufficientContrast = 4.6

// leastContrast is the contrast with the background that a selection and the lines between panes need.
var leastContrast = map[string]float64{"raised": 1.5, "subtle": 2}

// leastLight is that of a selection on a light background, where text leaves it less room.
const leastLight = 1.35

// readable returns a check whether a colour is as readable in a role as the role's own colour was.
func readable(role string, was, now Palette) func(string) bool {
	c := *was.roles()[role]
	if least := leastContrast[role]; least > 0 && now.Back != "" && strings.HasPrefix(c, "#") {
		if role == "raised" && !now.Dark {
			least = leastLight
		}
		need := min(least, contrast(c, was.Back))
		return func(c string) bool { return contrast(c, now.Back) >= need }
	}
	if leastContrast[role] > 0 || now.Back == "" || !strings.HasPrefix(c, "#") || !strings.HasPrefix(now.Raised, "#") {
		return func(string) bool { return true }
	}
	need := min(sufficientContrast, contrast(c, was.Raised))
	return func(c string) bool { return contrast(c, now.Raised) >= need && contrast(c, now.Back) >= need }
}

// nearest returns the acceptable colour nearest to one; the terminal's own sixteen stay.
func nearest(to string, of []string, does func(string) bool) string {
	if !strings.HasPrefix(to, "#") {
		return to
	}
	best, least := to, math.Inf(1)
	for _, c := range of {
		if d := distance(c, to); d < least && does(c) {
			best, least = c, d
		}
	}
	return best
}

// greys returns the greys of the 256 colours: a ramp of 24, and those in the cube.
func greys() (all []string) {
	for i := range 24 {
		all = append(all, hex(8+10*i, 8+10*i, 8+10*i))
	}
	for _, v := range cubeLevels {
		all = append(all, hex(v, v, v))
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
					all = append(all, hex(r, g, b))
				}
			}
		}
	}
	return all
}

func hex(r, g, b int) string { return fmt.Sprintf("#%02x%02x%02x", r, g, b) }

// distance returns how different two colours look. A different hue counts more than a different
// lightness.
func distance(a, b string) float64 {
	x, y := rgb(a), rgb(b)
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
	v := rgb(c)
	for i := range v {
		if v[i] <= 0.03928 {
			v[i] /= 12.92
		} else {
			v[i] = math.Pow((v[i]+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2]
}

// rgb returns red, green and blue, each from 0 to 1.
func rgb(c string) [3]float64 {
	r, g, b, _ := lipgloss.Color(c).RGBA()
	return [3]float64{float64(r) / 0xffff, float64(g) / 0xffff, float64(b) / 0xffff}
}
