package themes

import (
	"fmt"
	"slices"
	"strings"
)

// Legible is the contrast from which on text reads well.
const Legible = 4.5

// Faint says which text has less than a contrast: a text for each role, with the worst of
// what it stands on. Of the terminal's own colours nobody knows.
func (p Palette) Faint(least float64) []string {
	roles := p.roles()
	var out []string
	for _, role := range roleNames {
		var on []string
		switch {
		case slices.Contains([]string{"back", "subtle", "raised"}, role):
		case role == "onhigh":
			on = []string{"accent", "wait"}
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

// contrastOf is the contrast of two colours, the largest there is where one is the terminal's
// own.
func contrastOf(a, b string) float64 {
	if !strings.HasPrefix(a, "#") || !strings.HasPrefix(b, "#") {
		return 21
	}
	return contrast(a, b)
}
