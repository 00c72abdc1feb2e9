// Package near finds the known name that a mistyped one was probably meant to be.
package near

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longest is how many bytes a word has that people write. Two words are compared in the
// time that the product of their lengths takes.
const longest = 200

// Name is the known name that a word was probably meant to be, or "". One that is as
// long is the more likely: letters change places. Case does not count, and a number is
// like no other one.
func Name(word string, known []string) string {
	if !strings.ContainsFunc(word, unicode.IsLetter) || len(word) > longest {
		return ""
	}
	length := utf8.RuneCountInString(word)
	best, long, least := "", 0, min(length/2, max(2, length/3))+1
	for _, name := range known {
		other := utf8.RuneCountInString(name)
		if max(length-other, other-length) > least {
			continue // they differ in more letters than that
		}
		d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(name))
		likely := d < least || d == least && best != "" && long != length && other == length
		if likely && d < other {
			best, long, least = name, other, d
		}
	}
	return best
}

// Names are known names in which the words of a document are looked up.
type Names struct {
	All   []string
	count int
}

// maxAsked is how many words are compared with all names. Comparing every word of a document
// with every name takes quadratic time, and after so many mistakes nobody reads a proposal.
const maxAsked = 20

// Name is the function Name for the first words, and "" for those after them.
func (n *Names) Name(word string) string {
	if n.count++; n.count > maxAsked {
		return ""
	}
	return Name(word, n.All)
}

// Hint is the function Hint for the first words, and lists names for those after them.
func (n *Names) Hint(word string) string { return hint(n.Name(word), n.All) }

// maxListed is how many names a hint lists.
const maxListed = 12

// Hint says which name was probably meant, else which there are: a clause to follow a
// colon. Without any it is "there is none".
func Hint(word string, known []string) string { return hint(Name(word, known), known) }

func hint(name string, known []string) string {
	if name != "" {
		return "did you mean " + name + "?"
	}
	switch {
	case len(known) == 0:
		return "there is none"
	case len(known) > maxListed:
		return "choose from " + strings.Join(slices.Clone(known[:maxListed]), ", ") + ", …"
	}
	return "choose from " + strings.Join(known, ", ")
}
