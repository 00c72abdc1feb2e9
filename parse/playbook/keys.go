package playbook

import (
	"fmt"
	"strings"
	"unicode"
)

// names gives out ids and keys: a repetition is counted, as in 2a~2.
type names map[string]int

func (n names) take(name string) string {
	out := name
	for n[out] > 0 {
		n[name]++
		out = fmt.Sprintf("%s~%d", name, n[name])
	}
	n[out]++
	return out
}

// slug turns a title into a key (plan.md §7): letters and digits in lower case,
// anything else one hyphen.
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
	if b.Len() == 0 {
		return "untitled"
	}
	return b.String()
}

// key is an arm's own key: its condition.
func (a *arm) key() string {
	if a.word == "else" {
		return "else"
	}
	return a.cond.variable + a.cond.operator + a.cond.value
}
