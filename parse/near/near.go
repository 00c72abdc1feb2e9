// Package near suggests the known name that a mistyped one probably stands for.
package near

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// maxWordLength is the length of the longest word that is compared, in bytes. The time to compare grows with
// the product of both lengths.
const maxWordLength = 200

// MostSimilar returns the known name that a word probably stands for, or "". Case is ignored. Of names with
// equally many different letters, it prefers one of the same length as the word, because letters are
// often swapped. A word without letters, such as a number, has no similar name.
func MostSimilar(word string, known []string) string {
	if !strings.ContainsFunc(word, unicode.IsLetter) || len(word) > maxWordLength {
		return ""
	}
	length := utf8.RuneCountInString(word)
	best, bestLength, bestDistance := "", 0, min(length/2, max(2, length/3))+1
	for _, name := range known {
		nameLength := utf8.RuneCountInString(name)
		if max(length-nameLength, nameLength-length) > bestDistance {
			continue // they differ in more letters than that
		}
		distance := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(name))
		isBetter := distance < bestDistance || distance == bestDistance && best != "" && bestLength != length && nameLength == length
		if isBetter && distance < nameLength {
			best, bestLength, bestDistance = name, nameLength, distance
		}
	}
	return best
}

// KnownNames are the known names for the words of one document.
type KnownNames struct {
	All           []string
	similarByWord map[string]string // the results of earlier comparisons
}

// maxComparedWords limits how many words are compared with all names, which takes quadratic time. After so
// many mistakes nobody reads suggestions.
const maxComparedWords = 20

// MostSimilar is like the function MostSimilar for the first maxComparedWords different words, and
// returns "" for any other.
func (n *KnownNames) MostSimilar(word string) string {
	name, known := n.similarByWord[word]
	if known || len(n.similarByWord) == maxComparedWords {
		return name
	}
	if n.similarByWord == nil {
		n.similarByWord = map[string]string{}
	}
	name = MostSimilar(word, n.All)
	n.similarByWord[word] = name
	return name
}

// Suggestion is like the function Suggestion for the first maxComparedWords different words, and only
// lists names for any other.
func (n *KnownNames) Suggestion(word string) string {
	return suggestionText(n.MostSimilar(word), n.All)
}

// maxListed is how many names a suggestion lists.
const maxListed = 12

// Suggestion returns a question for the most similar name, or else a list of the known names. It follows a
// colon in a message.
func Suggestion(word string, known []string) string {
	return suggestionText(MostSimilar(word, known), known)
}

func suggestionText(name string, known []string) string {
	if name != "" {
		return "did you mean " + name + "?"
	}
	switch {
	case len(known) == 0:
		return "none are defined"
	case len(known) > maxListed:
		return "choose from " + strings.Join(known[:maxListed], ", ") + ", …"
	}
	return "choose from " + strings.Join(known, ", ")
}
