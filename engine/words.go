package engine

import "unicode"

// wordCounter counts the words of a text that arrives in pieces.
type wordCounter struct {
	n      int
	within bool // the last piece ended in the middle of a word
}

// add counts on, and gives the number of words so far.
func (w *wordCounter) add(text string) int {
	for _, r := range text {
		before := w.within
		if w.within = !unicode.IsSpace(r); w.within && !before {
			w.n++
		}
	}
	return w.n
}
