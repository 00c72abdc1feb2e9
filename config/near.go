package config

import "github.com/agnivade/levenshtein"

// near is the one of known names that a word was probably meant to be, or nothing. One that
// is as long is the more likely: letters change places.
func near(word string, known []string) string {
	best, least := "", 3
	for _, name := range known {
		d := levenshtein.ComputeDistance(word, name)
		if d < len(name) && (d < least || d == least && d < 3 && len(name) == len(word)) {
			best, least = name, d
		}
	}
	return best
}
