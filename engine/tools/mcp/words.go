package mcp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// quote puts a name of outside into quotes.
func quote(name string) string { return strconv.Quote(name) }

// maxListed is how many names a message lists.
const maxListed = 12

// notFoundHint lists the names there are in place of an unknown one, the most similar first. Without
// any it says what to do.
func notFoundHint(name string, names []string, empty string) string {
	if len(names) == 0 {
		return ", nor any other: " + empty
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(distance(name, a), distance(name, b))
	})
	more := ""
	if len(names) > maxListed {
		names, more = names[:maxListed], " …"
	}
	for i, n := range names {
		names[i] = brief(n, 60)
	}
	return ": there is " + strings.Join(names, ", ") + more
}

// distance is how unlike two names are, whatever their case.
func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(brief(a, 60)), strings.ToLower(brief(b, 60)))
}

// brief is a text in at most n runes.
func brief(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
