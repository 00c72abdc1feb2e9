package plan

import (
	"fmt"
	"strings"
	"unicode"
)

// Slug makes an own key of a title: letters and digits in lower case, anything
// else one hyphen; "untitled" where nothing is left. Steps are identified by it
// across edits of their document (Step.Key).
func Slug(title string) string {
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

// Names gives out ids and keys: a repetition is counted, as in 2a~2.
type Names map[string]int

// Take is the name, or the first of its repetitions that is free.
func (n Names) Take(name string) string {
	out := name
	for n[out] > 0 {
		n[name]++
		out = fmt.Sprintf("%s~%d", name, n[name])
	}
	n[out]++
	return out
}

// Aliases are what a configuration says of models that a document can name.
type Aliases struct {
	Names []string // those that it maps
	Usual bool     // there is one to ask in the place of others
}
