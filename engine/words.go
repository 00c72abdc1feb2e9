package engine

import "unicode"

// wordCounter counts the words of a text that arrives in pieces.
type wordCounter struct {
	n      int
	inWord bool // the last piece ended in the middle of a word
}

// add counts on, and gives the number of words so far.
func (w *wordCounter) add(text string) int {
	for _, r := range text {
		before := w.inWord
		if w.inWord = !unicode.IsSpace(r); w.inWord && !before {
			w.n++
		}
	}
	return w.n
}
