package near

import (
	"strings"
	"testing"
)

// TestMostSimilar: a mistyped word matches the known name that it is most similar to.
func TestMostSimilar(t *testing.T) {
	known := []string{"in", "model", "models", "max_tokens", "Rollback", "initial.polling", "1", "2.1"}
	for word, want := range map[string]string{
		"modle": "model", "modell": "models", "max_token": "max_tokens", "rolback": "Rollback", "initial.poling": "initial.polling",
		"x": "", "9": "", "colours": "", "": "", "ni": "", "id": "in", "MODEL": "model", "2.2": "",
	} {
		if got := MostSimilar(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestLetters: similarity counts letters, not bytes.
func TestLetters(t *testing.T) {
	if got := MostSimilar("maase", []string{"maasen", "mäase"}); got != "mäase" {
		t.Error(got)
	}
}

// TestLongWord: a very long word is not compared because that would take long.
func TestLongWord(t *testing.T) {
	long := strings.Repeat("a", maxWordLength+1)
	if got := MostSimilar(long, []string{long + "b"}); got != "" {
		t.Error(got)
	}
}

// TestSuggestion suggests the similar name, or else lists the known names.
func TestSuggestion(t *testing.T) {
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"Rolback", []string{"1", "Rollback"}, "did you mean Rollback?"},
		{"9", []string{"1", "Rollback"}, "choose from 1, Rollback"},
		{"x", nil, "none are defined"},
		{"x", many, "choose from 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"},
	} {
		if got := Suggestion(c.word, c.known); got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}
