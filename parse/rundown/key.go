package rundown

import (
	"fmt"

	"playhead/parse/plan"
)

// ownKey is what identifies a unit among its siblings when the document is edited:
// its name, else its title. Numbers are no part of it.
func (u *unit) ownKey() string {
	if u.kind == named {
		return u.id
	}
	return plan.Slug(u.slug)
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
