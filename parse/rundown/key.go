package rundown

import (
	"fmt"
	"strings"
	"unicode"
)

// slug turns a title into a key: letters and digits in lower case, anything else
// one hyphen.
func slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range title {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// ownKey is what identifies a unit among its siblings when the document is edited
// (plan.md §7): its name, else its title. Numbers are no part of it.
func (u *unit) ownKey() string {
	if u.kind == named {
		return u.id
	}
	if s := slug(u.slug); s != "" {
		return s
	}
	return "untitled"
}

// keys are the keys of siblings; repetitions are counted.
func keys(prefix string, siblings []*unit) []string {
	out := make([]string, len(siblings))
	seen := make(map[string]int, len(siblings))
	for i, u := range siblings {
		key := prefix + u.ownKey()
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s~%d", key, seen[key])
		}
		out[i] = key
	}
	return out
}
